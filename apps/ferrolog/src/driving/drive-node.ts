import { setTimeout as pause } from 'node:timers/promises';
import { ApiFault, type BareMetal, type ShownNode } from '../bare-metal';
import { hasEnded } from '../endings';

/** A node to enroll and to inspect. */
export interface NodeOrder {
  /** Body of POST /v1/nodes. */
  readonly body: object;
  /** Bodies of POST /v1/ports; the node is filled in. */
  readonly ports: readonly object[];
  /** Aborted so long after its machine was first seen running and waited for; null: never. */
  readonly abortMs: number | null;
  /** The inspection must have ended so long after it was asked for. */
  readonly patienceMs: number;
}

export interface DriveOptions {
  readonly signal: AbortSignal;
  readonly pollMs: number;
  /** The node exists. */
  readonly onCreated?: (node: ShownNode) => void;
  /** Every look at it. */
  readonly onSeen?: (node: ShownNode) => void | Promise<void>;
  /** Somebody aborted it; the status of the answer. */
  readonly onAbort?: (status: number) => void;
}

const MANAGE_PATIENCE_MS = 120_000;

/**
 * Enrolls a node, manages and inspects it, and watches until the inspection has ended. Only the standard API.
 * @throws ApiFault for a refused step; Error when it does not end; what the signal throws
 */
export async function driveNode(api: BareMetal, order: NodeOrder, options: DriveOptions): Promise<ShownNode> {
  const node = await api.createNode(order.body);
  options.onCreated?.(node);
  for (const port of order.ports) await api.createPort({ ...port, node_uuid: node.uuid });
  await api.provision(node.uuid, 'manage');
  const managed = await watch(api, node.uuid, MANAGE_PATIENCE_MS, options, verified);
  if (managed.provision_state !== 'manageable') {
    throw new Error(`could not be managed: ${managed.last_error ?? managed.provision_state}`);
  }
  await api.provision(node.uuid, 'inspect');
  const abort = aborter(api, node.uuid, order.abortMs, options);
  return watch(api, node.uuid, order.patienceMs, options, async (seen) => {
    await abort(seen);
    return hasEnded(seen);
  });
}

const verified = ({ provision_state: state, target_provision_state: target }: ShownNode): boolean =>
  state === 'manageable' || (state === 'enroll' && target === null);

async function watch(
  api: BareMetal,
  uuid: string,
  patienceMs: number,
  { signal, pollMs, onSeen }: DriveOptions,
  isOver: (node: ShownNode) => boolean | Promise<boolean>,
): Promise<ShownNode> {
  const since = performance.now();
  for (;;) {
    const node = await api.node(uuid);
    await onSeen?.(node);
    if (await isOver(node)) return node;
    if (performance.now() - since > patienceMs) {
      throw new Error(`is still ${node.provision_state} after ${Math.round(patienceMs / 1000)} s`);
    }
    await pause(pollMs, undefined, { signal });
  }
}

/** Asks for the abort once, when it is time; a refusal is an answer, too. */
function aborter(api: BareMetal, uuid: string, abortMs: number | null, { onAbort }: DriveOptions) {
  let waitingSince: number | null = null;
  let asked = abortMs === null;
  return async ({ provision_state: state, power_state: power }: ShownNode): Promise<void> => {
    // Before the machine runs, the inspector is still busy with the start, and refuses.
    if (asked || state !== 'inspect wait' || power !== 'power on') return;
    waitingSince ??= performance.now();
    if (performance.now() - waitingSince < (abortMs ?? 0)) return;
    asked = true;
    try {
      await api.provision(uuid, 'abort');
      onAbort?.(202);
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      onAbort?.(error.status);
    }
  };
}
