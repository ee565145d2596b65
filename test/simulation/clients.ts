import type { Command } from '@lib/contracts';
import { isCallbackWait } from '@lib/domain';
import type { Act, Node } from '@lib/domain';
import { scriptNames } from '@lib/domain/introspection';
import { maintain, patch, powerTo, provision, removal, replace, unmaintain } from '../world';
import type { Fate } from './fate';

const macOf = (uuid: string): string => `52:54:00:00:00:${uuid.slice(-2)}`;
const bmcOf = (uuid: string): string => `192.0.2.${Number(uuid.slice(-2))}`;

const heartbeat = (uuid: string, tokenDigest: string): Command => ({
  type: 'RecordHeartbeat',
  uuid,
  callbackUrl: `https://${bmcOf(uuid)}:9999`,
  tokenDigest,
  agentVersion: '9.14.0',
  agentStatus: null,
  agentStatusMessage: null,
  agentVerifyCa: null,
  requireTls: true,
});

/** What the ramdisk of a machine finds. */
export const inventoryOf = (uuid: string, cpus: number): Record<string, unknown> => ({
  interfaces: [{ name: 'eth0', mac_address: macOf(uuid), ipv4_address: bmcOf(uuid) }],
  bmc_address: bmcOf(uuid),
  cpu: { count: cpus, architecture: 'x86_64' },
  memory: { physical_mb: 8192 },
  disks: [],
  boot: { pxe_interface: macOf(uuid) },
});

/** One of each way in which acts are decided: waited for or not, holding the node or not. */
const acts: readonly Act[] = [
  { act: 'set console', enabled: true },
  { act: 'set boot mode', mode: 'uefi' },
  { act: 'inject nmi' },
  { act: 'attach media', deviceType: 'cdrom', imageUrl: 'http://192.0.2.1/a.iso', downloadSource: 'http' },
  { act: 'call vendor method', method: 'now', httpMethod: 'POST', args: {} },
  { act: 'call vendor method', method: 'beside', httpMethod: 'POST', args: { password: 'secret' } },
];

/** The life of a node as its operators, and the ramdisk that posts to us, bring it about. */
export class Clients {
  private numbers = 0;

  constructor(private readonly fate: Fate) {}

  /** The next request about a node that is, or is not there. */
  next(uuid: string, node: Node | null): Command {
    if (!node) return this.creation(uuid);
    const { fate } = this;
    return fate.weighed<() => Command>([
      [12, () => this.onward(node)],
      [2, () => (node.fields.maintenance ? unmaintain(uuid) : maintain(uuid))],
      [1, () => unmaintain(uuid)],
      [2, () => this.patched(uuid)],
      [2, () => powerTo(fate.pick(['power on', 'power off', 'rebooting']), uuid)],
      [1, () => ({ type: 'SetBootDevice', uuid, device: fate.pick(['pxe', 'disk']), persistent: false })],
      [1, () => ({ type: 'Manage', uuid, act: fate.pick(acts) })],
      [1, () => removal(uuid)],
      [0.5, () => ({ type: 'ReadBootDevice', uuid })],
      [1, () => this.port(uuid)],
      [1, () => provision(fate.pick(['manage', 'inspect', 'abort', 'provide', 'deploy']), uuid)],
    ])();
  }

  private creation(uuid: string): Command {
    const { fate } = this;
    const script = fate.pick(scriptNames);
    const simulator = {
      script,
      after: fate.between(1, 25),
      ...(script === 'refuse-abort'
        ? { answer: fate.pick([409, 500, 503, 'none']), times: fate.pick([1, 2, null]) }
        : {}),
    };
    return {
      type: 'CreateNode',
      uuid,
      initialState: 'enroll',
      fields: {
        driver: 'fake-hardware',
        name: fate.pick([null, 'rack-1', 'rack-2', `host-${uuid.slice(-2)}`]),
        inspect_interface: fate.weighed([
          [5, 'inspector'],
          [3, 'agent'],
          [1, 'fake'],
        ]),
        driver_info: {
          ipmi_address: bmcOf(uuid),
          inspect_wait_timeout: fate.pick([0, 3, 10, 30, 60]),
          ...(fate.happens(0.5) ? { password: 'secret' } : {}),
        },
        extra: fate.happens(0.9) ? { simulator } : {},
      },
    };
  }

  private onward(node: Node): Command {
    const { uuid, provisionState, fields } = node;
    switch (provisionState) {
      case 'enroll':
        return provision('manage', uuid);
      case 'available':
        return provision(this.fate.pick(['manage', 'deploy']), uuid);
      case 'active':
        return provision('deleted', uuid);
      case 'clean failed':
        return provision('manage', uuid);
      case 'deploy failed':
        return provision(this.fate.pick(['deploy', 'deleted']), uuid);
      case 'manageable':
        return provision(this.fate.happens(0.2) ? 'provide' : 'inspect', uuid);
      case 'inspect failed':
        return provision(this.fate.happens(0.7) ? 'inspect' : 'manage', uuid);
      default:
        if (isCallbackWait(provisionState) && this.fate.happens(0.9)) return this.callback(node);
        return fields.inspect_interface === 'agent' && this.fate.happens(0.75)
          ? this.ramdisk(node)
          : provision('abort', uuid);
    }
  }

  /** What the ramdisk of work that waits says next. */
  private callback({ uuid, agentTokenDigest }: Node): Command {
    return agentTokenDigest === null
      ? { type: 'LookUpNode', uuid, tokenDigest: 'a'.repeat(64), inAnyState: false }
      : heartbeat(uuid, agentTokenDigest);
  }

  private ramdisk({ uuid, agentTokenDigest }: Node): Command {
    const { fate } = this;
    const tokenDigest = fate.happens(0.8) ? (agentTokenDigest ?? 'a'.repeat(64)) : null;
    return fate.weighed<() => Command>([
      [1, () => ({ type: 'LookUpNode', uuid, tokenDigest, inAnyState: false })],
      [1, () => heartbeat(uuid, tokenDigest ?? 'b'.repeat(64))],
      [
        2,
        () => ({
          type: 'ContinueInspection',
          uuid: fate.uuid(),
          askedNode: fate.happens(0.5) ? uuid : null,
          inventory: this.inventory(uuid),
          pluginData: {},
          tokenDigest,
        }),
      ],
    ])();
  }

  private inventory(uuid: string): Record<string, unknown> {
    if (this.fate.happens(0.1)) return { bmc_address: bmcOf(uuid) };
    return inventoryOf(uuid, this.fate.between(1, 8));
  }

  private patched(uuid: string): Command {
    const { fate } = this;
    return fate.weighed([
      [3, patch([{ op: 'add', path: '/extra/n', value: (this.numbers += 1) }], uuid)],
      [1, patch([replace('/name', fate.pick(['rack-1', 'rack-2', `host-${uuid.slice(-2)}`]))], uuid)],
      [1, patch([replace('/inspect_interface', fate.pick(['inspector', 'agent', 'fake']))], uuid)],
      [1, patch([{ op: 'add', path: '/driver_info/password', value: `secret-${(this.numbers += 1)}` }], uuid)],
    ]);
  }

  private port(uuid: string): Command {
    return {
      type: 'CreateResource',
      kind: 'port',
      minor: 82,
      uuid: this.fate.uuid(),
      nodeUuid: uuid,
      fields: { address: macOf(uuid) },
    };
  }
}
