import { DirectHost, MAC, TOKEN } from '../../../../test/inspector/direct-host';
import { NODE, World, documentOf, endings, eventTypes, manageable, provision, uuidOf } from '../../../../test/world';
import { SimulatedRamdisks, ramdiskMemoryFrom, ramdiskScriptNames, ramdiskScriptOf } from '.';
import type { RamdiskScriptName } from '.';

describe('a simulated ramdisk', () => {
  let world: World;
  let host: DirectHost;
  let ramdisks: SimulatedRamdisks;
  let parts: ConstructorParameters<typeof SimulatedRamdisks>[0];
  beforeEach(async () => {
    world = new World();
    await world.conductor();
    await world.scheduler();
    host = new DirectHost(world);
    const inventories = [{ name: 'one', payload: { inventory: { interfaces: [], cpu: { architecture: 'x86_64' } } } }];
    const chance = { uuid: () => uuidOf(1), bytes: (length: number) => new Uint8Array(length), random: () => 0.5 };
    parts = { host, clock: world.clock, chance, logger: world.logger, inventories, pollMs: 500 };
    ramdisks = new SimulatedRamdisks(parts);
    ramdisks.start();
  });
  afterEach(async () => {
    await ramdisks.stop();
    await world.stop();
  });

  async function inspected(script: RamdiskScriptName, rest: object = {}): Promise<void> {
    const fields = { inspect_interface: 'agent', extra: { simulator: { script, ...rest } } };
    await manageable(world, NODE, fields);
    await world.do({
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: uuidOf(500),
      nodeUuid: NODE,
      fields: { address: MAC },
    });
    await world.do(provision('inspect'));
  }
  const state = async () => (await documentOf(world))?.['provision_state'];
  const lastError = async () => (await documentOf(world))?.['last_error'];
  const HALF_AN_HOUR = 1_800_000;

  it('succeeds: it is heard of, then its data makes the node manageable', async () => {
    await inspected('succeed');
    await world.clock.advanceBy(3000);
    expect([await state(), host.posts]).toEqual(['manageable', [202]]);
    expect((await eventTypes(world)).filter((type) => type.startsWith('Agent'))).toEqual([
      'AgentLookedUp',
      'AgentHeartbeat',
    ]);
  });

  describe('that is booted by the conductor', () => {
    const ipxe = (parameters: string): string =>
      `#!ipxe\n# comment\nkernel http://i/k initrd=r ${parameters} BOOTIF=01-52-54-00-00-00-01\ninitrd http://i/r\nboot\n`;
    const ended = async (script: RamdiskScriptName, rest: object = {}) => {
      host.managedBoot = 'ipxe';
      await inspected(script, rest);
      await world.clock.advanceBy(20_000);
      return state();
    };

    it('posts where its kernel was told to, and is not heard of otherwise', async () => {
      host.file = ipxe('ipa-inspection-callback-url=http://cb/v1/continue_inspection');
      expect(await ended('succeed')).toBe('manageable');
      expect(host.used).toEqual(['http://cb/v1/continue_inspection']);
      expect((await eventTypes(world)).filter((type) => type.startsWith('Agent'))).toEqual([]);
    });

    it('looks up its node at the API that it was told of', async () => {
      host.file = ipxe('ipa-inspection-callback-url=http://cb ipa-api-url=http://api,http://other');
      expect(await ended('succeed')).toBe('manageable');
      expect(host.used).toEqual(['http://api', 'http://cb']);
      expect(host.beats).toEqual([202]);
    });

    it('tries the next address when nobody answers at the first', async () => {
      host.file = `LABEL x\n  APPEND initrd=r ipa-inspection-callback-url=http://dead,http://cb`;
      host.dead.push('http://dead');
      expect(await ended('succeed')).toBe('manageable');
      expect(host.used).toEqual(['http://dead', 'http://cb']);
    });

    it.each([[null], ['#!ipxe\nexit\n'], ['']])('boots nothing with the file %j', async (file) => {
      host.file = file;
      expect(await ended('succeed')).toBe('inspect wait');
      expect(host.used).toEqual([]);
    });

    it('posts nothing when its kernel was told no address', async () => {
      host.file = ipxe('nomodeset');
      expect(await ended('succeed')).toBe('inspect wait');
      expect(host.used).toEqual([]);
    });

    it('posts to the API that it was told of where it is told what to collect, and no address', async () => {
      host.file = ipxe('ipa-api-url=http://api/ ipa-inspection-collectors=default');
      expect(await ended('succeed')).toBe('manageable');
      expect(host.used).toEqual(['http://api/', 'http://api/v1/continue_inspection']);
    });

    it('beats with the token on its command line, which somebody has at the API', async () => {
      host.file = ipxe(`ipa-inspection-callback-url=http://cb ipa-api-url=http://api ipa-agent-token=${TOKEN}`);
      host.managedBoot = 'ipxe';
      await inspected('succeed', { after: 5 });
      const earlier = host.lookUp([MAC], 'earlier');
      await world.clock.advanceBy(100);
      expect(await earlier).toMatchObject({ token: TOKEN });
      host.isIssued = true;
      await world.clock.advanceBy(20_000);
      expect(host.beats[0]).toBe(202);
    });

    it('is locked down where somebody else has its token', async () => {
      host.file = ipxe('ipa-inspection-callback-url=http://cb ipa-api-url=http://api');
      host.managedBoot = 'ipxe';
      await inspected('malformed', { after: 5 });
      host.isIssued = true;
      await world.clock.advanceBy(600_000);
      expect([host.beats, host.posts, host.lookUps.length]).toEqual([[], [400], 1]);
    });

    it.each(['slow', 'crash'] as const)(
      'gives no sign of life that it was not told where to give: %s',
      async (script) => {
        host.file = ipxe('ipa-inspection-callback-url=http://cb');
        await ended(script, { after: 5 });
        expect(host.used).toEqual(script === 'slow' ? ['http://cb'] : []);
        expect(host.beats).toEqual([]);
      },
    );
  });

  it('plays each boot once, and the next one again', async () => {
    await inspected('succeed');
    await world.clock.advanceBy(10_000);
    await world.do(provision('inspect'));
    await world.clock.advanceBy(10_000);
    expect([host.posts, await endings(world)]).toEqual([
      [202, 202],
      ['InspectionFinished', 'InspectionFinished'],
    ]);
  });

  describe('whose simulator is killed and started again', () => {
    const texts = new Map<string, string>();
    const shelf = {
      async save(changes: ReadonlyMap<string, unknown>) {
        for (const [name, document] of changes) texts.set(name, JSON.stringify(document));
      },
    };
    const born = async () => {
      await ramdisks.stop();
      const documents = new Map([...texts].map(([name, text]) => [name, JSON.parse(text) as unknown]));
      ramdisks = new SimulatedRamdisks({ ...parts, memory: ramdiskMemoryFrom(documents, shelf) });
      ramdisks.start();
    };
    beforeEach(async () => {
      texts.clear();
      await born();
    });

    it('posts when its time has come, once', async () => {
      await inspected('succeed', { after: 20 });
      await world.clock.advanceBy(15_000);
      await born();
      await world.clock.advanceBy(4000);
      expect(host.posts).toEqual([]);
      await world.clock.advanceBy(2000);
      expect([host.posts, await state()]).toEqual([[202], 'manageable']);
      await born();
      await world.clock.advanceBy(60_000);
      expect(host.posts).toEqual([202]);
    });

    it('is not booted again when it was refused, and the node still waits', async () => {
      await inspected('malformed');
      await world.clock.advanceBy(5000);
      await born();
      await world.clock.advanceBy(60_000);
      expect([host.posts, await state()]).toEqual([[400], 'inspect wait']);
    });

    it('comes late as it was to', async () => {
      await inspected('late');
      await world.clock.advanceBy(5000);
      await born();
      await world.clock.advanceBy(HALF_AN_HOUR + 5000);
      expect([await endings(world), host.posts]).toEqual([['InspectionTimedOut'], [404]]);
    });
  });

  it.each(['error', 'ramdisk-error'] as const)('tells of its failure: %s', async (script) => {
    await inspected(script, { message: 'no disks' });
    await world.clock.advanceBy(3000);
    expect([await state(), await lastError()]).toEqual(['inspect failed', expect.stringContaining('no disks')]);
  });

  it('plays nothing where its body is not one, and says so', async () => {
    await inspected('succeed', { body: { macs: 'none' } });
    await world.clock.advanceBy(10_000);
    expect([host.posts, await state()]).toEqual([[], 'inspect wait']);
  });

  it.each([
    ['never', 'no contact at all', []],
    ['crash', 'a heartbeat at', []],
    ['malformed', 'a heartbeat at', [400]],
  ] as const)('%s: the time runs out, and says how far it came', async (script, text, posts) => {
    await inspected(script);
    await world.clock.advanceBy(HALF_AN_HOUR + 5000);
    expect([await state(), await lastError(), host.posts]).toEqual([
      'inspect failed',
      expect.stringContaining(text),
      posts,
    ]);
  });

  it('comes late: nobody takes it', async () => {
    await inspected('late');
    await world.clock.advanceBy(HALF_AN_HOUR + 5000);
    expect([await endings(world), host.posts]).toEqual([['InspectionTimedOut'], [404]]);
  });

  it('comes after an abort: nobody takes it', async () => {
    await inspected('after-abort');
    await world.clock.advanceBy(5000);
    expect(host.posts).toEqual([]);
    await world.do(provision('abort'));
    await world.clock.advanceBy(5000);
    expect([await endings(world), host.posts]).toEqual([['InspectionAborted'], [404]]);
  });

  it('comes twice: the second time nobody takes it', async () => {
    await inspected('twice');
    await world.clock.advanceBy(5000);
    expect([await endings(world), host.posts]).toEqual([['InspectionFinished'], [202, 404]]);
  });

  it('is slow, and gives signs of life meanwhile', async () => {
    await inspected('slow', { after: 60 });
    await world.clock.advanceBy(59_000);
    expect([await state(), host.posts]).toEqual(['inspect wait', []]);
    expect(host.beats.length).toBeGreaterThan(5);
    await world.clock.advanceBy(5000);
    expect([await state(), host.posts]).toEqual(['manageable', [202]]);
  });

  it('is seen at once where somebody says that there may be one', async () => {
    await world.clock.advanceBy(1000);
    await inspected('succeed', { after: 0 });
    await world.clock.advanceBy(100);
    expect(host.posts).toEqual([]);
    ramdisks.wake();
    await world.clock.advanceBy(150);
    expect(host.posts).toEqual([202]);
  });

  it.each(['succeed', 'error', 'slow', 'malformed'] as const)(
    'posts no more once its power is off: %s',
    async (script) => {
      await inspected(script, { after: 20 });
      await world.clock.advanceBy(10_000);
      host.isOn = false;
      await world.clock.advanceBy(60_000);
      expect([host.posts, await state()]).toEqual([[], 'inspect wait']);
    },
  );

  it('does not post again where the answer does not come in time', async () => {
    host.slow.push(null);
    await inspected('succeed');
    await world.clock.advanceBy(120_000);
    expect(host.used.filter((url) => url === null)).toHaveLength(2);
    expect([host.posts, await state()]).toEqual([[], 'inspect wait']);
  });

  it('goes on beating after data that was refused, until its power is off', async () => {
    await inspected('malformed');
    await world.clock.advanceBy(600_000);
    // At once, then 0.45 x 300 s apart.
    expect(host.beats).toEqual(Array(5).fill(202));
    host.isOn = false;
    await world.clock.advanceBy(600_000);
    expect(host.beats).toHaveLength(5);
  });

  it('looks up again and again where it is not known, with its pauses, while its data is posted', async () => {
    host.lookUpTroubles.push(404, 409, 409, 404, ...Array<number>(100).fill(404));
    await inspected('malformed');
    await world.clock.advanceBy(700_000);
    const [first = 0, ...later] = host.lookUps;
    const pauses = later.map((at, i) => (at - (host.lookUps[i] ?? 0)) / 1000);
    expect(host.posts).toEqual([400]);
    expect(pauses.slice(0, 5)).toEqual([1.5, 7.5, 14.5, 8.5, 16.5]);
    expect(Math.max(...pauses)).toBe(30.5);
    expect((host.lookUps.at(-1) ?? 0) - first).toBeLessThanOrEqual(601_000);
    expect(host.beats).toEqual([]);
  });

  it('posts again after 409 and 5xx, with the pauses of the agent', async () => {
    host.troubles.push(409, 503);
    await inspected('succeed');
    await world.clock.advanceBy(4000);
    expect(host.posts).toEqual([409]);
    await world.clock.advanceBy(10_000);
    expect([await state(), host.posts]).toEqual(['manageable', [409, 503, 202]]);
  });
});

describe('the script of a ramdisk', () => {
  it.each(ramdiskScriptNames)('%s is known', (script) => {
    expect(ramdiskScriptOf({ simulator: { script } })?.name).toBe(script);
  });

  it.each([{}, { simulator: null }, { simulator: { script: 'dance' } }, { simulator: 'succeed' }])(
    '%j asks for none',
    (extra) => {
      expect(ramdiskScriptOf(extra)).toBeNull();
    },
  );

  it('has its time in seconds', () => {
    expect(ramdiskScriptOf({ simulator: { script: 'succeed', after: 2.5 } })?.afterMs).toBe(2500);
    expect(ramdiskScriptOf({ simulator: { script: 'slow', after: -1 } })?.afterMs).toBe(30_000);
  });
});
