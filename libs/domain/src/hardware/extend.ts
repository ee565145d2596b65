import { interfaceTypes } from '../node/fields';
import type { InterfaceType } from '../node/fields';
import { hardwareTypes } from './types';
import type { HardwareType } from './types';

/** Hardware types by name. */
export type HardwareTypes = ReadonlyMap<string, HardwareType>;

type Names = Readonly<Partial<Record<InterfaceType, readonly string[]>>>;

/** A hardware type as an extension declares it: kinds of interfaces that it does not name are those of a machine without a BMC. */
export interface AddedHardwareType {
  readonly name: string;
  /** Best first: the first enabled one is the default of a new node. Its power interfaces have to be named. */
  readonly supports: Names;
  /** Properties that driver_info may hold, with their description. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** What one extension brings, by name. */
export interface HardwareAdditions {
  readonly types: readonly AddedHardwareType[];
  readonly interfaces: Names;
  /** Hardware types that exist without it, and the interfaces that they support with it. */
  readonly supportedBy: Readonly<Record<string, Names>>;
}

/** Every interface name that some hardware type knows. */
export const interfacesOf = (kind: InterfaceType, types: HardwareTypes): readonly string[] =>
  [...new Set([...types.values()].flatMap(({ supports }) => supports[kind]))].sort();

const isNone = (name: string): boolean => name.startsWith('no-');

/** Before the interfaces that stand for none, which come last everywhere (contract: inspection.md §3.3). */
const joined = (have: readonly string[], more: readonly string[] = []): readonly string[] => {
  const all = [...new Set([...have, ...more])];
  return [...all.filter((name) => !isNone(name)), ...all.filter(isNone)];
};

const eachKind = (names: (kind: InterfaceType) => readonly string[]): HardwareType['supports'] =>
  Object.fromEntries(interfaceTypes.map((kind) => [kind, names(kind)])) as HardwareType['supports'];

function completed({ name, supports, properties = {} }: AddedHardwareType): HardwareType {
  const bare = hardwareTypes.get('manual-management')?.supports;
  const usual = (kind: InterfaceType): readonly string[] => bare?.[kind] ?? [];
  return {
    name,
    acceptsAny: false,
    properties,
    supports: eachKind((kind) => joined(supports[kind] ?? usual(kind), usual(kind).filter(isNone))),
  };
}

/** A type that takes any interface is offered those of extensions as well. */
function widened(type: HardwareType, { interfaces, supportedBy }: HardwareAdditions): HardwareType {
  const own = supportedBy[type.name] ?? {};
  const any = type.acceptsAny ? interfaces : {};
  return {
    ...type,
    supports: eachKind((kind) => joined(type.supports[kind], [...(own[kind] ?? []), ...(any[kind] ?? [])])),
  };
}

/**
 * The hardware types together with what an extension adds, or, with problems, as they were. A name means one thing: nothing that
 * exists is replaced, and nothing is supported that nobody brings.
 */
export function extendTypes(
  types: HardwareTypes,
  additions: HardwareAdditions,
): { readonly types: HardwareTypes; readonly problems: readonly string[] } {
  const problems = [...takenNames(types, additions), ...unknownNames(types, additions)];
  if (problems.length > 0) return { types, problems };
  const all = [...[...types.values()].map((type) => widened(type, additions)), ...additions.types.map(completed)];
  return { types: new Map(all.map((type) => [type.name, type])), problems };
}

function takenNames(types: HardwareTypes, { types: added, interfaces }: HardwareAdditions): string[] {
  const names = added.map(({ name }) => name);
  const twice = names.filter((name, i) => types.has(name) || names.indexOf(name) !== i);
  const known = (kind: InterfaceType) => interfacesOf(kind, types);
  return [
    ...twice.map((name) => `there is a hardware type "${name}" already`),
    ...interfaceTypes.flatMap((kind) =>
      (interfaces[kind] ?? [])
        .filter((name) => known(kind).includes(name))
        .map((name) => `there is a ${kind} interface "${name}" already`),
    ),
  ];
}

function unknownNames(types: HardwareTypes, additions: HardwareAdditions): string[] {
  const { types: added, interfaces, supportedBy } = additions;
  const exists = (kind: InterfaceType, name: string): boolean =>
    interfacesOf(kind, types).includes(name) || (interfaces[kind] ?? []).includes(name);
  const missing = (of: string, supports: Names): string[] =>
    interfaceTypes.flatMap((kind) =>
      (supports[kind] ?? [])
        .filter((name) => !exists(kind, name))
        .map((name) => `hardware type "${of}" supports the ${kind} interface "${name}", which nobody brings`),
    );
  return [
    ...added.filter(({ supports }) => (supports.power ?? []).length === 0).map(powerless),
    ...added.flatMap(({ name, supports }) => missing(name, supports)),
    ...Object.entries(supportedBy).flatMap(([name, supports]) =>
      types.has(name) ? missing(name, supports) : [`there is no hardware type "${name}" to support more`],
    ),
  ];
}

const powerless = ({ name }: AddedHardwareType): string => `hardware type "${name}" names no power interface`;
