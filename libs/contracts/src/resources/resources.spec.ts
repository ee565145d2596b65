import { columnsOf, documentSchemas, historyFields, nodeFields, nodeQueryMin, portFields, type Field } from './index';

const minOf = (fields: readonly Field[]): Record<string, number> =>
  Object.fromEntries(fields.map((one) => [one.name, one.min]));

describe('the tables derived from the fields', () => {
  it('fields stand in the order of their versions, each once', () => {
    for (const fields of [nodeFields, portFields, historyFields]) {
      const mins = fields.map((one) => one.min);
      expect(mins).toEqual([...mins].sort((a, b) => a - b));
      expect(new Set(fields.map((one) => one.name)).size).toBe(fields.length);
    }
  });

  it('every filter of the node list that is a field has a column', () => {
    const node = documentSchemas.find((one) => one.kind === 'node');
    const columns = new Set(Object.keys(node?.columns ?? {}));
    const filtered = Object.keys(nodeQueryMin).filter((name) => minOf(nodeFields)[name] !== undefined);
    expect(filtered.filter((name) => !columns.has(name))).toEqual(['conductor']);
  });

  it('columnsOf picks scalars and leaves objects out', () => {
    const row = columnsOf('port', { uuid: 'u', address: 'a', extra: { a: 1 }, pxe_enabled: false, name: ['x'] });
    expect(row).toMatchObject({ uuid: 'u', address: 'a', pxe_enabled: false, name: null, node_uuid: null });
    expect(row).not.toHaveProperty('extra');
  });
});
