import { type ProvisionState, inspection, provisionStates } from '../index';
import { type Arrow, arrows } from './arrows';

const idOf = (state: ProvisionState): string => state.replace(/[^a-z]/g, '_');

function diagram(states: readonly ProvisionState[], chosen: readonly Arrow[], first: string): string {
  const names = states.filter((state) => idOf(state) !== state).map((state) => `  state "${state}" as ${idOf(state)}`);
  const lines = chosen.map(({ from, to, triggers }) => `  ${idOf(from)} --> ${idOf(to)} : ${triggers.join(', ')}`);
  const lit = states.filter((state) => inspection.has(state)).map(idOf);
  return [
    'stateDiagram-v2',
    ...names,
    `  [*] --> ${first}`,
    ...lines,
    '  classDef inspection fill:#fff3c4,stroke:#8a6d00,color:#000000',
    `  class ${lit.join(',')} inspection`,
    '',
  ].join('\n');
}

/** The whole machine as Mermaid text. */
export function statesMermaid(): string {
  return diagram(provisionStates, arrows(), 'enroll');
}

/** The inspection states and what they touch. contract: inspection.md §1.1 */
export function inspectionMermaid(): string {
  const chosen = arrows().filter(({ from, to }) => inspection.has(from) || inspection.has(to));
  const touched = new Set(chosen.flatMap(({ from, to }) => [from, to]));
  return diagram(
    provisionStates.filter((state) => touched.has(state)),
    chosen,
    'manageable',
  );
}
