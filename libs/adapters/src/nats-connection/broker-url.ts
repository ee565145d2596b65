/** Where the broker is, taken from `NATS_URL`: `nats://[user:password@|token@]host[:port]`, `tls://...`, several with commas. */
export interface BrokerAddress {
  /** `host:port`, as the client takes them. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  readonly tls: boolean;
  /** The address as it may be shown and logged: credentials are `***`. */
  readonly shown: string;
}

const DEFAULT_PORT = '4222';

/** Throws an Error that names the address (credentials masked) when it is none. */
export function parseBrokerUrl(text: string): BrokerAddress {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const urls = parts.map(parseOne);
  const [first] = urls;
  if (first === undefined) throw new Error('the broker address is empty');
  const withCredentials = urls.find((url) => url.username !== '') ?? first;
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || DEFAULT_PORT}`),
    ...credentials(withCredentials),
    tls: first.protocol === 'tls:',
    shown: parts.map(masked).join(','),
  };
}

function parseOne(part: string): URL {
  const text = part.includes('://') ? part : `nats://${part}`;
  try {
    const url = new URL(text);
    if ((url.protocol === 'nats:' || url.protocol === 'tls:') && url.hostname !== '') return url;
  } catch {
    // Said below, without the text of the URL parser, which repeats the credentials.
  }
  throw new Error(`not a broker address: ${masked(part)} (nats://host:port is expected)`);
}

/** A user name without a password is a token, as in every NATS client. */
function credentials(url: URL): Pick<BrokerAddress, 'user' | 'password' | 'token'> {
  if (url.username === '') return {};
  const user = decodeURIComponent(url.username);
  return url.password === '' ? { token: user } : { user, password: decodeURIComponent(url.password) };
}

function masked(part: string): string {
  const at = part.lastIndexOf('@');
  if (at < 0) return part;
  const scheme = part.indexOf('://');
  return `${scheme < 0 ? '' : part.slice(0, scheme + 3)}***${part.slice(at)}`;
}
