/** The version gates in the declarations are those of the contract: each one there is here, each one here is there. */
import { abortMinMinor, ruleVersions, verbMinMinor } from '@lib/domain';
import facts from '../../../../test/contract-data/microversions.json';
import { interfaceTypes } from '../settings';
import {
  argumentGates,
  biosFields,
  conductorFields,
  detailGate,
  driverFields,
  driverInterfaceMin,
  endpointGates,
  firmwareFields,
  heartbeatArguments,
  historyFields,
  historySummaryFields,
  MINOR_MAX,
  MINOR_MIN,
  nodeFields,
  nodeQueryMin,
  nodeStatesFields,
  plainResources,
  portFields,
  shownStates,
  since,
  v1DocumentLinks,
  vtepVersions,
  type Field,
} from './index';

const minOf = (fields: readonly Field[]): Record<string, number> =>
  Object.fromEntries(fields.filter(({ writeOnly }) => !writeOnly).map((one) => [one.name, one.min]));

const { portgroup, port, allocation, runbook } = plainResources;

describe('section by section', () => {
  it('the range', () => {
    expect([`1.${MINOR_MIN}`, `1.${MINOR_MAX}`]).toEqual([facts.min, facts.max]);
    expect(Object.keys(facts.versions)).toEqual(Array.from({ length: MINOR_MAX }, (_, at) => String(at + 1)));
  });

  it('fields of nodes', () => {
    const always = Object.fromEntries(facts.node_fields_always.map((name) => [name, 1]));
    expect(minOf(nodeFields)).toEqual({ ...always, ...facts.node_fields, ...facts.node_link_fields });
    const states = Object.fromEntries(nodeStatesFields);
    expect(states).toEqual(Object.fromEntries(Object.keys(states).map((name) => [name, minOf(nodeFields)[name]])));
  });

  it.each([
    ['ports', portFields, facts.port_fields],
    ['port groups', portgroup.fields, facts.portgroup_fields],
    ['allocations', allocation.fields, facts.allocation_fields],
    ['runbooks', runbook.fields, facts.runbook_fields],
    ['BIOS settings', biosFields, facts.bios_fields],
    ['firmware components', firmwareFields, facts.firmware_fields],
  ])('fields of %s', (_, fields, expected) => expect(minOf(fields)).toEqual(expected));

  it('fields of history entries', () => {
    expect([...historySummaryFields]).toEqual(facts.history_fields.summary);
    const added = historyFields.filter((one) => !historySummaryFields.has(one.name));
    expect(minOf(added)).toEqual(facts.history_fields.detail_adds);
  });

  it('fields of drivers', () => {
    const { storage, rescue, bios, firmware, name, hosts, links, properties, type, ...others } = facts.driver_fields;
    const [usual] = Object.values(others);
    const wanted: Record<string, number | undefined> = { storage, rescue, bios, firmware };
    expect(driverInterfaceMin).toEqual(Object.fromEntries(interfaceTypes.map((one) => [one, wanted[one] ?? usual])));
    expect(minOf(driverFields)).toMatchObject({ name, hosts, links, properties, type });
    expect(driverFields).toHaveLength(5 + 2 * interfaceTypes.length);
  });

  it('fields of families that have no newer ones come with their endpoints', () => {
    const families = [
      ['/v1/chassis', plainResources.chassis.fields],
      ['/v1/conductors', conductorFields],
      ['/v1/deploy_templates', plainResources.deploy_template.fields],
      ['/v1/volume/connectors', plainResources.volume_connector.fields],
      ['/v1/volume/targets', plainResources.volume_target.fields],
      ['/v1/inspection_rules', plainResources.inspection_rule.fields],
    ] as const;
    for (const [path, fields] of families) {
      const min = facts.endpoints.find((one) => one.path === path)?.min;
      expect([path, [...new Set(fields.map((one: Field) => one.min))]]).toEqual([path, [min]]);
    }
  });

  it('which fields of a port are held to their version, and where', () => {
    const gated = portFields.filter(({ min, create, patch }) => min > 1 && (create !== 'refused' || patch));
    const named = (names: readonly string[]) => names.filter((name) => portFields.some((one) => one.name === name));
    const held = (where: 'create' | 'patch' | 'fields') =>
      gated.filter(({ below }) => below[where] === 406).map(({ name }) => name);
    expect(held('create').sort()).toEqual(named(facts.port_request_406.POST).sort());
    expect(held('patch').sort()).toEqual(named(facts.port_request_406.PATCH).sort());
    expect(held('fields').sort()).toEqual(named(facts.port_request_406['fields= and sort_key=']).sort());
    expect(facts.port_request_406.POST.filter((name) => /\(/.test(name))).toEqual([
      `local_link_connection.network_type(1.${argumentGates.networkType.min})`,
      `local_link_connection.vtep-logical-switch(1.${vtepVersions.first}-1.${vtepVersions.last})`,
      `node_ident(1.${argumentGates.portNodeIdent.min})`,
    ]);
  });

  it('query arguments of nodes, verbs, arguments, document links and shown states', () => {
    expect(nodeQueryMin).toEqual(facts.node_filters);
    expect([argumentGates.fields.min, argumentGates.detail.min]).toEqual([8, 43]);
    expect(verbMinMinor).toEqual(facts.provision_targets);
    expect(v1DocumentLinks).toEqual(facts.v1_document_links);
    expect(shownStates).toEqual(facts.fake_state_values.map(({ below, real, shown }) => ({ below, real, shown })));
    const { _note, ...heartbeat } = facts.heartbeat_arguments;
    expect(heartbeatArguments).toEqual(heartbeat);
  });

  it('the argument `detail` came later to collections that had a list in detail before', () => {
    expect(facts.versions['43'].summary).toContain('nodes, ports, portgroups, chassis');
    const later = Object.values(plainResources).filter((one) => detailGate(one).min === argumentGates.detail.min);
    expect(later.map(({ path }) => path).sort()).toEqual(['chassis', 'portgroups', 'ports']);
    expect(new Set(Object.values(plainResources).map((one) => detailGate(one).min))).toEqual(new Set([1, 43]));
  });

  it('arguments of provisioning; those that go with one verb only come with the verb', () => {
    const { _note, ...known } = facts.provision_arguments;
    expect(known).toEqual({
      'configdrive(string) with active/deploy*': verbMinMinor['active'],
      clean_steps: verbMinMinor['clean'],
      rescue_password: verbMinMinor['rescue'],
      service_steps: verbMinMinor['service'],
      'configdrive with rebuild': argumentGates.configdriveRebuild.min,
      'configdrive(object)': argumentGates.configdriveObject.min,
      'configdrive.vendor_data': argumentGates.configdriveVendorData.min,
      deploy_steps: argumentGates.deploySteps.min,
      'disable_ramdisk with clean': argumentGates.cleanDisableRamdisk.min,
      'disable_ramdisk with service': argumentGates.serviceDisableRamdisk.min,
      runbook: argumentGates.runbook.min,
    });
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

describe('version by version', () => {
  const tables: Readonly<Record<string, Readonly<Record<string, number>>>> = {
    node_fields: minOf(nodeFields),
    node_filters: nodeQueryMin,
    verbs: verbMinMinor,
    port_fields: minOf(portFields),
    portgroup_fields: minOf(portgroup.fields),
    driver_fields: minOf(driverFields),
    allocation_fields: minOf(allocation.fields),
    runbook_fields: minOf(runbook.fields),
    history_fields: minOf(historyFields),
    firmware_fields: minOf(firmwareFields),
  };

  it.each(Object.entries(facts.versions))('what 1.%s lists', (version, { summary: _, ...lists }) => {
    for (const [list, names] of Object.entries(lists as Record<string, unknown>)) {
      if (!Array.isArray(names)) continue;
      // Listed with its twin `deploy`, and accepted at any version (the text of 73 says so).
      const held = (names as string[]).filter((name) => name !== 'undeploy');
      const found = held.map((name) => [list, name, tables[list]?.[name]]);
      expect(found).toEqual(held.map((name) => [list, name, Number(version)]));
    }
  });

  it('filters of the other lists, where the text of a version tells of them', () => {
    const told = (version: keyof typeof facts.versions, words: RegExp) =>
      expect(facts.versions[version].summary).toMatch(words);
    expect(port.filterMin).toEqual({ portgroup: 24, shard: 82 });
    told('24', /ports filter portgroup/);
    told('82', /ports filter shard/);
    expect(portgroup.filterMin).toEqual({ shard: 106 });
    told('106', /Port groups filter shard/);
    expect(allocation.filterMin).toEqual({ owner: 60 });
    told('60', /owner and filter/);
    const others = Object.values(plainResources).filter((one) => ![port, portgroup, allocation].includes(one));
    expect(others.map(({ filterMin }) => filterMin)).toEqual(others.map(() => ({})));
  });

  /** Versions that no declaration names, and why. */
  const exceptions: Readonly<Record<number, string>> = {
    71: 'a marker: rules of access ask for the scope at every version',
    79: 'always on: an allocation prefers the node of its name at every version',
    80: 'a marker: rules of access',
    99: 'not enforced: the filter conductor_groups is taken at every version',
    107: 'sent at every version: the header x-openstack-request-id',
  };

  it('no version is without a declaration, but those that change nothing; none is declared that does not exist', () => {
    const all = [
      ...[nodeFields, portFields, historyFields, conductorFields, driverFields, biosFields, firmwareFields].flat(),
      ...Object.values(plainResources).flatMap(({ fields }) => fields),
    ].map(({ min }) => min);
    const declared = new Set<number>([
      ...all,
      ...endpointGates.map(({ min }) => min),
      ...Object.values(argumentGates).map(({ min }) => min),
      ...Object.values(plainResources).flatMap(({ filterMin }) => Object.values(filterMin)),
      ...[nodeQueryMin, v1DocumentLinks, heartbeatArguments, verbMinMinor, since].flatMap((one) => Object.values(one)),
      ...Object.values(abortMinMinor),
      ...Object.values(ruleVersions),
      ...shownStates.map(({ below }) => below),
      vtepVersions.first,
      vtepVersions.last + 1,
    ]);
    const missing = Object.keys(facts.versions)
      .map(Number)
      .filter((version) => !declared.has(version));
    expect(missing).toEqual(Object.keys(exceptions).map(Number));
    expect([...declared].filter((version) => !(String(version) in facts.versions))).toEqual([]);
  });
});
