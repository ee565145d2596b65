import type { IntrospectionStatus } from '@lib/contracts';
import { inspectFacts } from '@lib/domain';
import type { Call, InspectInterface, Logger, Machine } from '@lib/ports';
import { ask, askPatiently, reasonIn } from './inspector-calls';
import type { InspectorPeer } from './inspector-calls';
import { lookupBmcAddresses } from './lookup-bmc-addresses';
import type { ResolveHost } from './lookup-bmc-addresses';
import { report } from './report';

export interface InspectorInterfaceDeps extends InspectorPeer {
  /** `[inspector] require_managed_boot`; unset means false for this interface (contract: inspection.md §4.1). */
  readonly requireManagedBoot: boolean | null;
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
    const { status, body } = await ask('status', { node: uuid }, deps, signal);
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
  // No boot interface that ships boots the ramdisk: the inspector manages boot and power of every node.
  const validate = ({ bootInterface }: Machine): string | null =>
    requireManagedBoot === true
      ? `Driver ${bootInterface} does not support managed boot for inspection, which [inspector] require_managed_boot asks for.`
      : null;

  return {
    facts: inspectFacts('inspector'),
    validate,
    async inspect(machine) {
      const problem = validate(machine);
      if (problem !== null) throw new Error(problem);
      const addresses = await lookupBmcAddresses(machine.driverInfo, machine.uuid, deps);
      return { returned: 'INSPECTWAIT', manageBoot: false, lookupBmcAddresses: addresses };
    },
    /** `manageBoot` is asked of the inspector: it boots the ramdisk exactly when the conductor does not. */
    async startIntrospection({ uuid, attempt }, { manageBoot }, call) {
      const reply = await askPatiently('start', { node: uuid, manageBoot, attempt: attempt ?? undefined }, deps, call);
      if (reply !== 'done before' && reply.status !== 202) throw new Error(reasonIn(reply));
    },
    async abort({ uuid }, call) {
      const reply = await askPatiently('abort', { node: uuid }, deps, call, () => isAborting(uuid, deps, call));
      if (reply !== 'done before' && !abortTaken.has(reply.status)) throw new Error(reasonIn(reply));
    },
    report: (uuid, { signal }) => report(uuid, deps, logger, signal),
  };
}
