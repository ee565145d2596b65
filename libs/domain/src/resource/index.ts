import { sameJson } from '../json';
import { Refusal } from '../refusal';

/** A plain resource (port, chassis, ...): created, changed, removed, with a JSON document. One decider serves them all. */
export type ResourceDocument = Readonly<Record<string, unknown>>;

export type ResourceEvent =
  | { readonly type: `${string}Created`; readonly data: { readonly at: number; readonly document: ResourceDocument } }
  | { readonly type: `${string}Changed`; readonly data: { readonly at: number; readonly changed: ResourceDocument } }
  | { readonly type: `${string}Removed`; readonly data: { readonly at: number } };

export type ResourceCommand =
  | { readonly type: 'Create'; readonly document: ResourceDocument }
  | { readonly type: 'Change'; readonly document: ResourceDocument }
  | { readonly type: 'Remove' };

/** Null: it does not exist. Times are epoch ms. */
export type Resource = {
  readonly document: ResourceDocument;
  readonly createdAt: number;
  readonly updatedAt: number | null;
} | null;

/** What tells one kind of plain resource from another. */
export interface ResourceKind {
  /** As event types begin: `Port`. */
  readonly concept: string;
  /** In sentences: `port`. */
  readonly noun: string;
}

function difference(before: ResourceDocument, after: ResourceDocument): ResourceDocument {
  return Object.fromEntries(Object.entries(after).filter(([key, value]) => !sameJson(value, before[key])));
}

export function decideResource(
  kind: ResourceKind,
  command: ResourceCommand,
  resource: Resource,
  at: number,
): readonly ResourceEvent[] {
  if (command.type === 'Create') {
    if (resource) throw new Refusal('DUPLICATE_UUID', `A ${kind.noun} with this UUID already exists.`);
    return [{ type: `${kind.concept}Created`, data: { at, document: command.document } }];
  }
  if (!resource) throw new Refusal('RESOURCE_NOT_FOUND', `The ${kind.noun} could not be found.`);
  if (command.type === 'Remove') return [{ type: `${kind.concept}Removed`, data: { at } }];
  const changed = difference(resource.document, command.document);
  return [{ type: `${kind.concept}Changed`, data: { at, changed } }];
}

/** Told apart by their type, so that whatever else another release wrote into the data does no harm. */
const isCreated = (event: ResourceEvent): event is Extract<ResourceEvent, { type: `${string}Created` }> =>
  event.type.endsWith('Created');
const isChanged = (event: ResourceEvent): event is Extract<ResourceEvent, { type: `${string}Changed` }> =>
  event.type.endsWith('Changed');
const isRemoved = (event: ResourceEvent): boolean => event.type.endsWith('Removed');

/** An impossible step in the log is a bug and throws; an event of another release is carried (architecture, rule 8). */
export function evolveResource(resource: Resource, event: ResourceEvent): Resource {
  if (isCreated(event)) {
    if (resource) throw new Error(`${event.type} cannot follow here`);
    return { document: event.data.document, createdAt: event.data.at, updatedAt: null };
  }
  if (!resource) throw new Error(`${event.type} cannot follow here`);
  if (isChanged(event)) {
    return { ...resource, document: { ...resource.document, ...event.data.changed }, updatedAt: event.data.at };
  }
  return isRemoved(event) ? null : resource;
}
