import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vouchedCertificate } from '@lib/testing/certificate-authority';
import { outgoingHttp } from '.';

describe('an outgoing GET by https', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferrolog-outgoing-'));
  const cafile = join(folder, 'ca.pem');
  const { ca, cert, key } = vouchedCertificate();
  const server = createServer({ cert, key }, (_request, response) => void response.writeHead(204).end());
  const sockets = new Set<Socket>();
  /** Leads every tunnel to the server. */
  const proxy = createPlainServer().on('connect', (_request, socket: Socket) => {
    const onward = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) sockets.add(one.on('error', () => undefined));
  });
  const portOf = (one: Server): number => (one.address() as AddressInfo).port;

  beforeAll(async () => {
    writeFileSync(cafile, ca);
    for (const one of [server, proxy]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const one of [server, proxy]) await new Promise((resolve) => one.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const get = (verify: boolean | string | undefined, through: string | null) =>
    outgoingHttp(verify).get(
      { url: `https://localhost:${portOf(server)}/`, headers: {}, proxy: through, timeoutMs: 5000 },
      new AbortController().signal,
    );

  describe.each(['straight', 'through a proxy'])('%s', (way) => {
    const through = () => (way === 'straight' ? null : `http://127.0.0.1:${portOf(proxy)}`);

    it('trusts who the file names', async () => expect(await get(cafile, through())).toBe(204));

    it('trusts anybody where it is told to', async () => expect(await get(false, through())).toBe(204));

    it.each([true, undefined])('trusts nobody that the system does not know: %s', async (verify) => {
      await expect(get(verify, through())).rejects.toThrow(/UNABLE_TO_VERIFY|SELF_SIGNED|unable to/);
    });
  });

  it('is not begun with a file that is not there', () => {
    expect(() => outgoingHttp('/nonexistent.pem')).toThrow('[DEFAULT] webserver_verify_ca: it cannot be read: ENOENT');
  });
});
