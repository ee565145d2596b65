import {
  discard,
  enroll,
  httpCall,
  inspect,
  macOf,
  ramdiskReport,
  sleep,
  until,
  type Api,
  type ShownEvent,
  type ShownNode,
} from '../stack';
import type { Round, Shot } from './plan';

/** One shot and what came back; status 0 = no answer. */
export interface Fired {
  readonly what: Shot['what'] | 'delete' | 'close';
  readonly status: number;
  readonly text: string;
}

/** Everything that is known about a round when it is over. */
export interface Fight {
  readonly round: Round;
  readonly uuid: string;
  readonly fired: readonly Fired[];
  readonly events: readonly ShownEvent[];
  /** null: removed. */
  readonly node: ShownNode | null;
  /** Texts of the history rows; empty for a removed node. */
  readonly history: readonly string[];
}

const CLOSE_TRIES_MAX = 20;
const LEAD_MS = 1_500;
const WAITING = new Set(['inspect wait', 'inspecting']);

/** Plays one round on the real stack. */
export class Ring {
  constructor(
    private readonly api: Api,
    private readonly inspectorUrl: string,
  ) {}

  async fight(round: Round): Promise<Fight> {
    const mac = macOf(round.number + 1);
    const uuid = await enroll(this.api, { mac, inspectWaitTimeout: round.timeoutS });
    await inspect(this.api, uuid);
    const zeroMs = await this.zero(uuid, round);
    const fired = (await Promise.all(round.shots.map((shot) => this.fire(shot, uuid, mac, zeroMs)))).flat();
    fired.push(...(await this.close(uuid)));
    const node = await this.look(uuid);
    const fight: Fight = {
      round,
      uuid,
      fired,
      events: await this.api.events(uuid),
      node,
      history: node === null ? [] : (await this.api.history(uuid)).map(({ event }) => event),
    };
    if (node !== null) await discard(this.api, uuid);
    return fight;
  }

  /** Epoch ms of the deadline, or a moment ahead where the round has none. */
  private async zero(uuid: string, round: Round): Promise<number> {
    if (round.timeoutS === 0) return Date.now() + LEAD_MS;
    const { data } = await this.api.event(uuid, 'InspectionWaiting');
    return (data['deadline'] as { due: number }).due;
  }

  private async fire({ what, atMs }: Shot, uuid: string, mac: string, zeroMs: number): Promise<Fired[]> {
    await sleep(Math.max(0, zeroMs + atMs - Date.now()));
    switch (what) {
      case 'abort':
        return [await this.record(what, this.api.provision(uuid, 'abort'))];
      case 'callback': {
        const body = JSON.stringify(ramdiskReport(mac));
        const headers = { 'Content-Type': 'application/json' };
        const call = { method: 'POST', path: '/v1/continue', headers, body };
        return [await this.record(what, httpCall(this.inspectorUrl, call))];
      }
      case 'maintenance':
        return [await this.record(what, this.api.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'race' }))];
      case 'remove': {
        const set = await this.record(what, this.api.send('PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'race' }));
        return [set, await this.record('delete', this.api.send('DELETE', `/v1/nodes/${uuid}`))];
      }
    }
  }

  private async record(what: Fired['what'], call: Promise<{ status: number; text: string }>): Promise<Fired> {
    try {
      const { status, text } = await call;
      return { what, status, text: text.slice(0, 300) };
    } catch (error) {
      return { what, status: 0, text: String(error) };
    }
  }

  /** Lets a held deadline go on, gives the status poll its time, and aborts what nothing has ended by then. */
  private async close(uuid: string): Promise<Fired[]> {
    const fired: Fired[] = [];
    if ((await this.look(uuid))?.maintenance) await this.api.send('DELETE', `/v1/nodes/${uuid}/maintenance`);
    if (await this.ended(uuid, 4_000)) return fired;
    // A busy machine may still hold the node, for its boot device: the answer asks to come again.
    for (let tries = 0; tries < CLOSE_TRIES_MAX; tries += 1) {
      const shot = await this.record('close', this.api.provision(uuid, 'abort'));
      fired.push(shot);
      if (shot.status !== 409 || (await this.ended(uuid, 1_000))) break;
    }
    if (await this.ended(uuid, 30_000)) return fired;
    throw new Error(`${uuid} did not end: ${JSON.stringify(await this.look(uuid))}, ${JSON.stringify(fired)}`);
  }

  private async ended(uuid: string, timeoutMs: number): Promise<boolean> {
    const look = async (): Promise<boolean> => {
      const node = await this.look(uuid);
      return node === null || (!WAITING.has(node.provision_state) && node.reservation === null);
    };
    return until(`an ending of ${uuid}`, look, { timeoutMs, everyMs: 50 }).catch(() => false);
  }

  private async look(uuid: string): Promise<ShownNode | null> {
    const { status, json, text } = await this.api.send('GET', `/v1/nodes/${uuid}`);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`GET ${uuid} answered ${status}: ${text}`);
    return json as ShownNode;
  }
}
