import { refusalOf } from '@lib/testing/specify';
import { chooseInterfaces, defaultInterface, enabledFor, hardwareTypes, inspectFacts, knownInterfaces } from '.';
import type { EnabledInterfaces, HardwareType } from '.';
import { interfaceField, interfaceTypes } from '../node';
import type { InterfaceType } from '../node';

const perType = <T>(value: (type: InterfaceType) => T) =>
  Object.fromEntries(interfaceTypes.map((type) => [type, value(type)])) as Record<InterfaceType, T>;

/** Everything that some hardware type knows is enabled, without a configured default, unless said otherwise. */
function settings(
  enabled: Partial<EnabledInterfaces['enabled']> = {},
  defaults: Partial<EnabledInterfaces['defaults']> = {},
) {
  return {
    enabled: { ...perType((type) => knownInterfaces(type)), ...enabled },
    defaults: { ...perType((): string | null => null), ...defaults },
  };
}

function typeOf(name: string): HardwareType {
  const type = hardwareTypes.get(name);
  if (!type) throw new Error(`${name} is no hardware type`);
  return type;
}

describe('the inspect interface of a new node', () => {
  const all = ['agent', 'fake', 'inspector', 'no-inspect', 'redfish'];

  it.each([
    ['fake-hardware', all, 'fake'],
    ['fake-hardware', ['agent', 'inspector', 'no-inspect'], 'inspector'],
    ['redfish', all, 'redfish'],
    ['redfish', ['agent', 'inspector', 'no-inspect'], 'inspector'],
    ['redfish', ['agent', 'no-inspect'], 'agent'],
    ['manual-management', all, 'inspector'],
    ['manual-management', ['no-inspect', 'fake'], 'no-inspect'],
  ])('of %s with %j enabled is %s', (name, enabled, expected) => {
    expect(chooseInterfaces(typeOf(name), {}, settings({ inspect: enabled })).inspect_interface).toBe(expected);
  });

  it('is the configured default where the hardware type can use it', () => {
    const configured = settings({}, { inspect: 'agent' });
    expect(defaultInterface(typeOf('redfish'), 'inspect', configured)).toBe('agent');
    expect(defaultInterface(typeOf('manual-management'), 'inspect', settings({}, { inspect: 'redfish' }))).toBe(
      'inspector',
    );
    expect(
      defaultInterface(typeOf('redfish'), 'inspect', settings({ inspect: ['inspector'] }, { inspect: 'agent' })),
    ).toBe('inspector');
  });

  it('is refused where nothing suits', () => {
    const refusal = refusalOf(() => chooseInterfaces(typeOf('redfish'), {}, settings({ inspect: ['fake'] })));
    expect([refusal.code, refusal.message]).toEqual(['INVALID_INTERFACE', expect.stringContaining('inspect')]);
  });
});

describe('the interfaces of a node', () => {
  it.each([...hardwareTypes.keys()])('of %s are all there', (name) => {
    const chosen = chooseInterfaces(typeOf(name), {}, settings());
    expect(Object.keys(chosen).sort()).toEqual(interfaceTypes.map(interfaceField).sort());
    for (const type of interfaceTypes) expect(typeOf(name).supports[type]).toContain(chosen[interfaceField(type)]);
  });

  it('are those asked for, when enabled and supported', () => {
    const asked = chooseInterfaces(typeOf('redfish'), { inspect_interface: 'agent', bios_interface: null }, settings());
    expect(asked).toMatchObject({ inspect_interface: 'agent', bios_interface: 'redfish' });
  });

  it('that are not enabled are refused, naming the valid ones', () => {
    const ask = () =>
      chooseInterfaces(typeOf('redfish'), { inspect_interface: 'agent' }, settings({ inspect: ['redfish', 'fake'] }));
    const { code, message } = refusalOf(ask);
    expect(code).toBe('INVALID_INTERFACE');
    expect(message).toContain('agent');
    expect(message).toContain('redfish');
    expect(message).not.toContain('fake');
  });

  it('that the hardware type does not support are refused, except by the fake one', () => {
    const asked = { inspect_interface: 'redfish' };
    expect(refusalOf(() => chooseInterfaces(typeOf('manual-management'), asked, settings())).message).toContain(
      'not supported',
    );
    expect(chooseInterfaces(typeOf('fake-hardware'), asked, settings()).inspect_interface).toBe('redfish');
    expect(
      refusalOf(() => chooseInterfaces(typeOf('fake-hardware'), asked, settings({ inspect: ['fake'] }))).code,
    ).toBe('INVALID_INTERFACE');
  });

  it('enabled for a hardware type are sorted, and leave its order of preference alone', () => {
    const type = typeOf('redfish');
    const before = [...type.supports.inspect];
    expect(enabledFor(type, 'inspect', settings())).toEqual(['agent', 'inspector', 'no-inspect', 'redfish']);
    expect(type.supports.inspect).toEqual(before);
  });
});

describe('what an inspect interface can do', () => {
  it.each([
    ['inspector', true, 'on timeout or managed boot', true],
    ['agent', true, 'always', false],
    ['fake', false, 'never', false],
    ['no-inspect', false, 'never', false],
    ['redfish', false, 'never', false],
    ['someone-elses', false, 'never', false],
  ])('%s', (name, abort, powerOff, startsIntrospection) => {
    expect(inspectFacts(name)).toEqual({ name, abort, powerOff, startsIntrospection, takesData: name === 'agent' });
  });
});
