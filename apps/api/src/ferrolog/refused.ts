/** /ferrolog/v1/nodes/{ident}/refused: data of ramdisks that was answered with "not found", and its use after all. */
import type { RefusedData } from '@lib/domain';
import { NodeStreams } from '@lib/usecases';
import { notFound } from '../faults';
import { accepted, jsonText, ok, type Answer, type Call, type JsonObject } from '../http';
import { findNode, statesLocation } from '../nodes';
import { isoTime } from '../render';

/** Answer: {"refused": [{id, at, attempt, provision_state, why, bytes, promoted_by}]}, the newest ten, oldest first. */
export async function listRefused(call: Call): Promise<Answer> {
  call.query.only([]);
  return ok({ refused: (await recordsOf(call)).map(told) });
}

/** The record with its data: {..., inventory, plugin_data}. */
export async function showRefused(call: Call): Promise<Answer> {
  call.query.only([]);
  const record = await recordIn(call);
  const [inventory, pluginData] = await Promise.all([
    textOf(call, record.payload.inventory),
    textOf(call, record.payload.pluginData),
  ]);
  // The blobs are JSON texts, and go out as they are.
  const head = JSON.stringify(told(record)).slice(0, -1);
  return jsonText(200, `${head},"inventory":${inventory},"plugin_data":${pluginData}}`);
}

/** 202: a new attempt works on it. 409 where no inspection may start, 400 with an interface that takes no data. */
export async function promoteRefused(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  const { n: record } = await recordIn(call);
  await call.services.commands.send({ type: 'PromoteRefused', uuid, record }, call.requestId);
  return accepted(statesLocation(call));
}

/** From the log, where they are. */
async function recordsOf(call: Call): Promise<readonly RefusedData[]> {
  const { uuid } = await findNode(call);
  const { stream } = await new NodeStreams(call.services.reader, 1).load(uuid, false);
  return stream.node?.refused ?? [];
}

async function recordIn(call: Call): Promise<RefusedData> {
  const asked = call.params['id'] ?? '';
  const record = (await recordsOf(call)).find(({ n }) => String(n) === asked);
  if (!record) throw notFound(`Node ${call.params['ident']} has no refused data ${asked}.`);
  return record;
}

const told = ({ n, at, attempt, state, why, bytes, promotedBy }: RefusedData): JsonObject => ({
  id: n,
  at: isoTime(at),
  attempt,
  provision_state: state,
  why,
  bytes,
  promoted_by: promotedBy,
});

async function textOf(call: Call, hash: string): Promise<string> {
  const bytes = await call.services.readModel.readBlob(hash);
  if (!bytes) throw new Error(`The log names a blob that is not stored: ${hash}`);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
