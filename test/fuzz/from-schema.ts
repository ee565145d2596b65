/** Values that a schema of the description allows, or nearly so. */
import fc from 'fast-check';
import type { JsonSchema, OpenApiDocument } from '@lib/contracts/openapi';
import { likely } from './likely';
import { anyJson, macs, oddNumbers, texts, uuids } from './words';

type Make = fc.Arbitrary<unknown>;
type Named = Readonly<Record<string, JsonSchema>>;

export const schemasOf = ({ components }: OpenApiDocument): Named => components['schemas'] ?? {};

const nameIn = (reference: string): string => reference.replace('#/components/schemas/', '');

/** The values of one field are also those that a patch of it should have. */
export function valuesOf(schema: JsonSchema, named: Named): Make {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = nameIn(reference);
    const target = named[name] ?? {};
    return name.endsWith('Patch')
      ? patches(target, named[name.replace(/Patch$/, 'Creation')] ?? {}, named)
      : valuesOf(target, named);
  }
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) return fc.oneof(...(choices as JsonSchema[]).map((one) => valuesOf(one, named)));
  const types = [schema['type']].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, named)));
}

function ofType(type: unknown, schema: JsonSchema, named: Named): Make {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'string':
      return strings(schema);
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as JsonSchema, named), { maxLength: 4 });
    case 'object':
      return objects(schema, named);
    default:
      return anyJson;
  }
}

function integers({ minimum = 0, maximum = 200 }: JsonSchema): Make {
  return fc.oneof({ arbitrary: fc.integer({ min: Number(minimum), max: Number(maximum) }), weight: 4 }, oddNumbers);
}

const words: readonly string[] = ['true', 'False', 'on', 'n', '1'];

function strings(schema: JsonSchema): Make {
  if (schema['format'] === 'uuid') return uuids;
  if (typeof schema['description'] === 'string' && schema['description'].includes('word'))
    return fc.constantFrom(...words);
  const pattern = schema['pattern'];
  if (typeof pattern === 'string') return pattern.includes('a-f') ? macs : fc.nat(9).map(String);
  const { maxLength } = schema;
  if (typeof maxLength !== 'number') return fc.oneof({ arbitrary: texts, weight: 4 }, macs);
  const atTheLimit = fc.constantFrom(maxLength, maxLength + 1).map((length) => 'y'.repeat(length));
  return fc.oneof({ arbitrary: texts, weight: 4 }, macs, atTheLimit);
}

function objects(schema: JsonSchema, named: Named): Make {
  const properties = (schema['properties'] ?? {}) as Named;
  const entries = Object.entries(properties).map(
    ([name, inner]) => [name, likely(name, valuesOf(inner, named))] as const,
  );
  const requiredKeys = (schema['required'] ?? []) as string[];
  const known = requiredKeys.filter((name) => name in properties);
  const given = fc.record(Object.fromEntries(entries), { requiredKeys: known }) as Make;
  if (schema['additionalProperties'] === false || entries.length > 0)
    return entries.length > 6 ? sparse(entries, known) : given;
  return fc.dictionary(texts, anyJson, { maxKeys: 4 });
}

/** All that must be there and a few of the rest: a body with every key is refused for one of them nearly always. */
function sparse(entries: readonly (readonly [string, Make])[], required: readonly string[]): Make {
  const optional = entries.filter(([name]) => !required.includes(name));
  const must = entries.filter(([name]) => required.includes(name));
  return fc
    .subarray(
      optional.map((_, at) => at),
      { maxLength: Math.min(5, optional.length) },
    )
    .chain((chosen) => {
      const all = [...must, ...chosen.flatMap((at) => optional.slice(at, at + 1))];
      return fc
        .tuple(...all.map(([, make]) => make))
        .map((values) => Object.fromEntries(all.map(([name], at) => [name, values[at]])));
    });
}

/** Operations on the fields that the patch may name, mostly with values that the field may have. */
function patches(patch: JsonSchema, creation: JsonSchema, named: Named): Make {
  const items = patch['items'] as { readonly properties?: { readonly path?: { readonly pattern?: string } } };
  const roots = /\(\?:([^)]*)\)/.exec(items.properties?.path?.pattern ?? '')?.[1]?.split('|') ?? [];
  const fields = (creation['properties'] ?? {}) as Named;
  const deeper = fc.constantFrom(
    '',
    '',
    '',
    '/a',
    '/a/b',
    '/0',
    '/-',
    '/a~1b',
    '/a~0b',
    '/__proto__',
    '/constructor',
    '/password',
  );
  const operation = fc.constantFrom(...(roots.length > 0 ? roots : ['extra'])).chain((root) => {
    const field = fields[root];
    const value =
      field === undefined
        ? anyJson
        : fc.oneof({ arbitrary: likely(root, valuesOf(field, named)), weight: 12 }, anyJson);
    return fc.record(
      { op: fc.constantFrom('add', 'replace', 'remove'), path: deeper.map((rest) => `/${root}${rest}`), value },
      { requiredKeys: ['op', 'path'] },
    );
  });
  return fc.oneof(
    { arbitrary: fc.array(operation, { minLength: 1, maxLength: 1 }), weight: 3 },
    fc.array(operation, { maxLength: 4 }),
  );
}
