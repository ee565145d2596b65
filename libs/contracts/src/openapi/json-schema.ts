/** Words for JSON Schema (2020-12), which is what OpenAPI 3.1 describes bodies in. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const text: JsonSchema = { type: 'string' };
export const filledText: JsonSchema = { type: 'string', minLength: 1 };
export const uuid: JsonSchema = { type: 'string', format: 'uuid' };
export const uri: JsonSchema = { type: 'string', format: 'uri' };
export const whole: JsonSchema = { type: 'integer' };
export const flag: JsonSchema = { type: 'boolean' };
/** An object whose keys are the client's. */
export const free: JsonSchema = { type: 'object' };
export const anything: JsonSchema = {};

export const oneOf = (values: readonly unknown[]): JsonSchema => ({ enum: values });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The schema or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  if (Array.isArray(schema['enum'])) return { ...schema, enum: [...new Set([...(schema['enum'] as unknown[]), null])] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** An object with these keys and no others; all of them there unless `optional` names them. */
export function closed(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** An object with some of these keys and no others. */
export const partOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema =>
  closed(
    properties,
    Object.keys(properties).filter((name) => !required.includes(name)),
  );
