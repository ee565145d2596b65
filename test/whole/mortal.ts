/** What a process can be killed by in the middle of anything: from then on it reaches nothing and hears nothing. */
export class Life {
  private dead = false;

  end(): void {
    this.dead = true;
  }

  /** The same thing, as long as the process lives; what is called or comes back later never settles. */
  of<T extends object>(thing: T): T {
    const bound = (property: string | symbol, value: unknown): unknown => {
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (this.dead) return this.never();
        const result: unknown = Reflect.apply(value, thing, args);
        return result instanceof Promise ? this.whileAlive(result) : result;
      };
    };
    return new Proxy(thing, { get: (target, property) => bound(property, Reflect.get(target, property)) });
  }

  private whileAlive<R>(result: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      result.then(
        (value) => (this.dead ? undefined : resolve(value)),
        (error: unknown) => (this.dead ? undefined : reject(error as Error)),
      );
    });
  }

  private never(): Promise<never> {
    return new Promise(() => undefined);
  }
}
