import { call } from '../calls';

const TIMEOUT_MS = 10_000;
/** A catalog of services is tens of kilobytes; what is larger is no answer of an identity service. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface KeystoneAnswer {
  readonly status: number;
  readonly text: string;
}

/** `GET /v3/auth/tokens`. The token vouches for itself, so that no account of our own is needed. Rejects without an answer. */
export const askKeystone = (authUrl: string, token: string, ca: string | null): Promise<KeystoneAnswer> =>
  call({
    method: 'GET',
    url: `${authUrl.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3/auth/tokens?nocatalog`,
    headers: { accept: 'application/json', 'x-auth-token': token, 'x-subject-token': token },
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
    ca,
  });
