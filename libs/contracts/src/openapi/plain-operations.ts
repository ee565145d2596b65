/** The collection and the members of every plain resource, from its declaration. */
import { detailGate, plainResources, type PlainKind, type PlainResource } from '../resources';
import { detailArgument, fieldsArgument, pageArguments } from './fields';
import { ref, text } from './json-schema';
import { chosen, full } from './lists';
import { answers, type Operation, type QueryArgument } from './operation';
import { schemaName } from './resources';

const filtersOf = ({ filters, filterMin, noun }: PlainResource): QueryArgument[] =>
  filters.map((name) => ({
    name,
    min: filterMin[name] ?? 1,
    about: `Only what fits this ${name}: ${noun}.`,
    schema: text,
  }));

/** How the path names a member. */
export const memberOf = ({ path, addressed }: PlainResource): string =>
  `/v1/${path}/{${addressed === 'by UUID' ? 'uuid' : 'ident'}}`;

/** `GET` of the collection at a place, and in detail where that has a path of its own. */
export function listings(kind: PlainKind, place: string, of: string, filtered: boolean): Operation[] {
  const declared = plainResources[kind];
  const { fields, listKey, hasDetailPath, path } = declared;
  const name = schemaName(kind);
  const filters = filtered ? filtersOf(declared) : [];
  const list: Operation = {
    method: 'GET',
    path: place,
    summary: `List ${of}`,
    tag: path,
    query: (minor) => [
      ...pageArguments(fields, minor),
      fieldsArgument(fields, minor),
      detailArgument(detailGate(declared).min),
      ...filters,
    ],
    answers: answers(200, chosen(listKey, name)),
  };
  const detailed: Operation = {
    method: 'GET',
    path: `${place}/detail`,
    summary: `List ${of} with all fields`,
    tag: path,
    query: (minor) => [...pageArguments(fields, minor), ...filters],
    answers: answers(200, full(listKey, name)),
  };
  return hasDetailPath ? [list, detailed] : [list];
}

export function plainOperations(kind: PlainKind): Operation[] {
  const declared = plainResources[kind];
  const { fields, path: tag, noun } = declared;
  const name = schemaName(kind);
  const member = memberOf(declared);
  return [
    ...listings(kind, `/v1/${tag}`, `all of kind ${noun}`, true),
    {
      method: 'POST',
      path: `/v1/${tag}`,
      summary: `Create: ${noun}`,
      tag,
      body: () => ref(`${name}Creation`),
      bodyOptional: !fields.some(({ create }) => create === 'required'),
      answers: answers(201, ref(name)),
      located: true,
      tagged: true,
    },
    {
      method: 'GET',
      path: member,
      summary: `Show: ${noun}`,
      tag,
      query: (minor) => [fieldsArgument(fields, minor)],
      answers: answers(200, ref(`${name}Fields`)),
      tagged: true,
    },
    {
      method: 'PATCH',
      path: member,
      summary: `Change: ${noun}`,
      tag,
      body: () => ref(`${name}Patch`),
      answers: answers(200, ref(name)),
      tagged: true,
    },
    { method: 'DELETE', path: member, summary: `Remove: ${noun}`, tag, answers: answers(204, null) },
  ];
}
