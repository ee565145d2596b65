import { ruleOf } from '@lib/domain';
import type { InspectionRule } from '@lib/domain';
import type { ReadModel, SecretBox, StoredDocument } from '@lib/ports';
import { opened } from '../machine';

export interface RulesReading {
  readonly readModel: Pick<ReadModel, 'list' | 'get'>;
  readonly box: SecretBox;
}

const PAGE = 500;

async function documents(readModel: Pick<ReadModel, 'list'>): Promise<readonly StoredDocument[]> {
  const found: StoredDocument[] = [];
  for (;;) {
    const sort = { column: 'seq', descending: false } as const;
    const after = found.at(-1)?.id;
    const page = (await readModel.list({ kind: 'inspection_rule', where: [], sort, limit: PAGE, after })) ?? [];
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** The rule with its secrets opened; null when it was deleted meanwhile, and its key with it. */
async function openedRule(
  { id, json }: StoredDocument,
  { readModel, box }: RulesReading,
): Promise<InspectionRule | null> {
  const document = JSON.parse(json) as Readonly<Record<string, unknown>>;
  try {
    return ruleOf((await opened(document, box)) as Readonly<Record<string, unknown>>);
  } catch (error) {
    if ((await readModel.get('inspection_rule', [id])).length === 0) return null;
    throw new Error(`inspection rule ${id} can not be opened`, { cause: error });
  }
}

/** Rules of the API in the order of their creation, then built-in ones; priorities are looked at later (inspection.md §12.2). */
export async function rulesInForce(
  builtIn: readonly InspectionRule[],
  reading: RulesReading,
): Promise<readonly InspectionRule[]> {
  const stored = await documents(reading.readModel);
  const rules = await Promise.all(stored.map((document) => openedRule(document, reading)));
  return [...rules.filter((rule) => rule !== null), ...builtIn];
}
