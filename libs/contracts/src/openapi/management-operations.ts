/** What clients ask of a node's machine beside power, boot device and work. contract: node-api.md §12, §13, §21, §22 */
import { bootModes, downloadSources, logicalDiskProperties, mediaTypes } from '@lib/domain';
import { anything, closed, flag, free, listOf, mapOf, oneOf, orNull, partOf, ref, text } from './json-schema';
import { NODE } from './node-operations';
import { answers, type Method, type Operation } from './operation';

const tag = 'nodes';

const stateOperations: readonly Operation[] = [
  {
    method: 'PUT',
    path: `${NODE}/states/boot_mode`,
    summary: 'Change the boot mode of a node',
    tag,
    body: () => closed({ target: oneOf(bootModes) }),
    answers: answers(202, null),
    located: true,
  },
  {
    method: 'PUT',
    path: `${NODE}/states/secure_boot`,
    summary: 'Switch secure boot of a node on or off',
    tag,
    body: () => closed({ target: flag }),
    answers: answers(202, null),
    located: true,
  },
  {
    method: 'PUT',
    path: `${NODE}/states/raid`,
    summary: 'Note the RAID configuration that a node is to get',
    tag,
    body: () => ({
      type: 'object',
      properties: {
        logical_disks: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['raid_level', 'size_gb'],
            properties: Object.fromEntries(
              Object.entries(logicalDiskProperties).map(([name, description]) => [name, { description }]),
            ),
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    }),
    answers: answers(204, null),
  },
  {
    method: 'GET',
    path: `${NODE}/states/console`,
    summary: 'Show the console of a node',
    tag,
    answers: answers(200, closed({ console_enabled: flag, console_info: orNull(free) })),
    tagged: true,
  },
  {
    method: 'PUT',
    path: `${NODE}/states/console`,
    summary: 'Start or stop the console of a node',
    tag,
    body: () => closed({ enabled: flag }),
    answers: answers(202, null),
    located: true,
  },
];

const INDICATORS = `${NODE}/management/indicators`;
const indicator = closed({
  name: text,
  component: text,
  readonly: flag,
  states: listOf(text),
  links: ref('Links'),
});

const indicatorOperations: readonly Operation[] = [
  {
    method: 'PUT',
    path: `${NODE}/management/inject_nmi`,
    summary: 'Inject a non-maskable interrupt',
    tag,
    body: () => closed({}),
    bodyOptional: true,
    answers: answers(204, null),
  },
  {
    method: 'GET',
    path: INDICATORS,
    summary: 'List the indicators of a node',
    tag,
    answers: answers(200, closed({ indicators: listOf(indicator) })),
  },
  {
    method: 'GET',
    path: `${INDICATORS}/{indicator}`,
    summary: 'Show the state of an indicator',
    tag,
    answers: answers(200, closed({ state: text })),
  },
  {
    method: 'PUT',
    path: `${INDICATORS}/{indicator}`,
    summary: 'Set an indicator',
    tag,
    body: () => closed({ state: text }),
    answers: answers(204, null),
  },
];

const MEDIA = `${NODE}/vmedia`;

const mediaOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: MEDIA,
    summary: 'Show the virtual media of a node, as its driver tells of them',
    tag,
    answers: answers(200, anything),
  },
  {
    method: 'POST',
    path: MEDIA,
    summary: 'Attach virtual media to a node',
    tag,
    body: () =>
      partOf({ device_type: oneOf(mediaTypes), image_url: text, image_download_source: oneOf(downloadSources) }, [
        'device_type',
        'image_url',
      ]),
    answers: answers(204, null),
  },
  {
    method: 'DELETE',
    path: MEDIA,
    summary: 'Detach virtual media from a node',
    tag,
    query: () => [
      { name: 'device_types', min: 1, about: 'Of these types; all without it.', schema: oneOf(mediaTypes), list: true },
    ],
    answers: answers(204, null),
  },
];

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const method = closed({
  http_methods: listOf(text),
  async: flag,
  description: text,
  attach: flag,
  require_exclusive_lock: flag,
});

const hasBody = (one: Method): boolean => one === 'POST' || one === 'PUT' || one === 'PATCH';

const callsOf = (bearer: string, what: string, of: string): Operation[] =>
  methods.flatMap((one): Operation[] => {
    const called: Operation = {
      method: one,
      path: `${bearer}/vendor_passthru/{method}`,
      summary: `Call a vendor method of ${what} by ${one}`,
      tag: of,
      ...(hasBody(one) ? { body: () => anything, bodyOptional: true } : {}),
      answers: () => ({ 200: anything, 202: null }),
    };
    return [
      called,
      {
        ...called,
        path: `${bearer}/vendor_passthru`,
        summary: `Call the vendor method of ${what} that an argument names by ${one}`,
        query: () => [{ name: 'method', min: 1, about: 'The method.', schema: text }],
      },
    ];
  });

const vendorOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: `${NODE}/vendor_passthru/methods`,
    summary: 'List the vendor methods of a node',
    tag,
    answers: answers(200, mapOf(method)),
  },
  ...callsOf(NODE, 'a node', tag),
  {
    method: 'GET',
    path: '/v1/drivers/{name}/vendor_passthru/methods',
    summary: 'List the vendor methods of a driver',
    tag: 'drivers',
    answers: answers(200, mapOf(method)),
  },
  ...callsOf('/v1/drivers/{name}', 'a driver', 'drivers'),
];

export const managementOperations: readonly Operation[] = [
  ...stateOperations,
  ...indicatorOperations,
  ...mediaOperations,
  ...vendorOperations,
];
