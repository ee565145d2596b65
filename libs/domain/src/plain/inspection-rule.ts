import { checkRule } from '../inspection-rules/check';
import { Refusal } from '../refusal';
import type { ResourceDocument } from '../resource';
import { noRules } from './rules';
import type { PlainRules } from './rules';

function checked(document: ResourceDocument): ResourceDocument {
  checkRule(document);
  return document;
}

/** contract: other-resources.md §6 */
export const inspectionRuleRules: PlainRules = {
  ...noRules,
  create: checked,
  change(before, after) {
    if (before['sensitive'] === true && after['sensitive'] !== true)
      throw new Refusal('INVALID_PARAMETER', 'A sensitive inspection rule stays sensitive.');
    return checked(after);
  },
};
