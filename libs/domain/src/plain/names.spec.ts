import { allocationRules, checkNodeName, deployTemplateRules, noRules, portgroupRules, runbookRules } from '.';
import type { PlainContext, PlainRules } from '.';
import type { ResourceDocument } from '../resource';

const context: PlainContext = { node: null, minor: 115, portgroupMode: 'active-backup' };
const step = { interface: 'bios', step: 'apply', args: {}, priority: 1 };

/**
 * A document of every kind that can be addressed by its name, as a client would make it. Names of ports are not checked when they
 * are written (contract: other-resources.md §1): a port is always found by its UUID.
 */
const named: readonly (readonly [kind: string, rules: PlainRules, rest: ResourceDocument, good: string])[] = [
  ['node', { ...noRules, create: checkedNode, change: (_, after) => checkedNode(after) }, {}, 'a.b'],
  ['portgroup', portgroupRules, { standalone_ports_supported: true, mode: 'active-backup', properties: {} }, 'a.b'],
  ['allocation', allocationRules, { traits: [], candidate_nodes: [] }, 'a.b'],
  ['deploy template', deployTemplateRules, { steps: [step] }, 'CUSTOM_A'],
  ['runbook', runbookRules, { steps: [{ ...step, priority: undefined, order: 1 }], public: false }, 'a.b'],
];

function checkedNode(document: ResourceDocument): ResourceDocument {
  checkNodeName(String(document['name']));
  return document;
}

describe.each(named)('the name of a %s', (_kind, rules, rest, good) => {
  const withName = (name: string): ResourceDocument =>
    JSON.parse(JSON.stringify({ ...rest, name })) as ResourceDocument;

  it('is taken when it can be found by it', () => {
    expect(rules.create(withName(good), context)['name']).toBe(good);
    const other = `${good}_1`;
    expect(rules.change(withName(good), withName(other), context)['name']).toBe(other);
  });

  it.each(['.', '..', 'a/b', ''])('is never "%s", which no path leads to', (name) => {
    const refusal = expect.objectContaining({ code: 'INVALID_PARAMETER' }) as Error;
    expect(() => rules.create(withName(name), context)).toThrow(refusal);
    expect(() => rules.change(withName(good), withName(name), context)).toThrow(refusal);
  });
});
