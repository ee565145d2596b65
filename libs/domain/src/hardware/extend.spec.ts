import { defaultInterface, extendTypes, hardwareTypes, interfacesOf, knownInterfaces } from '.';
import type { HardwareAdditions } from '.';
import { interfaceTypes } from '../node/fields';

const additions = (rest: Partial<HardwareAdditions> = {}): HardwareAdditions => ({
  types: [{ name: 'rack', supports: { power: ['rack'], inspect: ['rack', 'agent'] }, properties: { rack: 'Where.' } }],
  interfaces: { power: ['rack'], inspect: ['rack'] },
  supportedBy: {},
  ...rest,
});

describe('hardware types with an extension', () => {
  const { types, problems } = extendTypes(hardwareTypes, additions());

  it('are those that ship and its own', () => {
    expect(problems).toEqual([]);
    expect([...types.keys()]).toEqual([...hardwareTypes.keys(), 'rack']);
    expect(types.get('rack')).toMatchObject({ acceptsAny: false, properties: { rack: 'Where.' } });
  });

  it('support what it names, in its order, and end with the interfaces that stand for none', () => {
    expect(types.get('rack')?.supports).toMatchObject({
      inspect: ['rack', 'agent', 'no-inspect'],
      power: ['rack'],
      deploy: ['direct', 'ramdisk'],
      raid: ['no-raid'],
      storage: ['noop'],
    });
    for (const kind of interfaceTypes) expect(types.get('rack')?.supports[kind]).not.toEqual([]);
  });

  it('offer its interfaces to the type that takes any, after its own', () => {
    expect(types.get('fake-hardware')?.supports.inspect).toEqual(['fake', 'inspector', 'agent', 'rack', 'no-inspect']);
    expect(types.get('redfish')?.supports).toEqual(hardwareTypes.get('redfish')?.supports);
    expect(interfacesOf('inspect', types)).toEqual([...knownInterfaces('inspect'), 'rack'].sort());
  });

  it('take an interface more where the extension says so, and keep their defaults', () => {
    const more = extendTypes(
      hardwareTypes,
      additions({ types: [], supportedBy: { 'manual-management': { inspect: ['rack'] } } }),
    );
    const type = more.types.get('manual-management');
    expect(type?.supports.inspect).toEqual(['inspector', 'agent', 'rack', 'no-inspect']);
    const none = Object.fromEntries(interfaceTypes.map((kind) => [kind, null])) as Record<
      (typeof interfaceTypes)[number],
      null
    >;
    const enabled = Object.fromEntries(interfaceTypes.map((kind) => [kind, ['rack', 'no-inspect']])) as Record<
      (typeof interfaceTypes)[number],
      string[]
    >;
    expect(type && defaultInterface(type, 'inspect', { enabled, defaults: none })).toBe('rack');
  });

  it.each<[string, Partial<HardwareAdditions>, string]>([
    [
      'a type that exists',
      { types: [{ name: 'redfish', supports: { power: ['rack'] } }] },
      'hardware type "redfish" already',
    ],
    [
      'a type twice',
      { types: [1, 2].map(() => ({ name: 'twin', supports: { power: ['rack'] } })) },
      'there is a hardware type "twin" already',
    ],
    [
      'an interface that exists',
      { interfaces: { power: ['rack', 'fake'], inspect: ['rack'] } },
      'power interface "fake" already',
    ],
    ['a type without power', { types: [{ name: 'dark', supports: {} }] }, '"dark" names no power interface'],
    [
      'an interface that nobody brings',
      { types: [{ name: 'rack', supports: { power: ['rack'], boot: ['warp'] } }] },
      'supports the boot interface "warp", which nobody brings',
    ],
    ['more for a type that is not there', { supportedBy: { ghost: { boot: ['ipxe'] } } }, 'no hardware type "ghost"'],
    ['more that nobody brings', { supportedBy: { redfish: { raid: ['warp'] } } }, 'the raid interface "warp"'],
  ])('are left as they were by %s', (_what, rest, text) => {
    const refused = extendTypes(hardwareTypes, additions(rest));
    expect(refused.problems).toEqual([expect.stringContaining(text)]);
    expect(refused.types).toBe(hardwareTypes);
  });
});
