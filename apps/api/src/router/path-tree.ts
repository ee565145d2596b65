/** Paths as a tree of segments. A literal segment goes before a parameter; a dead end is left again. */
export interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Branch<T> {
  readonly literal: Map<string, Branch<T>>;
  parameter: { readonly name: string; readonly branch: Branch<T> } | undefined;
  value: T | undefined;
}

const newBranch = <T>(): Branch<T> => ({ literal: new Map(), parameter: undefined, value: undefined });

export class PathTree<T> {
  private readonly root = newBranch<T>();

  /** The value at a pattern such as `nodes/{ident}/states`, made when it is not there. */
  at(pattern: string, make: () => T): T {
    let branch = this.root;
    for (const segment of pattern.split('/').filter((one) => one !== '')) branch = grow(branch, segment);
    branch.value ??= make();
    return branch.value;
  }

  /** Every value, from the root down. */
  values(): T[] {
    return valuesBelow(this.root);
  }

  find(segments: readonly string[]): Match<T> | undefined {
    return search(this.root, segments, 0, {});
  }
}

function valuesBelow<T>({ value, literal, parameter }: Branch<T>): T[] {
  const below = [...literal.values(), ...(parameter ? [parameter.branch] : [])].flatMap(valuesBelow);
  return value === undefined ? below : [value, ...below];
}

function grow<T>(branch: Branch<T>, segment: string): Branch<T> {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    branch.parameter ??= { name, branch: newBranch() };
    if (branch.parameter.name !== name) throw new Error(`{${name}} stands where {${branch.parameter.name}} is`);
    return branch.parameter.branch;
  }
  const next = branch.literal.get(segment) ?? newBranch<T>();
  branch.literal.set(segment, next);
  return next;
}

function search<T>(
  branch: Branch<T>,
  segments: readonly string[],
  at: number,
  params: Readonly<Record<string, string>>,
): Match<T> | undefined {
  const segment = segments[at];
  if (segment === undefined) return branch.value === undefined ? undefined : { value: branch.value, params };
  const literal = branch.literal.get(segment);
  const found = literal && search(literal, segments, at + 1, params);
  if (found || !branch.parameter) return found;
  const { name, branch: below } = branch.parameter;
  return search(below, segments, at + 1, { ...params, [name]: segment });
}
