import { readFileSync } from 'node:fs';
import { counted } from '../screen';

/** A JSON object of the list, its values unchecked: the API is the judge of them. */
export type Listed = Readonly<Record<string, unknown>>;

/** A node as the list has it, and the ports below it, also those of its port groups. */
export interface ListedNode {
  readonly node: Listed;
  readonly ports: readonly Listed[];
}

export interface NodeList {
  readonly nodes: readonly ListedNode[];
  /** Sentences about what the list names and a demo leaves out. */
  readonly notes: readonly string[];
}

/**
 * A node list in the format that `openstack baremetal create FILE` takes: `{"chassis": [{"nodes": [...]}], "nodes": [...]}`,
 * a node with `ports` and `portgroups`, a port group with `ports`. JSON only.
 * @throws Error with a sentence that names the file
 */
export function readNodeList(path: string): NodeList {
  try {
    return nodeListOf(JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, '')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const hint = /[.]ya?ml$/i.test(path) && error instanceof SyntaxError ? '; YAML is not read here, only JSON' : '';
    throw new Error(`${path} is no node list: ${why}${hint}`, { cause: error });
  }
}

const BESIDE_THE_NODE = new Set(['ports', 'portgroups']);

export function nodeListOf(document: unknown): NodeList {
  const top = object(document, 'the document');
  const unknown = Object.keys(top).filter((key) => key !== 'nodes' && key !== 'chassis');
  if (unknown.length > 0) throw new Error(`it may hold "chassis" and "nodes", not "${unknown.join('", "')}"`);
  const chassis = objects(top['chassis'], 'chassis');
  const nodes = [...chassis.flatMap((one) => objects(one['nodes'], 'nodes')), ...objects(top['nodes'], 'nodes')];
  if (nodes.length === 0) throw new Error('it holds no node');
  const groups = nodes.flatMap((node) => objects(node['portgroups'], 'portgroups'));
  return {
    nodes: nodes.map((node) => ({
      node: Object.fromEntries(Object.entries(node).filter(([key]) => !BESIDE_THE_NODE.has(key))),
      ports: [
        ...objects(node['portgroups'], 'portgroups').flatMap((group) => objects(group['ports'], 'ports')),
        ...objects(node['ports'], 'ports'),
      ],
    })),
    notes: [
      ...(chassis.length > 0
        ? [`${counted(chassis.length, 'chassis', 'chassis')} left out; the nodes in it are enrolled`]
        : []),
      ...(groups.length > 0
        ? [`${counted(groups.length, 'port group', 'port groups')} left out; the ports in it are enrolled`]
        : []),
    ],
  };
}

function object(value: unknown, what: string): Listed {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} must be an object`);
  return value as Listed;
}

function objects(value: unknown, what: string): Listed[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`"${what}" must be a list`);
  return value.map((one) => object(one, `each of "${what}"`));
}
