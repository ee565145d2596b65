import type { IntrospectionStatus } from '@lib/contracts';
import { inspectFacts } from '@lib/domain';
import type { Call, InspectInterface, Logger, Machine } from '@lib/ports';
import { askPatiently, reasonIn } from './inspector-calls';
import type { InspectorPeer } from './inspector-calls';
import { lookupBmcAddresses } from './lookup-bmc-addresses';
import { bootManaged, bootProblem, managesBoot, ramdiskParameters, startStep } from '../boot-ramdisk';
import type { BootVerdictDeps, MachineInterfaces, RamdiskSettings } from '../boot-ramdisk';
import { callbackOf } from './callback-endpoint';
import { AnswerLost } from './inspector-transport';
import type { ResolveHost } from './lookup-bmc-addresses';
import { isFailed, isFed, ownRun } from './own-run';
import { report } from './report';

export interface InspectorInterfaceDeps extends InspectorPeer, MachineInterfaces, Pick<BootVerdictDeps, 'network'> {
  /** `[inspector] require_managed_boot`; unset means false for this interface (contract: inspection.md §4.1). */
  readonly requireManagedBoot: boolean | null;
  readonly ramdisk: RamdiskSettings;
  /** `[inspector] callback_endpoint_override`, else the inspector's own address: what its ramdisks post to. */
  readonly callbackEndpoint: string;
  readonly resolveHost: ResolveHost;
  readonly logger: Logger;
}

/** Statuses with which the inspector takes an abort; one that does not know the node has nothing to end. */
const abortTaken: ReadonlySet<number> = new Set([202, 404]);

/**
 * An inspector that is aborting holds its lock until the machine is off. It took an abort before: that of a conductor that
 * did not live to record the answer.
 */
async function isAborting(uuid: string, deps: InspectorInterfaceDeps, { signal }: Call): Promise<boolean> {
  try {
    const { status, body } = await deps.transport.ask('status', { node: uuid }, signal);
    return status === 200 && (body as Partial<IntrospectionStatus> | null)?.state === 'aborting';
  } catch {
    return false;
  }
}

/**
 * The inspect interface `inspector`: an ironic-inspector, real or simulated, inspects and is asked how far it is
 * (contract: inspection.md §4, §5, §9.5; inspector-api.md §5).
 */
export function inspectorInterface(deps: InspectorInterfaceDeps): InspectInterface {
  const { requireManagedBoot, logger } = deps;
  const required: BootVerdictDeps = {
    boot: (name) => deps.boot(name),
    network: (name) => deps.network(name),
    required: requireManagedBoot === true,
  };
  const validate = (machine: Machine): string | null => bootProblem(machine, required);
  /** Null: it took the start. Else its refusal, or why nobody knows. */
  const startProblem = async ({ uuid, attempt }: Machine, manageBoot: boolean, call: Call): Promise<string | null> => {
    try {
      const reply = await askPatiently('start', { node: uuid, manageBoot, attempt: attempt ?? undefined }, deps, call);
      return reply === 'done before' || reply.status === 202 ? null : reasonIn(reply);
    } catch (error) {
      if (error instanceof AnswerLost) return error.message;
      throw error;
    }
  };
  /** `manageBoot` is asked of the inspector: it boots the ramdisk exactly when the conductor does not. */
  const startIntrospection = async (
    machine: Machine,
    { manageBoot }: { readonly manageBoot: boolean },
    call: Call,
  ): Promise<void> => {
    // A second start would boot the machine again, and drop the data that it may have posted already.
    if (call.isRepeated && (await ownRun(machine, deps.transport, call))) return;
    const problem = await startProblem(machine, manageBoot, call);
    if (problem === null) return;
    // An inspector that begins or ends a run takes no other start; where that run is ours it has taken this one.
    const run = await ownRun(machine, deps.transport, call);
    if (run === null || isFailed(run)) throw new Error(problem);
    logger.warn({ node: machine.uuid, reason: problem }, 'the inspector has taken a start that it did not answer so');
  };
  /**
   * The inspector is told once the boot is prepared, before the machine is on (contract: inspection.md §4.2). Where the ramdisk
   * posts to.
   */
  const bootAndTell = async (machine: Machine, managedBoot: string, call: Call): Promise<string> => {
    const url = await startStep(async () => callbackOf(deps.callbackEndpoint));
    const parameters = ramdiskParameters(machine, url, deps.ramdisk);
    const tell = (): Promise<void> => startIntrospection(machine, { manageBoot: false }, call);
    await bootManaged(machine, deps.boot(managedBoot), parameters, deps, call, tell);
    return url;
  };

  return {
    facts: inspectFacts('inspector'),
    validate,
    managesBoot: (machine) => managesBoot(machine, required),
    async inspect(machine, call) {
      const problem = validate(machine);
      if (problem !== null) throw new Error(problem);
      const addresses = await lookupBmcAddresses(machine.driverInfo, machine.uuid, deps);
      const { managedBoot } = machine;
      const waits = { returned: 'INSPECTWAIT', manageBoot: managedBoot !== null, lookupBmcAddresses: addresses };
      return managedBoot === null ? waits : { ...waits, callbackUrl: await bootAndTell(machine, managedBoot, call) };
    },
    startIntrospection,
    async forward(machine, data, call) {
      const { uuid } = machine;
      try {
        const reply = await askPatiently('continue', { node: uuid, data }, deps, call);
        // What it made of the data is in its own status, which is asked for anyway (contract: inspector-api.md §5).
        if (reply !== 'done before' && reply.status >= 400) {
          logger.warn(
            { node: uuid, status: reply.status, reason: reasonIn(reply) },
            'the inspector refused posted data',
          );
        }
      } catch (error) {
        // It answers only when hooks and rules are through, which may take longer than a call.
        if (!(error instanceof AnswerLost)) throw error;
        const run = await ownRun(machine, deps.transport, call);
        if (run === null || !isFed(run)) throw error;
        const reason = error.message;
        logger.warn({ node: uuid, reason }, 'the inspector has taken posted data that it did not answer');
      }
    },
    async abort({ uuid }, call) {
      const reply = await askPatiently('abort', { node: uuid }, deps, call, () => isAborting(uuid, deps, call));
      if (reply !== 'done before' && !abortTaken.has(reply.status)) throw new Error(reasonIn(reply));
    },
    report: (uuid, { signal }) => report(uuid, deps.transport, logger, signal),
  };
}
