import { defaultTarget, isStable, provisionStates, transitionRows, waitTimeoutOf } from '../index';
import { isAskedFor } from './arrows';
import { inspectionMermaid, statesMermaid } from './mermaid';

const fenced = (text: string): string => `\`\`\`mermaid\n${text}\`\`\``;

function stateRows(): string[] {
  return provisionStates.map((state) => {
    const wait = waitTimeoutOf(state);
    const deadline = wait ? `\`[${wait.option.section}] ${wait.option.name}\` (${wait.defaultS} s)` : '';
    return `| ${state} | ${isStable(state) ? 'yes' : ''} | ${defaultTarget(state) ?? ''} | ${deadline} |`;
  });
}

function transitionTable(): string[] {
  return transitionRows().map(
    ({ from, trigger, to }) =>
      `| ${from} | ${trigger} | ${to} | ${isAskedFor(from, trigger) ? 'a client' : 'our own work'} |`,
  );
}

/** docs/states.md */
export function statesPage(): string {
  return `# Provision states

Generated from the table in \`libs/domain/src/states\` by \`npm run docs\`; edit the table, not this page.
${provisionStates.length} states, ${transitionRows().length} transitions. What is not listed here cannot happen.

![All states and transitions, family by family](states.svg)

## Inspection

${fenced(inspectionMermaid())}

\`wait\`, \`resume\`, \`done\` and \`fail\` are raised by the conductor's own work; \`inspect\`, \`abort\` and \`manage\` are asked for.
A node waits in \`inspect wait\` under a deadline, counted from its last entry into \`inspecting\`.

## The whole machine

${fenced(statesMermaid())}

## States

"On the way to" is what \`target_provision_state\` reads in that state when nobody named another target.

| state | stable | on the way to | waits no longer than (default) |
| --- | --- | --- | --- |
${stateRows().join('\n')}

## Transitions

| from | trigger | to | raised by |
| --- | --- | --- | --- |
${transitionTable().join('\n')}
`;
}
