/** Debian's nginx before the api: https outside, another host name, and the api below a path. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, until } from '../stack';
import { Guard } from '../stack/guard';
import { SecureClient } from './secure-client';

export const HOST_NAME = 'bm.example';
const PROGRAM = '/usr/sbin/nginx';

/** How the proxy tells the api of the client's own request, by the first segment of the path. */
export const places = {
  /** As most are set up: the X-Forwarded headers. */
  baremetal: [
    'proxy_set_header X-Forwarded-Proto $scheme',
    'proxy_set_header X-Forwarded-Host $host',
    'proxy_set_header X-Forwarded-Port $server_port',
    'proxy_set_header X-Forwarded-Prefix /baremetal',
    'proxy_set_header X-Forwarded-For $remote_addr',
  ],
  /** RFC 7239, which has no word for a path. */
  standard: [
    'proxy_set_header Forwarded "for=$remote_addr;proto=$scheme;host=\\"$http_host\\""',
    'proxy_set_header X-Forwarded-Prefix /standard',
  ],
  /** Tells nothing. */
  silent: [],
} as const;

export type Place = keyof typeof places;

const location = ([place, headers]: [string, readonly string[]], apiUrl: string): string =>
  `    location /${place}/ { proxy_pass ${apiUrl}/; ${headers.map((one) => `${one}; `).join('')}}`;

const configuration = (folder: string, port: number, apiUrl: string): string => `
daemon off;
master_process off;
user root;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 256; }
http {
  access_log off;
  client_max_body_size 64m;
  client_body_temp_path ${folder}/body;
  ${['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  proxy_http_version 1.1;
  proxy_read_timeout 60s;
  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${HOST_NAME};
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
${Object.entries(places)
  .map((one) => location(one, apiUrl))
  .join('\n')}
  }
}
`;

function selfSigned(folder: string): Buffer {
  const subject = ['-subj', `/CN=${HOST_NAME}`, '-addext', `subjectAltName=DNS:${HOST_NAME}`];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'pipe' });
  return readFileSync(join(folder, 'certificate.pem'));
}

export class Nginx {
  private constructor(
    readonly port: number,
    readonly client: SecureClient,
    private readonly child: ChildProcess,
    private readonly guard: Guard,
  ) {}

  static async start(apiUrl: string): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'ferrolog-nginx-'));
    const guard = new Guard(folder);
    try {
      const [port = 0] = await freePorts(1);
      const certificate = selfSigned(folder);
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, configuration(folder, port, apiUrl));
      const child = spawn(PROGRAM, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
      guard.watch(child.pid ?? -1, folder);
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
      const client = new SecureClient(HOST_NAME, port, certificate);
      await until('nginx', async () => {
        if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
        return (await client.call('GET', '/')).status > 0;
      });
      return new Nginx(port, client, child, guard);
    } catch (error) {
      await guard.fire();
      throw error;
    }
  }

  /** The base of everything below a place, as a client knows it. */
  base(place: Place): string {
    return `https://${HOST_NAME}:${this.port}/${place}`;
  }

  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    await this.guard.fire();
  }
}

/** As `describe`; skipped, and said so, only where the program is not installed. */
export function describeBehindNginx(name: string, block: () => void): void {
  if (existsSync(PROGRAM)) return describe(name, block);
  const reason = 'nginx is not installed (apt-get install nginx-light)';
  process.stderr.write(`Skipped: ${name}: ${reason}\n`);
  describe.skip(`${name}: ${reason}`, block);
}
