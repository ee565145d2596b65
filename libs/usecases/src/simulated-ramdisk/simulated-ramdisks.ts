import { asWished, bootedWith, factsFor, hashOf, payloadFor } from '@lib/domain/introspection';
import type { BootedWith, InventoryTemplate, MachineFacts } from '@lib/domain/introspection';
import type { Chance, Clock, Instant, Logger } from '@lib/ports';
import { type DocumentShelf, KeptDocuments } from '../simulated-inspector';
import { Agent } from './agent';
import type { RamdiskHost, WaitingNode } from './host';
import { Looks } from './looks';
import { Pauses, Stopped } from './pauses';
import { ramdiskScriptOf } from './ramdisk-script';
import type { RamdiskScript, RamdiskScriptName } from './ramdisk-script';

export interface SimulatedRamdisksParts {
  readonly host: RamdiskHost;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly logger: Logger;
  readonly inventories: readonly InventoryTemplate[];
  /** How often it is looked for machines that have booted, and for inspections that are over. */
  readonly pollMs: number;
  /** Absent: a restart boots the machines that wait again. */
  readonly memory?: RamdiskMemory;
}

/** A boot that was seen. */
interface SeenBoot {
  readonly node: WaitingNode;
  readonly at: Instant;
  /** Its script has been played to the end. */
  readonly done: boolean;
}

/** What was known of the machines when the process ended, and where it goes on being kept. */
export interface RamdiskMemory {
  readonly boots: readonly SeenBoot[];
  readonly shelf: DocumentShelf;
}

const PREFIX = 'ramdisk/';

/** The documents of a shelf as boots that were seen; other documents are somebody else's. */
export const ramdiskMemoryFrom = (documents: ReadonlyMap<string, unknown>, shelf: DocumentShelf): RamdiskMemory => ({
  boots: [...documents].filter(([name]) => name.startsWith(PREFIX)).map(([, boot]) => boot as SeenBoot),
  shelf,
});

/** The agent's pauses before it posts once more after 409, 5xx or silence (contract: ramdisk.md §3). */
const RETRY_PAUSES_MS = [5000, 5000, 6000, 12_000];
const BEAT_MS = 5000;
const underInspection: readonly string[] = ['inspecting', 'inspect wait'];

/** A machine whose ramdisk runs. `booted` null: from outside, with everything at hand. */
interface Running extends MachineFacts {
  readonly boot: string;
  readonly booted: BootedWith | null;
}

/** These post whatever became of their machine: that is what they are for. */
const posthumous: readonly RamdiskScriptName[] = ['late', 'after-abort', 'twice'];

/** Finds machines that have booted and plays their ramdisks. */
export class SimulatedRamdisks {
  /** Boot of each node that was seen last, so that no boot is played twice. */
  private readonly seen = new Map<string, SeenBoot>();
  private readonly kept: KeptDocuments;
  private readonly pauses: Pauses;
  /** Between two looks for machines; cut short where somebody says that there may be one. */
  private readonly looks: Looks;
  private readonly playing = new Set<Promise<void>>();

  constructor(private readonly parts: SimulatedRamdisksParts) {
    const { memory, logger, clock, pollMs } = parts;
    this.pauses = new Pauses(clock);
    this.looks = new Looks(clock, pollMs);
    this.kept = new KeptDocuments(memory?.shelf ?? null, logger);
    for (const boot of memory?.boots ?? []) this.seen.set(boot.node.uuid, boot);
  }

  start(): void {
    for (const boot of this.seen.values()) if (!boot.done) this.playOut(boot);
    this.run('the machines', () => this.watch());
  }

  /** A machine may have booted: it is looked at once, unless it was a moment ago. */
  wake(): void {
    this.looks.wake();
  }

  /** Resolves when nothing is played any more. */
  async stop(): Promise<void> {
    this.pauses.stop();
    this.looks.stop();
    await Promise.all(this.playing);
    await this.kept.settled();
  }

  private async watch(): Promise<void> {
    for (;;) {
      for (const node of await this.waiting()) this.boot(node);
      await this.looks.next();
    }
  }

  /** None while the API does not answer: it is looked for again. */
  private async waiting(): Promise<readonly WaitingNode[]> {
    try {
      return await this.parts.host.waiting();
    } catch (error) {
      this.parts.logger.debug({ reason: String(error) }, 'which machines have booted can not be seen now');
      return [];
    }
  }

  private boot(node: WaitingNode): void {
    if (this.seen.get(node.uuid)?.node.boot === node.boot) return;
    const boot = { node, at: this.parts.clock.now(), done: false };
    this.remember(boot);
    this.playOut(boot);
  }

  private remember(boot: SeenBoot): void {
    const { uuid } = boot.node;
    this.seen.set(uuid, boot);
    this.kept.touch(`${PREFIX}${uuid}`, () => this.seen.get(uuid));
  }

