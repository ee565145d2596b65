import { nextState } from '../states';
import type { ProvisionState } from '../states';
import type { Effect } from './effects';
import { enter } from './enter';
import type { At, CleanUp } from './events';
import { agentForgotten, dateTime, seenMachine, without } from './evolve-machine';
import { settlePower } from './evolve-power';
import { impossible } from './impossible';
import type { InspectionEvent } from './inspection-events';
import { closed, intentEnded, opened } from './open-effects';
import { postedIn } from './posted';
import { isOfMachine } from './state';
import type { Deadline, Node, OpenAttempt, RefusedData } from './state';

const BOOT_MARK = 'inspector_manage_boot';

/**
 * Every ending of an attempt: its deadlines go, its open effects stay until the worker finds that they no longer stand.
 * What is asked of the machine itself is nobody's attempt: it keeps the node until its own outcome.
 */
function endAttempt(node: Node, state: ProvisionState, at: At, cleanUp: CleanUp, keepsAgent = false): Node {
  const other = node.intent && isOfMachine(node.intent) ? node.intent : null;
  const ended: Node = {
    ...enter(node, state, at),
    inspection: null,
    intent: other,
    reservation: other ? node.reservation : null,
    deadlines: node.deadlines.filter(({ effect }) => other !== null && effect === other.effect),
    driverInternalInfo: without(node.driverInternalInfo, 'lookup_bmc_addresses'),
  };
  return settlePower(opened(keepsAgent ? ended : agentForgotten(ended), ...cleanUp));
}

/**
 * The mark of who manages boot goes with every ending but the inspector's own abort and timeout while it is false:
 * there nothing was torn down (contract: inspection.md §4.4).
 */
const marksToDrop = ({ inspection }: Node): readonly string[] =>
  inspection?.interface === 'inspector' && inspection.manageBoot !== true ? [] : [BOOT_MARK];

function endInWait(node: Node, at: At, cleanUp: CleanUp, lastError: string): Node {
  const ended = endAttempt(node, 'inspect failed', at, cleanUp);
  return { ...ended, lastError, driverInternalInfo: without(ended.driverInternalInfo, ...marksToDrop(node)) };
}

/** So many are shown; those before them stay in the log. */
const REFUSED_MAX = 10;

const refusedBy = (data: Extract<InspectionEvent, { type: 'InspectionDataRefused' }>['data']): RefusedData => {
  const { record: n, at, attempt, state, why, payload, bytes } = data;
  return { n, at, attempt, state, why, payload, bytes, promotedBy: null };
};

const promotedIn = (node: Node, record: number | undefined, attempt: number): Node => ({
  ...node,
  refused: node.refused.map((one) => (one.n === record ? { ...one, promotedBy: attempt } : one)),
});

const forwardedOnce = ({ task }: Effect, { forwards = 0 }: OpenAttempt): Pick<OpenAttempt, 'forwards'> =>
  task.kind === 'forward inspection data' ? { forwards: forwards + 1 } : {};

