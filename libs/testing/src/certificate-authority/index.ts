import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** All PEM. */
export interface Vouched {
  /** The authority's own certificate. */
  readonly ca: string;
  /** For 127.0.0.1 and localhost, signed by that authority. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority, made by openssl and forgotten again, and a server's certificate that it has signed. */
export function vouchedCertificate(): Vouched {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-ca-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('req', '-x509', ...ec, '-days', '2', '-subj', '/CN=ca', '-keyout', at('ca.key'), '-out', at('ca.pem'));
    openssl('req', ...ec, '-subj', '/CN=localhost', '-keyout', at('key.pem'), '-out', at('request.pem'));
    writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', at('names')];
    openssl('x509', '-req', '-in', at('request.pem'), ...by, '-out', at('cert.pem'));
    const read = (name: string): string => readFileSync(at(name), 'utf8');
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
