import type { Command } from '@lib/contracts';
import { Refusal, decide } from '@lib/domain';
import type { NodeEvent, NodeStream } from '@lib/domain';
import type { EventMeta } from '@lib/ports';
import type { HandlerDeps } from '../handle-command/deps';

type RecordHeartbeat = Extract<Command, { type: 'RecordHeartbeat' }>;
type Deps = Pick<HandlerDeps, 'commits' | 'clock' | 'options' | 'certificates'>;

/** A sign of life (contract: other-resources.md §4). Most are accepted and leave nothing. */
export async function recordHeartbeat(command: RecordHeartbeat, meta: EventMeta, deps: Deps): Promise<void> {
  const { callbackUrl, tokenDigest, agentVersion, agentStatus, agentStatusMessage, requireTls, uuid } = command;
  const { commits, clock, options, certificates } = deps;
  const agentVerifyCa = command.agentVerifyCa === null ? null : certificates.pathOf(uuid);
  const told = { callbackUrl, tokenDigest, agentVersion, agentStatus, agentStatusMessage, agentVerifyCa, requireTls };
  await commits.commit(uuid, meta, async ({ stream }) => {
    const events = decide({ type: 'Heartbeat', ...told }, stream, {
      now: clock.now(),
      host: options.host,
      policy: options.policy,
    });
    if (agentVerifyCa !== null && isKept(agentVerifyCa, events, stream)) await keepCertificates(command, deps);
    return { events };
  });
}

/** The file is written before the fact that names it; later certificates of the same boot come under the same name. */
const isKept = (path: string, events: readonly NodeEvent[], { node }: NodeStream): boolean =>
  node?.driverInternalInfo['agent_verify_ca'] === path ||
  events.some((event) => 'agent' in event.data && event.data.agent?.verifyCa === path);

async function keepCertificates({ uuid, agentVerifyCa }: RecordHeartbeat, { certificates }: Deps): Promise<void> {
  try {
    await certificates.keep(uuid, agentVerifyCa ?? '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal('UNAVAILABLE', `The certificates of the agent of node ${uuid} cannot be kept: ${reason}`);
  }
}
