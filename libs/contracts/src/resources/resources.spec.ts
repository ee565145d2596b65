import { verbMinMinor } from '@lib/domain';
import facts from '../../../../test/contract-data/microversions.json';
import {
  columnsOf,
  conductorFields,
  documentSchemas,
  driverInterfaceMin,
  endpointGates,
  historyFields,
  historySummaryFields,
  MINOR_MAX,
  MINOR_MIN,
  nodeFields,
  nodeQueryMin,
  portFields,
  portPatchVersioned,
  shownStates,
  v1DocumentLinks,
  type Field,
} from './index';

const minOf = (fields: readonly Field[]): Record<string, number> =>
  Object.fromEntries(fields.map((one) => [one.name, one.min]));

describe('the version gates are those of the contract', () => {
  it('the range', () => {
    expect([`1.${MINOR_MIN}`, `1.${MINOR_MAX}`]).toEqual([facts.min, facts.max]);
  });

  it('node fields', () => {
    const always = Object.fromEntries(facts.node_fields_always.map((name) => [name, 1]));
    expect(minOf(nodeFields)).toEqual({ ...always, ...facts.node_fields, ...facts.node_link_fields });
  });

  it('port fields, and which of them a PATCH is held to', () => {
    expect(minOf(portFields)).toEqual(facts.port_fields);
    expect([...portPatchVersioned]).toEqual(facts.port_request_406.PATCH.filter((name) => !name.includes('/')));
  });

  it('history fields', () => {
    expect([...historySummaryFields]).toEqual(facts.history_fields.summary);
    const added = historyFields.filter((one) => !historySummaryFields.has(one.name));
    expect(minOf(added)).toEqual(facts.history_fields.detail_adds);
  });

  it('driver interface fields and conductors', () => {
    const { storage, rescue, bios, firmware } = facts.driver_fields;
    expect(driverInterfaceMin).toMatchObject({ storage, rescue, bios, firmware, power: 30 });
    expect(conductorFields.every((one) => one.min === 49)).toBe(true);
  });

  it('query arguments, verbs, document links and shown states', () => {
    expect(nodeQueryMin).toEqual(facts.node_filters);
    expect(verbMinMinor).toEqual(facts.provision_targets);
    expect(v1DocumentLinks).toEqual(facts.v1_document_links);
    expect(shownStates).toEqual(facts.fake_state_values.map(({ below, real, shown }) => ({ below, real, shown })));
  });

  it('endpoints: the same methods and paths, the same status below', () => {
    const expected = facts.endpoints.flatMap((one) => one.method.split('|').map((method) => ({ ...one, method })));
    expect(endpointGates.map(({ method, path, min }) => [method, path, min])).toEqual(
      expected.map(({ method, path, min }) => [method, path, min]),
    );
    endpointGates.forEach((gate, at) => {
      const text = expected[at]?.below ?? '';
      const method = gate.method === '*' ? 'any' : gate.method;
      const own = new RegExp(`(?:^|, )(?:${method}|others) (\\d+)`).exec(text) ?? /^(\d+)/.exec(text);
      expect([gate.method, gate.path, gate.below?.status ?? null]).toEqual([
        gate.method,
        gate.path,
        own ? Number(own[1]) : null,
      ]);
    });
  });
});

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
