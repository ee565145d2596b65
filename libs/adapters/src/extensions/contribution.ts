import { interfaceTypes } from '@lib/domain';
import type { AddedHardwareType, HardwareAdditions, InterfaceType } from '@lib/domain';
import type { Contribution } from '@lib/ports';
import { interfaceProblems } from './guard';
import { shapes } from './shapes';
import type { Kind } from './shapes';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names get into settings, where commas and blanks part them, and into addresses. */
const isName = (name: unknown): boolean => typeof name === 'string' && /^[\w.-]{1,64}$/.test(name);

/** What is wrong with what an extension opened with, in sentences. */
export function contributionProblems({
  hardwareTypes = [],
  interfaces = {},
  supportedBy = {},
}: Contribution): string[] {
  if (!Array.isArray(hardwareTypes)) return ['hardwareTypes is no list'];
  if (!isObject(interfaces)) return ['interfaces is no object'];
  if (!isObject(supportedBy)) return ['supportedBy is no object'];
  return [
    ...hardwareTypes.flatMap(typeProblems),
    ...Object.entries(supportedBy).flatMap(([name, supports]) => supportsProblems(name, supports)),
    ...Object.entries(interfaces).flatMap(([kind, byName]) => kindProblems(kind, byName)),
  ];
}

function typeProblems(type: unknown): string[] {
  if (!isObject(type) || !isName(type['name'])) return ['a hardware type has no name of letters, digits, _, . and -'];
  const { name, supports, properties = {} } = type;
  const isText = isObject(properties) && Object.values(properties).every((text) => typeof text === 'string');
  return [
    ...supportsProblems(String(name), supports),
    ...(isText ? [] : [`the properties of hardware type "${String(name)}" are no texts by name`]),
  ];
}

function supportsProblems(name: string, supports: unknown): string[] {
  const of = `of hardware type "${name}"`;
  if (!isObject(supports)) return [`supports ${of} is no object`];
  return Object.entries(supports).flatMap(([kind, names]) => {
    if (!interfaceTypes.some((one) => one === kind))
      return [`supports ${of} names "${kind}", which is no kind of interface`];
    const isList = Array.isArray(names) && names.every((one) => typeof one === 'string');
    return isList ? [] : [`supports.${kind} ${of} is no list of names`];
  });
}

function kindProblems(kind: string, byName: unknown): string[] {
  if (!Object.hasOwn(shapes, kind)) return [`"${kind}" is no kind of interface that can be added`];
  if (!isObject(byName)) return [`interfaces.${kind} is no object`];
  return Object.entries(byName).flatMap(([name, given]) =>
    isName(name) ? interfaceProblems(kind as Kind, name, given) : [`"${name}" is no name for a ${kind} interface`],
  );
}

/** The names alone, for the rules of hardware types. */
export function additionsOf({
  hardwareTypes = [],
  interfaces = {},
  supportedBy = {},
}: Contribution): HardwareAdditions {
  const names = Object.entries(interfaces).filter(([kind]) => kind !== 'managementActs');
  return {
    types: hardwareTypes.map(({ name, supports, properties }): AddedHardwareType => ({ name, supports, properties })),
    interfaces: Object.fromEntries(
      names.map(([kind, byName]) => [kind as InterfaceType, Object.keys(byName as object)]),
    ),
    supportedBy,
  };
}
