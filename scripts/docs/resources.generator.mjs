/** Every resource, its fields and who may write them, the endpoints and the arguments, from their declarations. */
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (text) => `\`${text}\``;
const version = (minor) => `1.${minor}`;

const bounds = ({ minLength, maxLength, minimum, maximum, oneOf }) => [
  ...(minLength === undefined ? [] : [`at least ${minLength} character${minLength === 1 ? '' : 's'}`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ...(minimum === undefined && maximum === undefined ? [] : [`${minimum ?? ''} to ${maximum ?? ''}`]),
  ...(oneOf ? [`only ${oneOf.map(code).join(', ')}`] : []),
];

const isPlain = (value) => value === null || JSON.stringify(value) === '{}' || JSON.stringify(value) === '[]';

const takenEarlier = ({ below, create, patch }) => {
  const where = [
    ...(below.create === 'taken' && create !== 'refused' ? ['POST'] : []),
    ...(below.patch === 'taken' && patch ? ['PATCH'] : []),
  ];
  return where.length === 0 ? [] : [`taken in ${where.join(' and ')} before its version`];
};

/** What else there is to say of a field. */
const remarks = (field) => [
  ...bounds(field),
  ...(isPlain(field.empty) || field.type === 'links' ? [] : [`unset: ${code(JSON.stringify(field.empty))}`]),
  ...(field.masked ? ['secrets read `******`'] : []),
  ...(field.writeOnly ? ['never shown'] : []),
  ...takenEarlier(field),
  ...(field.below.patch === 400 ? ['400 in PATCH before its version'] : []),
  ...(field.below.fields === 'nothing' ? ['`fields=` shows nothing before its version'] : []),
  ...(field.below.fields === 400 ? ['400 in `fields=` before its version'] : []),
];

const created = { required: 'required', allowed: 'yes', refused: '' };
const yes = (holds) => (holds ? 'yes' : '');

function fieldTable(fields, filters, whole) {
  const rows = fields.map((field) => [
    code(field.name),
    `${field.type}${field.nullable ? ' or null' : ''}`,
    version(field.min),
    created[field.create],
    yes(field.patch),
    yes(field.name in filters),
    yes(field.sortable && field.column !== null),
    yes(field.selectable && !field.writeOnly && !whole),
    remarks(field).join('; '),
  ]);
  return table(['field', 'type', 'from', 'POST', 'PATCH', 'filter', 'sort', '`fields=`', 'remarks'], rows);
}

const filterLine = (fields, filters) => {
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(filters).filter(([name]) => !names.has(name));
  if (others.length === 0) return '';
  return `\nFilters beside the fields: ${others.map(([name, min]) => `${code(name)} (${version(min)})`).join(', ')}.\n`;
};

const section = ({ title, text, fields, filters = {}, whole = false }) =>
  `### ${title}\n\n${text}\n\n${fieldTable(fields, filters, whole)}\n${filterLine(fields, filters)}`;

const listed = (names) => names.map(code).join(', ');
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Paging and the choice of fields are the same for all lists and said once. */
const common = new Set(['marker', 'limit', 'sort_key', 'sort_dir', 'fields', 'detail']);

function nodes({ nodeFields, nodeListFields, nodeQueryMin }) {
  return {
    title: 'Nodes',
    text: `${code('/v1/nodes')}, by UUID or name. A list shows ${listed(nodeListFields)}.`,
    fields: nodeFields,
    filters: Object.fromEntries(Object.entries(nodeQueryMin).filter(([name]) => !common.has(name))),
  };
}

function plain({ plainResources }) {
  return Object.values(plainResources).map(({ noun, path, addressed, listFields, fields, filters, filterMin }) => {
    const since = Math.min(...fields.map(({ min }) => min));
    return {
      title: `${capital(noun)}${noun.endsWith('s') ? '' : 's'}`,
      text: `${code(`/v1/${path}`)}, ${addressed}. A list shows ${listed(listFields)}.`,
      fields,
      filters: Object.fromEntries(filters.map((name) => [name, filterMin[name] ?? since])),
    };
  });
}

const readOnly = (contracts) => [
  {
    title: 'History of a node',
    text: `${code('/v1/nodes/{ident}/history')}. Without details an entry shows ${listed([...contracts.historySummaryFields])}.`,
    fields: contracts.historyFields,
    // Its list takes no `fields`.
    whole: true,
  },
  {
    title: 'BIOS settings of a node',
    text: `${code('/v1/nodes/{ident}/bios')}. Without details a setting shows ${listed([...contracts.biosListFields])}.`,
    fields: contracts.biosFields,
  },
  {
    title: 'Firmware components of a node',
    text: `${code('/v1/nodes/{ident}/firmware')}.`,
    fields: contracts.firmwareFields,
  },
  {
    title: 'Conductors',
    text: `${code('/v1/conductors')}, by host name. A list shows ${listed(contracts.conductorListFields)}.`,
    fields: contracts.conductorFields,
  },
  {
    title: 'Drivers',
    text: `${code('/v1/drivers')}, by name. A list shows ${listed([...contracts.driverListFields])}.`,
    fields: contracts.driverFields,
  },
];

const endpointRows = ({ endpointGates }) =>
  endpointGates.map(({ method, path, min, below }) => [
    method === '*' ? 'any' : method,
    code(path),
    version(min),
    below === null ? (min === 1 ? '' : 'served all the same') : String(below.status),
  ]);

const argumentRows = ({ argumentGates, heartbeatArguments, endpointMin, vtepVersions: { first, last } }) => [
  ...Object.values(argumentGates).map(({ what, min, below }) => [what, version(min), below]),
  ...Object.entries(heartbeatArguments)
    .filter(([, min]) => min > endpointMin('POST', '/v1/heartbeat/{ident}'))
    .map(([name, min]) => [`the argument ${name} of a heartbeat`, version(min), 400]),
  ['keys vtep-* of local_link_connection', `${version(first)} to ${version(last)}`, '406, and after'],
];

const page = (contracts) => `# Resources and versions

Generated from \`libs/contracts/src/resources\` by \`npm run docs\`; edit the declarations, not this page. The same declarations
check what clients send, choose what they are shown, make the columns that lists filter and sort by, and describe the API at
\`/openapi.json\`.

A request names its version, ${version(contracts.MINOR_MIN)} to ${version(contracts.MINOR_MAX)}. What is newer than that is not shown. A request that names a newer
field is answered with 406: in \`fields=\`, in \`sort_key\`, in POST unless the value is empty, and where PATCH adds or replaces
the field itself; the remarks tell of exceptions. So is one with a newer filter. "POST" and "PATCH" say whether a client may
write the field, "filter" and "sort" whether a list takes it as an argument of its name and as \`sort_key\`, "\`fields=\`" whether it
can be asked for by its name.

Lists take \`limit\`, \`marker\`, \`sort_key\` and \`sort_dir\`, but for those of drivers, BIOS settings and firmware components, which are
shown whole.

## Fields

${[nodes(contracts), ...plain(contracts), ...readOnly(contracts)].map(section).join('\n')}
## Endpoints

The answer to a request whose version is older than the endpoint:

${table(['method', 'path', 'from', 'below'], endpointRows(contracts))}

## Arguments

${table(['what', 'from', 'below'], argumentRows(contracts))}

## Verbs

Targets of \`PUT /v1/nodes/{ident}/states/provision\`; 406 below.

${table(
  ['target', 'from'],
  Object.entries(contracts.verbMinMinor).map(([target, min]) => [
    code(target),
    target === 'undeploy' ? `${version(min)}, though its twin \`deploy\` is newer` : version(min),
  ]),
)}
`;

export const files = (load) => ({
  'docs/resources.md': page({ ...load('@lib/contracts'), verbMinMinor: load('@lib/domain').verbMinMinor }),
});
