import { Refusal } from '../refusal';
import type { ResourceDocument } from '../resource';
import { repeatedStep, stepsProblem } from '../steps';
import type { StepsKind } from '../steps';
import { ruleVersions } from '../versions';
import { checkLogicalName, checkTraitName } from './names';
import { noRules } from './rules';
import type { PlainContext, PlainRules } from './rules';

const refused = (text: string): Refusal => new Refusal('INVALID_PARAMETER', text);

function checkSteps(kind: StepsKind, steps: unknown): void {
  const problem = stepsProblem(kind, steps);
  if (problem !== null) throw refused(`Schema error for steps${problem}.`);
  const list = steps as { interface: string; step: string }[];
  if (list.length === 0) throw refused('Schema error for steps: at least one step is needed.');
  const repeated = repeatedStep(list);
  if (repeated !== null) throw refused(`The step ${repeated} is there twice.`);
}

function checkedTemplate(document: ResourceDocument): ResourceDocument {
  checkTraitName(document['name']);
  checkSteps('deploy_steps', document['steps']);
  return document;
}

/** contract: other-resources.md §11 */
export const deployTemplateRules: PlainRules = {
  ...noRules,
  create: checkedTemplate,
  change: (_, after) => checkedTemplate(after),
};

function checkedRunbook(document: ResourceDocument, { minor }: PlainContext): ResourceDocument {
  if (minor >= ruleVersions.runbookNames) checkLogicalName(document['name']);
  else checkTraitName(document['name']);
  checkSteps('runbook', document['steps']);
  return document;
}

/** What is public belongs to nobody (contract: other-resources.md §12). */
function changedRunbook(before: ResourceDocument, after: ResourceDocument, context: PlainContext): ResourceDocument {
  const named = after['name'] === before['name'] ? after : checkedRunbook(after, context);
  checkSteps('runbook', named['steps']);
  if (after['public'] !== true) return named;
  if (after['owner'] !== null && after['owner'] !== before['owner']) {
    throw refused('A public runbook has no owner: owner and public can not be set together.');
  }
  return { ...named, owner: null };
}

export const runbookRules: PlainRules = {
  ...noRules,
  create(document, context) {
    if (document['public'] === true && document['owner'] !== null) throw refused('A public runbook has no owner.');
    return checkedRunbook(document, context);
  },
  change: changedRunbook,
};
