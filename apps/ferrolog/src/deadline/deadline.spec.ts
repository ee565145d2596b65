import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exitCodeOf } from '../command-line';
import { rootCommand } from '../root-command';
import { addDeadlineCommand } from './command';
import { deadlineLines } from './render';

const running = {
  attempt: 1,
  retry: null,
  due: '2026-11-30T08:30:00.000000+00:00',
  remaining_seconds: 60,
  held: false,
  overdue: false,
  paused: false,
  last_change: null,
};

describe('a deadline in words', () => {
  it('tells what is left, what holds it, and who changed it why', () => {
    const change = {
      change: 'extended',
      at: '2026-11-30T08:00:00.500000+00:00',
      user: null,
      request_id: 'req-1',
      reason: 'slow disks',
    };
    expect(deadlineLines('n1', null)).toEqual(['n1 waits under no deadline.']);
    expect(deadlineLines('n1', running)).toEqual(['n1: due in 1 min 0 s (2026-11-30 08:30:00 UTC).']);
    expect(deadlineLines('n1', { ...running, retry: { number: 1, of: 3 } })).toEqual([
      'n1: retry 1 of 3 due in 1 min 0 s (2026-11-30 08:30:00 UTC).',
    ]);
    expect(deadlineLines('n1', { ...running, held: true })).toEqual([
      'n1: due in 1 min 0 s (2026-11-30 08:30:00 UTC), held.',
    ]);
    expect(deadlineLines('n1', { ...running, paused: true, held: true, last_change: change })).toEqual([
      'n1: paused, with 1 min 0 s left when it is resumed.',
      'extended at 2026-11-30 08:00:00 UTC by req-1: slow disks',
    ]);
    expect(deadlineLines('n1', { ...running, remaining_seconds: -95, overdue: true, held: true })).toEqual([
      'n1: was due 1 min 35 s ago (2026-11-30 08:30:00 UTC) and is held.',
    ]);
  });
});

describe('ferrolog deadline', () => {
  let server: Server;
  let asked: { method: string; url: string; body: string }[];
  let said: string[];
  let status: number;

  beforeEach(async () => {
    [asked, said, status] = [[], [], 200];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        const { method = '', url = '' } = request;
        asked.push({ method, url, body });
        response.writeHead(url === '/v1' ? 200 : status, { 'X-OpenStack-Ironic-API-Maximum-Version': '1.115' });
        response.end(JSON.stringify(status === 200 ? { deadline: running } : { error_message: 'no deadline' }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await new Promise((resolve) => server.close(resolve));
  });

  async function run(...args: string[]): Promise<number> {
    const root = rootCommand();
    addDeadlineCommand(root);
    const api = ['--api', `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    try {
      await root.parseAsync(['node', 'ferrolog', 'deadline', ...args, ...api]);
      return 0;
    } catch (error) {
      return exitCodeOf(error, (line) => void said.push(line));
    }
  }

  it.each([
    [['n.1', '--extend', '600', '--reason', 'slow disks'], { extend_seconds: 600, reason: 'slow disks' }],
    [['n.1', '--until', '2026-12-01T08:00:00Z'], { due_at: '2026-12-01T08:00:00Z' }],
    [['n.1', '--pause'], { paused: true }],
    [['n.1', '--resume'], { paused: false }],
  ])('%j asks for what it says', async (args, body) => {
    expect(await run(...args)).toBe(0);
    const last = asked.at(-1)!;
    expect([last.method, last.url]).toEqual(['PUT', '/ferrolog/v1/nodes/n.1/deadline']);
    expect(JSON.parse(last.body)).toEqual(body);
  });

  it('only looks without one of them, and gives JSON where it is wanted', async () => {
    expect(await run('n1', '--json')).toBe(0);
    expect(asked.at(-1)).toEqual({ method: 'GET', url: '/ferrolog/v1/nodes/n1/deadline', body: '' });
    expect(JSON.parse(said.join(''))).toEqual({ node: 'n1', deadline: running });
  });

  it('answers 2 for a wrong command line, 0 for help, 1 for a refusal', async () => {
    expect(await run('n1', '--pause', '--resume')).toBe(2);
    expect(await run('n1', '--extend', 'long')).toBe(2);
    for (const time of ['tomorrow', '2026-12-01T08:00:00', '2026-13-01T08:00:00Z'])
      expect(await run('n1', '--until', time)).toBe(2);
    expect(await run('n1', '--reason', 'alone')).toBe(2);
    expect(await run('--help')).toBe(0);
    expect(asked).toEqual([]);
    status = 409;
    expect(await run('n1', '--pause')).toBe(1);
    expect(said.join('')).toContain('no deadline (409');
  });
});
