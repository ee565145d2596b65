import { tokenDigest } from '@lib/adapters/agent-token';
import { heartbeatArguments } from '@lib/contracts';
import { badRequest } from '../faults';
import { accepted, mandatoryText, namedArguments, type Answer, type Call } from '../http';
import { findNode } from '../nodes';
import { checkHost } from '../nodes/checks';
import { checkEnabled, checkVersion } from './gate';

const statuses: readonly string[] = ['start', 'end', 'error'];

/** POST /v1/heartbeat/{ident}: the conductor judges token and address. */
export async function heartbeat(call: Call): Promise<Answer> {
  checkEnabled(call);
  checkVersion(call, '/v1/heartbeat/{ident}');
  const given = argumentsOf(call);
  const callbackUrl = mandatoryText(given, 'callback_url');
  const { uuid, document } = await findNode(call);
  if (callbackUrl !== '' && !/^https?:\/\//i.test(callbackUrl)) {
    throw badRequest(`The callback_url ${callbackUrl} is not an http or https address.`);
  }
  const token = mandatoryText(given, 'agent_token');
  const agentStatus = textOf(given, 'agent_status');
  if (agentStatus !== null && !statuses.includes(agentStatus)) {
    throw badRequest(`The agent_status must be one of ${statuses.join(', ')}, not ${agentStatus}.`);
  }
  await checkHost(call, String(document['driver']), document['conductor_group']);
  const command = {
    type: 'RecordHeartbeat',
    uuid,
    callbackUrl,
    tokenDigest: tokenDigest(token),
    agentVersion: textOf(given, 'agent_version'),
    agentStatus,
    agentStatusMessage: textOf(given, 'agent_status_message'),
    agentVerifyCa: textOf(given, 'agent_verify_ca'),
    requireTls: call.services.settings.agent.require_tls,
  } as const;
  await call.services.commands.send(command, call.requestId);
  return accepted();
}

type Arguments = Readonly<Record<string, unknown>>;

function argumentsOf(call: Call): Arguments {
  const given = namedArguments(call, Object.keys(heartbeatArguments));
  const tooNew = Object.keys(given).find((name) => call.minor < (heartbeatArguments[name] ?? 0));
  if (tooNew !== undefined)
    throw badRequest(`The argument ${tooNew} needs API version 1.${heartbeatArguments[tooNew]}.`);
  for (const name of Object.keys(given)) textOf(given, name);
  return given;
}

function textOf(given: Arguments, name: string): string | null {
  const value = given[name] ?? null;
  if (value !== null && typeof value !== 'string') throw badRequest(`Invalid value for ${name}: a string is expected.`);
  return value;
}
