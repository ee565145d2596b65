import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postAsRamdisk } from '.';

describe('what a ramdisk posts', () => {
  const seen: { headers: IncomingHttpHeaders; body: string; pieces: number }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), pieces: chunks.length });
      if (request.url !== '/silent') response.writeHead(request.url === '/locked' ? 409 : 202).end('{}');
    });
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void (seen.length = 0));
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('comes without a version and in nobody’s name', async () => {
    expect(await postAsRamdisk(`${url}/`, '{"a":"ü"}', 0)).toBe(202);
    expect(await postAsRamdisk(`${url}/locked`, '{}', 0)).toBe(409);
    expect(seen.map(({ body }) => body)).toEqual(['{"a":"ü"}', '{}']);
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
    const names = Object.keys(seen[0]?.headers ?? {});
    expect(names.filter((name) => /openstack|auth/.test(name))).toEqual([]);
  });

  it('comes piece by piece where its sender is slow, and is whole', async () => {
    const body = JSON.stringify({ logs: 'x'.repeat(10_000) });
    expect(await postAsRamdisk(url, body, 60)).toBe(202);
    expect(seen).toMatchObject([{ body }]);
    expect(seen[0]?.pieces).toBeGreaterThan(1);
  });

  it('tells an answer that does not come in time from nobody there', async () => {
    expect(await postAsRamdisk(`${url}/silent`, '{}', 0, 50)).toBe('timed out');
    await expect(postAsRamdisk('http://127.0.0.1:1/', '{}', 0)).rejects.toThrow();
  });
});
