/** /ferrolog/v1/nodes/{ident}/inventory/reprocess: hooks and rules once more over what was posted. */
import { accepted, type Answer, type Call } from '../http';
import { findNode, statesLocation } from '../nodes';

/**
 * 202: a new attempt works on what the node's last ramdisk posted. 404 where none has, 409 where no inspection may start, 400 with
 * an interface that takes no data.
 */
export async function reprocessData(call: Call): Promise<Answer> {
  call.query.only([]);
  const { uuid } = await findNode(call);
  await call.services.commands.send({ type: 'ReprocessData', uuid }, call.requestId);
  return accepted(statesLocation(call));
}
