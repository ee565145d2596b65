/** What clients ask of a node's states, traits and interfaces. contract: node-api.md §9-17, §23 */
import { acceptedTargets, isSoftPowerTarget, powerTargets, verbMinMinor } from '@lib/domain';
import { argumentGates, biosFields, firmwareFields, plainResources, type Field } from '../resources';
import { detailArgument, fieldsArgument, shownProperties } from './fields';
import { closed, flag, listOf, mapOf, oneOf, orNull, partOf, ref, text, type JsonSchema } from './json-schema';
import { NODE } from './node-operations';
import { answers, answersAt, type Operation } from './operation';
import { deploySteps, orderedSteps } from './steps';

const tag = 'nodes';

/** The arguments that a version knows; the first is mandatory. */
function provisioning(minor: number): JsonSchema {
  const since: Readonly<Record<string, readonly [min: number, schema: JsonSchema]>> = {
    target: [1, oneOf(acceptedTargets.filter((verb) => (verbMinMinor[verb] ?? 1) <= minor))],
    configdrive: [
      1,
      { type: minor >= argumentGates.configdriveObject.min ? ['string', 'object', 'null'] : ['string', 'null'] },
    ],
    rescue_password: [verbMinMinor['rescue'] ?? 1, text],
    clean_steps: [verbMinMinor['clean'] ?? 1, orNull(orderedSteps)],
    deploy_steps: [argumentGates.deploySteps.min, orNull(deploySteps)],
    disable_ramdisk: [argumentGates.cleanDisableRamdisk.min, flag],
    service_steps: [verbMinMinor['service'] ?? 1, orNull(orderedSteps)],
    runbook: [argumentGates.runbook.min, orNull(text)],
  };
  const known = Object.entries(since).filter(([, [min]]) => min <= minor);
  return partOf(Object.fromEntries(known.map(([name, [, schema]]) => [name, schema])), ['target']);
}

function power(minor: number): JsonSchema {
  const soft = minor >= argumentGates.softPower.min;
  const target = oneOf(powerTargets.filter((one) => soft || !isSoftPowerTarget(one)));
  return soft ? closed({ target, timeout: orNull({ type: 'integer', minimum: 1 }) }, ['timeout']) : closed({ target });
}

const traitsBody = closed({ traits: listOf({ ...text, maxLength: 255 }) });

/** Traits of a node and of a runbook are asked for alike. */
const traitsOf = (bearer: string, what: string, of: string): Operation[] => [
  {
    method: 'GET',
    path: `${bearer}/traits`,
    summary: `List the traits of ${what}`,
    tag: of,
    answers: answers(200, traitsBody),
    tagged: true,
  },
  {
    method: 'PUT',
    path: `${bearer}/traits`,
    summary: `Replace the traits of ${what}`,
    tag: of,
    body: () => traitsBody,
    answers: answers(204, null),
  },
  {
    method: 'DELETE',
    path: `${bearer}/traits`,
    summary: `Remove all traits of ${what}`,
    tag: of,
    answers: answers(204, null),
  },
  {
    method: 'PUT',
    path: `${bearer}/traits/{trait}`,
    summary: `Add a trait to ${what}`,
    tag: of,
    answers: answers(204, null),
    located: true,
  },
  {
    method: 'DELETE',
    path: `${bearer}/traits/{trait}`,
    summary: `Remove a trait of ${what}`,
    tag: of,
    answers: answers(204, null),
  },
];

const bootDevices = listOf(text);

/** What a machine told of one of its parts: any field may be left out, or be unknown. */
const itemOf = (fields: readonly Field[], minor: number): JsonSchema =>
  partOf(
    Object.fromEntries(
      Object.entries(shownProperties(fields, minor)).map(([name, schema]) => [
        name,
        name === 'links' ? schema : orNull(schema),
      ]),
    ),
  );

export const nodePartOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: `${NODE}/states`,
    summary: 'Show the states of a node',
    tag,
    answers: answers(200, ref('NodeStates')),
    tagged: true,
  },
  {
    method: 'PUT',
    path: `${NODE}/states/provision`,
    summary: 'Ask for a verb of the lifecycle',
    tag,
    body: provisioning,
    reasoned: true,
    answers: answers(202, null),
    located: true,
  },
  {
    method: 'PUT',
    path: `${NODE}/states/power`,
    summary: 'Change the power of a node',
    tag,
    body: power,
    answers: answers(202, null),
    located: true,
  },
  {
    method: 'GET',
    path: `${NODE}/management/boot_device`,
    summary: 'Show the boot device of a node',
    tag,
    answers: answers(200, closed({ boot_device: orNull(text), persistent: orNull(flag) })),
  },
  {
    method: 'PUT',
    path: `${NODE}/management/boot_device`,
    summary: 'Set the boot device of a node',
    tag,
    body: () => closed({ boot_device: text, persistent: flag }, ['persistent']),
    answers: answers(204, null),
  },
  {
    method: 'GET',
    path: `${NODE}/management/boot_device/supported`,
    summary: 'List the boot devices that a node supports',
    tag,
    answers: answers(200, closed({ supported_boot_devices: bootDevices })),
  },
  ...traitsOf(NODE, 'a node', tag),
  ...traitsOf('/v1/runbooks/{ident}', 'a runbook', 'runbooks'),
  {
    method: 'GET',
    path: `${NODE}/vifs`,
    summary: 'List the virtual interfaces of a node',
    tag,
    answers: answers(200, closed({ vifs: listOf(closed({ id: text })) })),
  },
  {
    method: 'POST',
    path: `${NODE}/vifs`,
    summary: 'Attach a virtual interface to a node',
    tag,
    body: () => ({ type: 'object', properties: { id: text, port_uuid: text, portgroup_uuid: text }, required: ['id'] }),
    answers: answers(204, null),
  },
  {
    method: 'DELETE',
    path: `${NODE}/vifs/{vif}`,
    summary: 'Detach a virtual interface',
    tag,
    answers: answers(204, null),
  },
  {
    method: 'GET',
    path: `${NODE}/bios`,
    summary: 'List the BIOS settings of a node',
    tag,
    query: (minor) => [
      detailArgument(argumentGates.biosDetail.min),
      fieldsArgument(biosFields, minor, argumentGates.biosFields.min),
    ],
    answers: answersAt(200, (minor) => closed({ bios: listOf(itemOf(biosFields, minor)) })),
  },
  {
    method: 'GET',
    path: `${NODE}/bios/{name}`,
    summary: 'Show a BIOS setting of a node, under its name',
    tag,
    answers: answersAt(200, (minor) => mapOf(itemOf(biosFields, minor))),
  },
  {
    method: 'GET',
    path: `${NODE}/firmware`,
    summary: 'List the firmware components of a node',
    tag,
    query: (minor) => [fieldsArgument(firmwareFields, minor)],
    answers: answersAt(200, (minor) => closed({ firmware: listOf(itemOf(firmwareFields, minor)) })),
  },
  {
    method: 'GET',
    path: `${NODE}/allocation`,
    summary: 'Show the allocation of a node',
    tag,
    query: (minor) => [fieldsArgument(plainResources.allocation.fields, minor)],
    answers: answers(200, ref('AllocationFields')),
    tagged: true,
  },
  {
    method: 'DELETE',
    path: `${NODE}/allocation`,
    summary: 'End the allocation of a node',
    tag,
    answers: answers(204, null),
  },
];
