/**
 * From method and path to a handler, by the contract's table of endpoints.
 * contract: errors-and-negotiation.md §3, §5; microversions.json endpoints
 */
import { endpointGates, gateOf, type EndpointGate } from '@lib/contracts';
import { ApiFault, methodNotAllowed, unknownPath } from '../faults';
import type { Answer, Call } from '../http';
import { PathTree } from './path-tree';

export type Handler = (call: Call) => Promise<Answer> | Answer;

const refusing = new WeakSet<Handler>();

/** A handler that stands at a path only to say why nothing is served there: no endpoint, and in no description of the API. */
export function refusal(handler: Handler): Handler {
  refusing.add(handler);
  return handler;
}

/** `GET nodes/{ident}` -> handler; paths without the leading /v1. */
export type Handlers = Readonly<Record<string, Handler>>;

export interface Rules {
  /** Patterns that exist although no method of theirs does. */
  readonly without: readonly string[];
  /** Patterns whose handlers look at the version themselves, after what comes before it there. */
  readonly ownGate: readonly string[];
  /** Looks at the parameters of a pattern before any method is chosen; throws the fault of a bad one. */
  readonly checkParams: (pattern: string, params: Readonly<Record<string, string>>, minor: number) => void;
  /** The Allow header where the contract names other methods than those of the table. */
  readonly allowShown: (pattern: string, method: string) => readonly string[] | undefined;
}

export interface Found {
  readonly pattern: string;
  readonly params: Readonly<Record<string, string>>;
  readonly handler: Handler;
  /** Answers a change of the resource `uuid` that is made already, where that does not follow from the path; makes none. */
  readonly again?: (call: Call, uuid: string) => Promise<Answer>;
}

interface Endpoint {
  readonly gate: EndpointGate | undefined;
  readonly handler: Handler | undefined;
}

interface Resource {
  readonly pattern: string;
  readonly endpoints: Map<string, Endpoint>;
}

const ANY_METHOD = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

export class Router {
  private readonly tree = new PathTree<Resource>();

  constructor(
    handlers: Handlers,
    private readonly rules: Rules,
  ) {
    for (const gate of endpointGates) this.addGate(gate, handlers);
    for (const [key, handler] of Object.entries(handlers)) this.addHandler(key, handler);
    for (const pattern of rules.without) this.resource(pattern);
  }

  /** Throws the fault when there is nothing to call in this version. */
  find(method: string, segments: readonly string[], minor: number): Found {
    const match = this.tree.find(segments);
    if (!match) throw unknownPath();
    const { pattern, endpoints } = match.value;
    this.rules.checkParams(pattern, match.params, minor);
    const endpoint = endpoints.get(method);
    if (!endpoint) throw this.foreign(match.value, method, minor);
    const handler = this.inForce(endpoint, match.value, method, minor);
    return { pattern, params: match.params, handler };
  }

  /** What is served, as `GET nodes/{ident}`. */
  served(): string[] {
    return [...this.tree.values()].flatMap(({ pattern, endpoints }) =>
      [...endpoints]
        .filter(([, { handler }]) => handler !== undefined && !refusing.has(handler))
        .map(([method]) => `${method} ${pattern}`),
    );
  }

  private inForce(endpoint: Endpoint, resource: Resource, method: string, minor: number): Handler {
    const { gate, handler } = endpoint;
    const gated = !this.rules.ownGate.includes(resource.pattern);
    if (gated && gate?.below && minor < gate.min) throw belowGate(gate, gate.below, this.allow(resource, method));
    if (!handler) throw this.absent(endpoint, resource, method);
    return handler;
  }

  /**
   * A method that the path does not have. Below the version of what can be read there the whole path is not there yet; where
   * nothing can be read the router knows the path in every version (contract: microversions.json, 23, 52, 54).
   */
  private foreign(resource: Resource, method: string, minor: number): ApiFault {
    const { pattern, endpoints } = resource;
    const gated = endpoints.has('GET') && !this.rules.ownGate.includes(pattern);
    const gate = gated ? gateOf(method, `/v1/${pattern}`) : undefined;
    const allow = this.allow(resource, method);
    return gate?.below && minor < gate.min ? belowGate(gate, gate.below, allow) : methodNotAllowed(allow);
  }

  /** What this server does not have answers as a server too old for it would. */
  private absent({ gate }: Endpoint, resource: Resource, method: string): ApiFault {
    const status = gate?.below?.status ?? (method === 'GET' ? 404 : 405);
    if (status === 405)
      return new ApiFault(405, `This server does not offer ${method} here.`, 'resource', this.allow(resource, method));
    return new ApiFault(404, 'Resource could not be found.');
  }

  private allow(resource: Resource, method: string): readonly string[] {
    const shown = this.rules.allowShown(resource.pattern, method);
    if (shown) return shown;
    const entries = [...resource.endpoints];
    const served = entries.filter(([, { handler }]) => handler);
    return (served.length > 0 ? served : entries).map(([name]) => name).sort();
  }

  private addGate(gate: EndpointGate, handlers: Handlers): void {
    const pattern = gate.path.replace(/^\/v1\//, '').replace(/\{name\}@\{component\}/, '{indicator}');
    for (const method of gate.method === '*' ? ANY_METHOD : [gate.method]) {
      this.resource(pattern).endpoints.set(method, { gate, handler: handlers[`${method} ${pattern}`] });
    }
  }

  private addHandler(key: string, handler: Handler): void {
    const [method = '', pattern = ''] = key.split(' ');
    const { endpoints } = this.resource(pattern);
    if (!endpoints.has(method)) endpoints.set(method, { gate: gateOf(method, `/v1/${pattern}`), handler });
  }

  private resource(pattern: string): Resource {
    return this.tree.at(pattern, () => ({ pattern, endpoints: new Map() }));
  }
}

function belowGate(gate: EndpointGate, below: NonNullable<EndpointGate['below']>, allow: readonly string[]): ApiFault {
  // Parts of a resource are unknown paths to the router, whole families say what they need.
  const part = /^\/v1\/(?:nodes|volume)\//.test(gate.path);
  const text =
    below.form === 'router' && part ? '' : `The API version must be 1.${gate.min} or newer for ${gate.path}.`;
  return new ApiFault(below.status, text, below.form, below.status === 405 ? allow : []);
}
