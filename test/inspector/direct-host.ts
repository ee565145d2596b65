import type { Command, Reply } from '@lib/contracts';
import type { RamdiskHost, WaitingNode } from '@lib/usecases/simulated-ramdisk';
import { documentOf, NODE, uuidOf, type World } from '../world';

export const MAC = '52:54:00:00:00:01';
export const TOKEN = 'a'.repeat(32);

/** The Bare Metal API as ramdisks see it, over a conductor in this process. */
export class DirectHost implements RamdiskHost {
  readonly posts: number[] = [];
  readonly beats: number[] = [];
  /** Answers with this status before anything is asked; what is used up is gone. */
  readonly troubles: number[] = [];
  managedBoot: string | null = null;
  /** What the loader finds. */
  file: string | null = null;
  /** Addresses that were used; null: the API's own. */
  readonly used: (string | null)[] = [];
  /** When it was asked for its node. */
  readonly lookUps: number[] = [];
  readonly lookUpTroubles: number[] = [];
  isOn = true;
  /** Somebody else has the token. */
  isIssued = false;
  /** Addresses where the answer does not come in time. */
  readonly slow: (string | null)[] = [];
  /** Addresses where nobody answers. */
  readonly dead: string[] = [];

  constructor(private readonly world: World) {}

  async waiting(): Promise<WaitingNode[]> {
    const node = await documentOf(this.world);
    if (node?.['provision_state'] !== 'inspect wait') return [];
    const extra = node['extra'] as Record<string, unknown>;
    const boot = String(node['inspection_started_at']);
    return [{ uuid: NODE, bmcAddress: null, boot, extra, managedBoot: this.managedBoot }];
  }

  macsOf = () => Promise.resolve([MAC]);

  async stateOf(): Promise<string | null> {
    return ((await documentOf(this.world))?.['provision_state'] as string | undefined) ?? null;
  }

  bootFile = () => Promise.resolve(this.file);

  async lookUp(_macs: readonly string[], api: string | null) {
    this.used.push(api);
    this.lookUps.push(this.world.clock.now());
    const trouble = this.lookUpTroubles.shift();
    const nothing = { uuid: null, token: null, heartbeatTimeoutMs: null };
    if (trouble !== undefined) return { status: trouble, ...nothing };
    const reply = await this.ask({ type: 'LookUpNode', uuid: NODE, tokenDigest: TOKEN, inAnyState: false });
    if (!reply.ok) return { status: 404, ...nothing };
    const token = reply.result['issued'] === true && !this.isIssued ? TOKEN : '******';
    return { status: 200, uuid: NODE, token, heartbeatTimeoutMs: 300_000 };
  }

  isRunning = () => Promise.resolve(this.isOn);

  async heartbeat(uuid: string, tokenDigest: string) {
    const rest = {
      callbackUrl: 'https://192.0.2.9:9999',
      agentVersion: '1',
      agentStatus: null,
      agentStatusMessage: null,
      agentVerifyCa: null,
      requireTls: true,
    };
    const reply = await this.ask({ type: 'RecordHeartbeat', uuid, tokenDigest, ...rest });
    this.beats.push(reply.ok ? 202 : 400);
    return this.beats.at(-1) ?? 0;
  }

  async post(body: string, url: string | null) {
    this.used.push(url);
    if (url !== null && this.dead.includes(url)) throw new Error('no answer');
    if (this.slow.includes(url)) return 'timed out' as const;
    const status = this.troubles.shift() ?? (await this.taken(body));
    this.posts.push(status);
    return status;
  }

  private async taken(body: string): Promise<number> {
    let parsed: Record<string, unknown>;
    try {
      parsed = JSON.parse(body) as Record<string, unknown>;
    } catch {
      return 400;
    }
    const { inventory, ...pluginData } = parsed;
    const reply = await this.ask({
      type: 'ContinueInspection',
      uuid: uuidOf(900),
      askedNode: null,
      inventory: inventory as Record<string, unknown>,
      pluginData,
      tokenDigest: null,
    });
    if (reply.ok) return 202;
    return reply.code === 'NODE_LOCKED' ? 409 : 404;
  }

  private ask(command: Command): Promise<Reply> {
    const sent = this.world.send(command);
    return new Promise((resolve) => {
      const look = (): void => {
        if (sent.reply) resolve(sent.reply);
        else this.world.clock.after(10, look);
      };
      look();
    });
  }
}