/** Folds the life of an attempt into its node. */
export function evolveInspection(node: Node, event: InspectionEvent): Node {
  switch (event.type) {
    case 'InspectionStarted': {
      const { at, attempt, timeoutSeconds, effect, host, managedBoot, retry } = event.data;
      const { promotes, reprocesses } = event.data;
      const usesData = promotes !== undefined || reprocesses !== undefined;
      const entered = enter(node, 'inspecting', at);
      return {
        ...opened(usesData ? promotedIn(entered, promotes, attempt) : agentForgotten(entered), effect),
        posted: postedIn(effect, reprocesses ?? attempt) ?? node.posted,
        lastError: null,
        reservation: { host, effect: effect.n },
        inspection: {
          attempt,
          interface: event.data.interface,
          timeoutSeconds,
          begunAt: at,
          startedAt: at,
          manageBoot: managedBoot === undefined ? null : true,
          bootInterface: managedBoot ?? null,
          waited: false,
          contact: null,
          ...(usesData ? { usesData: true } : {}),
          ...(retry === undefined ? {} : { retry: retry.number }),
        },
      };
    }
    case 'InspectionDataRefused':
      return { ...node, refused: [...node.refused, refusedBy(event.data)].slice(-REFUSED_MAX) };
    case 'InspectionWaiting': {
      const { at, attempt, effect, deadline, manageBoot, lookupBmcAddresses, next, machine } = event.data;
      const seen = seenMachine(node, at, machine);
      if (!node.inspection || !nextState(node.provisionState, 'wait')) return impossible(event);
      const waiting: Node = {
        ...closed(enter(seen, 'inspect wait', at), effect),
        reservation: null,
        inspection: { ...node.inspection, manageBoot, waited: true },
        driverInternalInfo: {
          ...without(seen.driverInternalInfo, 'lookup_bmc_addresses'),
          ...(manageBoot === null ? {} : { [BOOT_MARK]: manageBoot }),
          ...(lookupBmcAddresses.length === 0 ? {} : { lookup_bmc_addresses: lookupBmcAddresses }),
        },
        deadlines: deadline ? [{ ...deadline, attempt, purpose: 'inspect wait', effect: null }] : [],
      };
      return next ? opened(waiting, next) : waiting;
    }
    case 'InspectionResumed': {
      const { at, effect, host, tokenDigest } = event.data;
      if (!node.inspection) return impossible(event);
      return {
        ...opened(enter(node, 'inspecting', at), effect),
        posted: postedIn(effect, effect.attempt ?? 0) ?? node.posted,
        lastError: null,
        deadlines: [],
        reservation: { host, effect: effect.n },
        inspection: { ...node.inspection, startedAt: at, ...forwardedOnce(effect, node.inspection) },
        agentTokenDigest: tokenDigest ?? node.agentTokenDigest,
        driverInternalInfo: { ...node.driverInternalInfo, agent_last_heartbeat: dateTime(at) },
      };
    }
    case 'InspectionCleanUpStarted': {
      const { attempt, effect, next, inventory, host, problems = [] } = event.data;
      return {
        ...settlePower(opened(closed(node, effect), next)),
        reservation: { host, effect: next.n },
        intent: { kind: 'clean up', effect: next.n, attempt, inventory, problems },
      };
    }
    case 'InspectionFinished': {
      const { at, effect, inventory, cleanUp, keepsAgent } = event.data;
      if (!node.inspection) return impossible(event);
      const ended = endAttempt(closed(node, effect), 'manageable', at, cleanUp, keepsAgent);
      return {
        ...ended,
        inventory: inventory ?? node.inventory,
        driverInternalInfo: without(ended.driverInternalInfo, BOOT_MARK),
      };
    }
    case 'InspectionFailed': {
      const { at, effect, error, cleanUp, machine, inventory } = event.data;
      if (!node.inspection) return impossible(event);
      const ended = endAttempt(closed(seenMachine(node, at, machine), effect), 'inspect failed', at, cleanUp);
      const unmarked = { ...ended, driverInternalInfo: without(ended.driverInternalInfo, BOOT_MARK) };
      return { ...unmarked, lastError: error, inventory: inventory ?? node.inventory };
    }
    case 'InspectionTimedOut': {
      const { at, error, cleanUp } = event.data;
      if (!node.inspection) return impossible(event);
      return endInWait(node, at, cleanUp, error);
    }
    case 'InspectionAbortRequested': {
      const { attempt, effect, giveUp, host, reason } = event.data;
      const deadline: Deadline = { ...giveUp, attempt, purpose: 'give up', effect: effect.n };
      return {
        ...opened(node, effect),
        reservation: { host, effect: effect.n },
        intent: { kind: 'abort', effect: effect.n, attempt, ...(reason === undefined ? {} : { reason }) },
        deadlines: [...node.deadlines, deadline],
      };
    }
    case 'InspectionAbortRefused':
      return { ...intentEnded(node, event.data.effect), lastError: event.data.error };
    case 'InspectionAborted': {
      const { at, effect, error, cleanUp } = event.data;
      if (!node.inspection) return impossible(event);
      return endInWait(closed(node, effect), at, cleanUp, error);
    }
    case 'InspectionRetryPlanned': {
      const { attempt, deadline, retry, error } = event.data;
      const waits: Deadline = { ...deadline, attempt, purpose: 'retry', effect: null, retry };
      return { ...node, lastError: error, deadlines: [...node.deadlines, waits] };
    }
    case 'InspectionRemoved':
      return { ...node, inspection: null, intent: null, deadlines: [] };
  }
}
