import { macOf, sleep } from '../stack';
import type { Board } from './board';
import type { CarefulClient } from './careful-client';
import type { Asked } from './journal';
import type { PlannedNode } from './plan';

export interface Machine {
  readonly uuid: string;
  readonly portUuid: string;
  readonly name: string;
  readonly resourceClass: string;
  /** Of its address; no other machine of the site has it. */
  readonly macNumber: number;
}

const MANAGEABLE_MS = 120_000;

const scriptOf = ({ fate, ramdiskAfterS }: PlannedNode): object => {
  if (fate === 'finish') return { script: 'succeed', after: ramdiskAfterS };
  if (fate === 'fail') return { script: 'error', after: ramdiskAfterS, message: 'no disks here' };
  return { script: 'never' };
};

/** What a client does with one machine, from its creation to the last request; the end of its inspection is not waited for. */
export const live = async (plan: PlannedNode, machine: Machine, client: CarefulClient, board: Board): Promise<void> => {
  const { uuid } = machine;
  const ask = (asked: Asked, method: string, path: string, body?: unknown) =>
    client.ask({ node: uuid, asked, method, path, ...(body === undefined ? {} : { body }) });
  const provision = (asked: 'manage' | 'inspect' | 'abort') =>
    ask(asked, 'PUT', `/v1/nodes/${uuid}/states/provision`, { target: asked });

  await sleep(plan.startMs);
  await ask('create', 'POST', '/v1/nodes', {
    uuid,
    name: machine.name,
    driver: 'fake-hardware',
    resource_class: machine.resourceClass,
    inspect_interface: plan.inspectInterface,
    driver_info: { inspect_wait_timeout: plan.timeoutS },
    extra: { simulator: scriptOf(plan) },
  });
  await ask('port', 'POST', '/v1/ports', {
    uuid: machine.portUuid,
    node_uuid: uuid,
    address: macOf(machine.macNumber),
  });
  await provision('manage');
  const isManageable = await board.wait(uuid, (node) => node.provision_state === 'manageable', MANAGEABLE_MS);
  if (!isManageable) return;
  await provision('inspect');
  if (plan.fate === 'abort') {
    await sleep(plan.actAfterMs);
    await provision('abort');
  } else if (plan.fate === 'delete') {
    await sleep(plan.actAfterMs);
    await ask('maintenance', 'PUT', `/v1/nodes/${uuid}/maintenance`, { reason: 'to be removed' });
    await ask('delete', 'DELETE', `/v1/nodes/${uuid}`);
  }
};
