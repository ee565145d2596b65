/** That our BMC is a proper Redfish service, as an independent client says (contract: redfish.md §5). */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '@lib/adapters/system-clock';
import { aMachine, bmcAccount, RedfishBmc, selfSigned } from '@lib/testing/redfish-bmc';

const PYTHON = '/usr/bin/python3';
const isThere = spawnSync(PYTHON, ['-c', 'import sushy']).status === 0;
const GIB = 1024 ** 3;

async function walked(bmc: RedfishBmc, method: string, certificate: string): Promise<Record<string, unknown>> {
  const { username, password } = bmcAccount;
  const script = [join(__dirname, 'walk.py'), bmc.url, username, password, method];
  const env = { ...process.env, REQUESTS_CA_BUNDLE: certificate };
  const { stdout } = await promisify(execFile)(PYTHON, script, { timeout: 60_000, env });
  return JSON.parse(stdout) as Record<string, unknown>;
}

(isThere ? describe : describe.skip)("Debian's sushy walks the BMC", () => {
  let bmc: RedfishBmc;
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sushy-'))));
  afterEach(async () => {
    await bmc.stop();
    rmSync(folder, { recursive: true });
  });

  const seen = {
    redfish: '1.6.0',
    systems: ['1', '2'],
    uuid: '6f1a2b54-0000-4000-8000-000000000001',
    vendor: ['Acme Iron', 'Slab 220', 'PCB0001'],
    before: 'Off',
    resets: ['ForceOff', 'ForceOn', 'ForceRestart', 'GracefulRestart', 'GracefulShutdown', 'Nmi', 'On'],
    memory_gib: 64,
    threads: 64,
    instruction_set: 'x86-64',
    nics: { '52:54:00:AB:01:01': 25000, '52:54:00:AB:01:02': 25000 },
    macs: ['52:54:00:AB:01:01', '52:54:00:AB:01:02'],
    drives: [480 * GIB, 960 * GIB],
    volumes: [200 * GIB],
    secure_boot: false,
    managers: ['1', '2'],
    chassis: ['1', '2'],
    adapters: ['Twinport'],
    controllers: ['Acme RAID'],
    boot: ['Pxe', 'Disabled', 'UEFI'],
    after: 'On',
    secure_boot_after: true,
    inserted: ['http://images.example/a.iso', true],
    ejected: [null, false],
    light: 'Lit',
    refuses: true,
  };

  it.each(['session', 'basic', 'auto'])(
    'with %s authentication over TLS',
    async (method) => {
      const machines = [aMachine({ volumes: [200 * GIB] }), aMachine({ id: '2' })];
      const tls = selfSigned();
      const certificate = join(folder, 'cert.pem');
      writeFileSync(certificate, tls.cert);
      bmc = await RedfishBmc.start({ machines, tls, clock: systemClock });
      expect(await walked(bmc, method, certificate)).toMatchObject(seen);
      expect(bmc.sessions.count).toBe(0);
      expect(bmc.requests.some(({ headers }) => headers['x-auth-token'] !== undefined)).toBe(method !== 'basic');
    },
    60_000,
  );
});
