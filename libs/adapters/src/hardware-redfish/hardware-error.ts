/** What a machine or its BMC has to say; its text is what people read as the reason. */
export class HardwareError extends Error {
  override readonly name = 'HardwareError';
}

/** No answer, or none that could be read: the connection failed, TLS included, or took too long. */
export class BmcUnreachable extends HardwareError {
  /** Words of TLS end their lines. */
  constructor(why: string) {
    super(why.replace(/\s+/g, ' ').trim());
  }
}

/** Answered, and not with what was asked for. */
export class BmcRefused extends HardwareError {
  constructor(
    readonly status: number,
    /** `Base.1.0.GeneralError` and the like; empty where the BMC names none. */
    readonly messageIds: readonly string[],
    /** In the BMC's own words. */
    readonly said: string,
    what: string,
  ) {
    super(`${what}: ${status}${said === '' ? '' : ` ${said}`}`);
  }

  get isAccess(): boolean {
    return this.status === 401 || this.status === 403;
  }

  get isServerSide(): boolean {
    return this.status >= 500;
  }
}

/** Answered with what can not be: no JSON object, or more of something than a machine has. */
export class BmcNonsense extends HardwareError {}

/** How often it was tried belongs to what went wrong. */
export function counted<E extends HardwareError>(error: E, tries: number): E {
  error.message = `${error.message} (${tries} ${tries === 1 ? 'try' : 'tries'})`;
  return error;
}
