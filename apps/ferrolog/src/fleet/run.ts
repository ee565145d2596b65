import { ApiFault, type BareMetal } from '../bare-metal';
import { driveNode, settle } from '../driving';
import type { FleetNode } from './plan';

/** What became of one node of the fleet. */
export interface FleetResult {
  readonly node: FleetNode;
  readonly uuid: string | null;
  /** From its creation to the ending. */
  readonly tookMs: number;
  /** Empty: as scripted. */
  readonly differences: readonly string[];
}

export interface FleetOptions {
  readonly concurrency: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onResult: (result: FleetResult) => void;
}

const POLL_MS = 500;
const GRACE_MS = 15_000;

/** Drives all nodes, `concurrency` at a time. Rejects only with the signal's reason; a node's trouble is its result. */
export async function runFleet(
  api: BareMetal,
  nodes: readonly FleetNode[],
  options: FleetOptions,
): Promise<FleetResult[]> {
  const results: FleetResult[] = [];
  const queue = nodes.values();
  const worker = async (): Promise<void> => {
    for (const node of queue) {
      const result = await runNode(api, node, options);
      results.push(result);
      options.onResult(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, nodes.length) }, worker));
  return results;
}

async function runNode(api: BareMetal, node: FleetNode, { patienceMs, signal }: FleetOptions): Promise<FleetResult> {
  const since = performance.now();
  let uuid: string | null = null;
  const took = (): number => performance.now() - since;
  try {
    const order = { body: node.body, ports: node.ports, abortMs: null, patienceMs };
    const onCreated = (created: { uuid: string }): void => void (uuid = created.uuid);
    const ended = await driveNode(api, order, { signal, pollMs: POLL_MS, onCreated });
    const tookMs = took();
    const { differences } = await settle(api, ended.uuid, node.expected, GRACE_MS, signal);
    return { node, uuid, tookMs, differences };
  } catch (error) {
    signal.throwIfAborted();
    const text =
      error instanceof ApiFault ? `refused: ${error.message}` : error instanceof Error ? error.message : String(error);
    return { node, uuid, tookMs: took(), differences: [text] };
  }
}

/** Removes what was created; returns sentences about what stays. */
export async function removeFleet(api: BareMetal, uuids: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  for (const uuid of uuids) {
    try {
      await api.remove(uuid).catch(async (error: unknown) => {
        if (!(error instanceof ApiFault) || error.status === 404) throw error;
        // One that has not ended can go in maintenance alone.
        await api.setMaintenance(uuid);
        await api.remove(uuid);
      });
    } catch (error) {
      if (error instanceof ApiFault && error.status === 404) continue;
      left.push(`${uuid} stays: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return left;
}
