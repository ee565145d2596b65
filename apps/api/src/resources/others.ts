/** contract: other-resources.md §6 (inspection rules), §9 (chassis), §11-12 (templates, runbooks), §13 (volume) */
import { maskSecrets } from '@lib/domain';
import type { Condition } from '@lib/ports';
import type { Call, JsonObject } from '../http';
import { isObject } from '../http';
import { plainApi } from '../plain';
import { linkPair } from '../render';
import { ofNode } from './node-filters';

export const chassis = plainApi('chassis', {
  // A list in a list: a historical accident of the contract.
  computed: (publicUrl, uuid) => ({ nodes: [linkPair(publicUrl, `chassis/${uuid}/nodes`)] }),
});

export const deployTemplates = plainApi('deploy_template');

export const runbooks = plainApi('runbook', {
  conditions: (call, given) =>
    Promise.resolve(
      given.map((name): Condition => ({ column: 'owner', is: 'equal', value: call.query.single(name) ?? '' })),
    ),
});

const byNode = (call: Call, given: readonly string[]): Promise<Condition[]> =>
  Promise.all(given.map(async (name) => ofNode(call, call.query.single(name) ?? '')));

export const volumeConnectors = plainApi('volume_connector', { conditions: byNode });
export const volumeTargets = plainApi('volume_target', { conditions: byNode });

const shownKeys = (item: unknown, names: readonly string[]): unknown =>
  isObject(item) ? Object.fromEntries(names.filter((name) => name in item).map((name) => [name, item[name]])) : item;

/** What an operator needs to be repeated, and nothing that a client added to it; secrets in arguments are masked. */
const shownConditions = (items: unknown): unknown =>
  Array.isArray(items)
    ? maskSecrets(
        'conditions',
        items.map((item: JsonObject) =>
          shownKeys(item, 'loop' in item ? ['op', 'args', 'loop', 'multiple'] : ['op', 'args']),
        ),
      )
    : items;

const shownActions = (items: unknown): unknown =>
  Array.isArray(items)
    ? maskSecrets(
        'actions',
        items.map((item) => shownKeys(item, ['op', 'args', 'loop'])),
      )
    : items;

export const inspectionRules = plainApi('inspection_rule', {
  // `phase` is taken and filters nothing, since there is one phase.
  conditions: () => Promise.resolve([]),
  put: {
    conditions: (read) => (read('sensitive') === true ? null : shownConditions(read('conditions'))),
    actions: (read) => (read('sensitive') === true ? null : shownActions(read('actions'))),
  },
});
