import { sleep } from '../stack';
import type { CarefulClient } from './careful-client';

/** A node as the list shows it. */
export interface Listed {
  readonly uuid: string;
  readonly name: string | null;
  readonly provision_state: string;
  readonly reservation: string | null;
}

const PERIOD_MS = 250;
const PAGE = 1_000;

/** Reads the list of a round's nodes again and again, so that not every client has to. */
export class Board {
  private nodes = new Map<string, Listed>();
  private running = true;
  private readonly done: Promise<void>;

  constructor(
    private readonly client: CarefulClient,
    private readonly resourceClass: string,
  ) {
    this.done = this.watch();
  }

  /** Resolves with true when the node is so, false when that did not come to pass in time. */
  async wait(uuid: string, isSo: (node: Listed) => boolean, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (performance.now() < end) {
      const node = this.nodes.get(uuid);
      if (node && isSo(node)) return true;
      await sleep(PERIOD_MS / 2);
    }
    return false;
  }

  /** All nodes of the round, several of a name if there are; null when they cannot be read now. */
  async read(): Promise<Listed[] | null> {
    const fields = 'fields=uuid,name,provision_state,reservation';
    const listed: Listed[] = [];
    for (let marker = ''; ;) {
      const from = marker === '' ? '' : `&marker=${marker}`;
      const path = `/v1/nodes?resource_class=${this.resourceClass}&limit=${PAGE}&${fields}${from}`;
      const page = (await this.client.look(path)) as { nodes: Listed[] } | null;
      if (page === null) return null;
      listed.push(...page.nodes);
      const last = page.nodes.at(-1);
      if (page.nodes.length < PAGE || last === undefined) return listed;
      marker = last.uuid;
    }
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.done;
  }

  private async watch(): Promise<void> {
    while (this.running) {
      const listed = await this.read();
      if (listed !== null) this.nodes = new Map(listed.map((node) => [node.uuid, node]));
      await sleep(PERIOD_MS);
    }
  }
}
