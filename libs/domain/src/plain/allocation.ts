import { Refusal } from '../refusal';
import type { ResourceDocument } from '../resource';
import { traitsAfter } from '../traits';
import { checkLogicalName } from './names';
import { noRules } from './rules';
import type { PlainRules } from './rules';

function named(document: ResourceDocument): ResourceDocument {
  const { name } = document;
  if (name !== null) checkLogicalName(name);
  return document;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A new one waits to be matched (contract: other-resources.md §10). */
export const allocationRules: PlainRules = {
  ...noRules,
  create(document) {
    const { traits, candidate_nodes: candidates } = document;
    if (!isTexts(traits) || !isTexts(candidates))
      throw new Refusal('INVALID_PARAMETER', 'traits and candidate_nodes are lists of texts.');
    return named({ ...document, traits: traitsAfter([], { set: traits }), state: 'allocating' });
  },
  change: (before, after) => (after['name'] === before['name'] ? after : named(after)),
};
