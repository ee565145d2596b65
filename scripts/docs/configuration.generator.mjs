/** Every option and variable, from their declarations. */
const page = (variables, differences, options) => `# Configuration

Generated from \`libs/contracts/src/settings\` by \`npm run docs\`; edit the declarations, not this page.

Section and option names are Ironic's. A value is looked for in this order, the first one found holds:

1. the short variables below (\`FERROLOG_API_PORT\`),
2. \`FERROLOG_<SECTION>__<OPTION>\` in upper case: \`FERROLOG_CONDUCTOR__INSPECT_WAIT_TIMEOUT=600\`,
3. the file that \`FERROLOG_CONFIG\` names,
4. the default.

All values are read once, at the start. A value that an option does not accept stops the start, and every such value is
named, one per line: \`[conductor] inspect_wait_timeout: "soon" is not a whole number (line 3 of ferrolog.conf)\`. A name
that nobody reads is only warned about, so a file written for Ironic may keep what this release does not need.

## The file

\`\`\`ini
# Comments begin a line with # or ;
[DEFAULT]
host = rack-4
enabled_inspect_interfaces = agent,
    inspector,
    no-inspect

[conductor]
inspect_wait_timeout = 1800
\`\`\`

\`name = value\` or \`name: value\`. An indented line continues the value above. A \`#\` or \`;\` inside a value belongs to it;
a pair of quotes around a whole value does not. A repeated option: the last one holds. \`$name\` is not replaced.

## Variables

| variable | without it | meaning |
| --- | --- | --- |
${variables.map(({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |`).join('\n')}

## Where the defaults differ from Ironic's

${differences}
${options}`;

export const files = (load) => {
  const { differenceTable, optionTables } = load('@lib/contracts/settings');
  const { runtimeVariables } = load('@lib/adapters/settings-file');
  return { 'docs/configuration.md': page(runtimeVariables, differenceTable(), optionTables()) };
};
