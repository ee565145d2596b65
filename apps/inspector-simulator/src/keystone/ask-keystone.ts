import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

const TIMEOUT_MS = 10_000;
/** A catalog of services is tens of kilobytes; what is larger is no answer of an identity service. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024;

export interface KeystoneAnswer {
  readonly status: number;
  readonly text: string;
}

/** `GET /v3/auth/tokens`. The token vouches for itself, so that no account of our own is needed. Rejects without an answer. */
export const askKeystone = (authUrl: string, token: string, ca: string | null): Promise<KeystoneAnswer> =>
  new Promise((resolve, reject) => {
    const url = new URL(`${authUrl.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3/auth/tokens?nocatalog`);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { accept: 'application/json', 'x-auth-token': token, 'x-subject-token': token };
    const options = { headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS), ...(ca === null ? {} : { ca }) };
    const asked = send(url, options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > ANSWER_BYTES_MAX) answer.destroy(new Error('the answer is too large'));
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
    });
    asked.on('error', reject);
    asked.end();
  });