  /** One that was seen by an earlier process goes on from where it is by now. */
  private playOut(boot: SeenBoot): void {
    const { node, at } = boot;
    this.run(node.uuid, async () => {
      const script = ramdiskScriptOf(node.extra);
      if (!script || script.name === 'never') return;
      const running = await this.loaded({ ...node, macs: await this.parts.host.macsOf(node.uuid) });
      const leftMs = Math.max(0, at + script.afterMs - this.parts.clock.now());
      if (running) await this.play(running, { ...script, afterMs: leftMs });
      if (this.seen.get(node.uuid) === boot) this.remember({ ...boot, done: true });
    });
  }

  /** A machine that we boot runs with what its boot file says, and runs nothing without one. */
  private async loaded(node: WaitingNode & MachineFacts): Promise<Running | null> {
    if (node.managedBoot === null) return { ...node, booted: null };
    const text = await this.parts.host.bootFile(node.managedBoot, node.macs);
    const booted = text === null ? null : bootedWith(text);
    if (booted === null) this.parts.logger.warn({ node: node.uuid }, 'a machine found nothing to boot');
    return booted && { ...node, booted, bootif: booted.bootif, collectors: booted.collectors };
  }

  private run(node: string, job: () => Promise<void>): void {
    const done: Promise<void> = job()
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.parts.logger.warn({ node, reason: String(error) }, 'a ramdisk is gone');
      })
      .finally(() => this.playing.delete(done));
    this.playing.add(done);
  }

  private async play(node: Running, script: RamdiskScript): Promise<void> {
    const { name, afterMs } = script;
    const agent = this.agentOf(node);
    if (name === 'crash') return agent?.introduce();
    if (name === 'slow') {
      await agent?.introduce();
      for (let leftMs = afterMs; leftMs > 0; leftMs -= BEAT_MS) {
        await this.pauses.pause(Math.min(BEAT_MS, leftMs));
        await agent?.beat();
      }
    } else {
      await this.pauses.pause(afterMs);
      if (name === 'late') await this.until(node, (state) => !underInspection.includes(state));
      else if (name === 'after-abort') await this.until(node, (state) => state === 'inspect failed');
      else if (agent && (await this.isRunning(node))) {
        await agent.introduce();
        this.run(node.uuid, () => agent.live(() => this.seen.get(node.uuid)?.node.boot === node.boot));
      }
    }
    await this.post(node, script);
    if (name === 'twice') await this.post(node, script);
  }

  /** Null: it was not told where the API is, so it neither looks up nor beats. */
  private agentOf({ uuid, macs, booted }: Running): Agent | null {
    if (booted && booted.apiUrl === null) return null;
    const api = booted?.apiUrl ?? null;
    const parts = { ...this.parts, pauses: this.pauses };
    return new Agent(parts, { uuid, macs, api, ownToken: booted?.agentToken ?? null });
  }

  private isRunning({ uuid }: MachineFacts): Promise<boolean> {
    return this.parts.host.isRunning(uuid).catch(() => true);
  }

  private bodyOf(node: MachineFacts, script: RamdiskScript): string {
    const { inventories } = this.parts;
    const template =
      inventories.find(({ name }) => name === script.inventory) ??
      inventories[hashOf(node.uuid) % Math.max(1, inventories.length)];
    const facts = factsFor(script.body, node);
    const payload = asWished(script.body, payloadFor(template ?? { name: 'empty', payload: {} }, facts));
    const failed = script.name === 'error' || script.name === 'ramdisk-error';
    const text = JSON.stringify(failed ? { ...payload, error: script.message } : payload);
    return script.name === 'malformed' ? text.slice(0, text.length / 2) : text;
  }

  private async post(node: Running, script: RamdiskScript): Promise<void> {
    const { uuid, booted } = node;
    const body = this.bodyOf(node, script);
    for (const pauseMs of [...RETRY_PAUSES_MS, null]) {
      // A machine that was powered off meanwhile posts no more.
      if (!posthumous.includes(script.name) && !(await this.isRunning(node))) return;
      const status = await this.postOnce(booted ? booted.callbackUrls : [null], body, script.body.overMs);
      this.parts.logger.info({ node: uuid, status }, 'a ramdisk has posted');
      if (status === 'timed out' || (status !== null && status !== 409 && status < 500)) return;
      if (pauseMs !== null) await this.pauses.pause(pauseMs);
    }
  }

  /** To the first address that answers; null when none does. */
  private async postOnce(
    urls: readonly (string | null)[],
    body: string,
    overMs: number,
  ): Promise<number | 'timed out' | null> {
    for (const url of urls) {
      const status = await this.parts.host.post(body, url, overMs).catch(() => null);
      if (status !== null) return status;
    }
    return null;
  }

  private async until({ uuid }: MachineFacts, reached: (state: string) => boolean): Promise<void> {
    for (;;) {
      const state = await this.parts.host.stateOf(uuid).catch(() => 'inspect wait');
      if (state === null || reached(state)) return;
      await this.pauses.pause(this.parts.pollMs);
    }
  }
}
