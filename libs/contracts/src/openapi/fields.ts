/** Fields of a declaration as properties: as they are shown, as they may be sent, and what a list may do with them. */
import { argumentGates, type Field } from '../resources';
import { flag, free, oneOf, orNull, ref, text, uuid, whole, type JsonSchema } from './json-schema';
import type { QueryArgument } from './operation';

type Properties = Record<string, JsonSchema>;

/** Fields that are shown otherwise than their type says. */
export type Shown = Readonly<Record<string, (minor: number) => JsonSchema>>;

const shownAs: Readonly<Record<Field['type'], JsonSchema>> = {
  uuid,
  string: text,
  integer: whole,
  boolean: flag,
  object: free,
  list: { type: 'array' },
  time: { type: 'string', format: 'date-time' },
  links: ref('Links'),
};

/** Booleans are also taken as words. */
const sentAs: Readonly<Record<Field['type'], JsonSchema>> = {
  ...shownAs,
  boolean: { type: ['boolean', 'string'], description: 'true, false, or a word for one of them.' },
};

export const shownFields = (fields: readonly Field[], minor: number): Field[] =>
  fields.filter((field) => field.min <= minor && !field.writeOnly);

export function shownProperties(fields: readonly Field[], minor: number, shown: Shown = {}): Properties {
  return Object.fromEntries(
    shownFields(fields, minor).map((field) => [field.name, shown[field.name]?.(minor) ?? shownSchema(field)]),
  );
}

function shownSchema(field: Field): JsonSchema {
  const schema = field.oneOf ? oneOf(field.oneOf) : shownAs[field.type];
  return field.nullable && field.empty === null ? orNull(schema) : canBeNull(field) ? orNull(schema) : schema;
}

/** A nullable boolean with a default reads null once it was emptied. */
const canBeNull = ({ nullable, type }: Field): boolean => nullable && type === 'boolean';

export function sentSchema(field: Field): JsonSchema {
  const { maxLength, minLength, minimum, maximum } = field;
  const limits = Object.fromEntries(
    Object.entries({ maxLength, minLength, minimum, maximum }).filter(([, value]) => value !== undefined),
  );
  const schema = { ...(field.oneOf ? oneOf(field.oneOf) : sentAs[field.type]), ...limits };
  return field.nullable ? orNull(schema) : schema;
}

/** The body of a creation. `more`: what is no field, and fields whose values are told more exactly than by their type. */
export function creation(fields: readonly Field[], minor: number, more: Properties = {}): JsonSchema {
  const sendable = fields.filter((field) => field.min <= minor && field.create !== 'refused');
  const required = sendable.filter(({ create }) => create === 'required').map(({ name }) => name);
  return {
    type: 'object',
    properties: { ...Object.fromEntries(sendable.map((field) => [field.name, sentSchema(field)])), ...more },
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** A JSON patch of these fields. */
export function patchOf(fields: readonly Field[], minor: number): JsonSchema {
  const roots = fields.filter((field) => field.patch && field.min <= minor).map(({ name }) => name);
  return {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        op: oneOf(['add', 'replace', 'remove']),
        path: { type: 'string', pattern: `^/(?:${roots.join('|')})(?:/.+)?$` },
        value: { description: 'Needed by add and replace.' },
      },
      required: ['op', 'path'],
      additionalProperties: false,
    },
  };
}

/** `fields=`, from the version that knows it. */
export const fieldsArgument = (
  fields: readonly Field[],
  minor: number,
  min: number = argumentGates.fields.min,
): QueryArgument => ({
  name: 'fields',
  min,
  about: 'The fields to show; links always are.',
  schema: oneOf(
    shownFields(fields, minor)
      .filter(({ selectable }) => selectable)
      .map(({ name }) => name),
  ),
  list: true,
});

export const detailArgument = (min: number = argumentGates.detail.min): QueryArgument => ({
  name: 'detail',
  min,
  about: 'Show all fields. Excludes `fields`.',
  schema: flag,
});

/** Paging and sorting. */
export const pageArguments = (fields: readonly Field[], minor: number): QueryArgument[] => [
  {
    name: 'limit',
    min: 1,
    about: 'Items of a page, at most [api] max_limit.',
    schema: { type: 'integer', minimum: 1 },
  },
  { name: 'marker', min: 1, about: 'The last item of the page before.', schema: text },
  {
    name: 'sort_key',
    min: 1,
    about: 'The field to sort by; without it the order of creation.',
    schema: oneOf([
      'id',
      ...shownFields(fields, minor)
        .filter(({ sortable }) => sortable)
        .map(({ name }) => name),
    ]),
  },
  { name: 'sort_dir', min: 1, about: 'The direction of the sorting.', schema: oneOf(['asc', 'desc']) },
];
