import * as fc from 'fast-check';
import {
  MASK,
  foreignSealedField,
  isSealed,
  isSecretName,
  maskEventData,
  maskSecrets,
  unsealedSecrets,
  withSecretsSealed,
} from '.';
import type { SealedValue } from '.';

const seal = (data: string): SealedValue => ({ sealed: 'key-1', iv: 'i', tag: 't', data });
const json = (text: string): unknown => JSON.parse(text);

describe('a secret name', () => {
  it.each([
    'password',
    'redfish_password',
    'IPMI_PASSWORD',
    'ipmi-password',
    'adminPass',
    'admin_pass',
    'agent_secret_token',
    'auth_token',
    'my-api-key',
    'snmp_auth_key',
    'private_key',
    'encryption_key',
    'passphrase',
    'sys_pswd',
    'Credentials',
  ])('%s is one', (name) => expect(isSecretName(name)).toBe(true));

  it.each(['redfish_username', 'redfish_address', 'key', 'ssh_key_path', 'deploy_kernel', 'pass', '', '__proto__'])(
    '%s is none',
    (name) => expect(isSecretName(name)).toBe(false),
  );
});

describe('masking', () => {
  it('hides secrets at every depth, in objects and lists', () => {
    const value = { redfish_password: 'x', b: { c: [{ token: 'y', d: 1 }, ['z']] } };
    expect(maskSecrets('driver_info', value)).toEqual({
      redfish_password: MASK,
      b: { c: [{ token: MASK, d: 1 }, ['z']] },
    });
  });

  it('hides whatever a secret name holds', () => {
    const value = { password: { a: 1 }, token: ['x'], secret: 7, passwd: false };
    expect(maskSecrets('driver_info', value)).toEqual({ password: MASK, token: MASK, secret: MASK, passwd: MASK });
  });

  it('shows that there is none', () => {
    const value = { password: null, token: '', secret: undefined };
    expect(maskSecrets('driver_info', value)).toEqual(value);
  });

  it("knows each field's own secrets, at its top only", () => {
    const value = { configdrive: 'c', image_url: 'u', snmp_auth_key: 'k', deep: { configdrive: 'c' } };
    expect(maskSecrets('instance_info', value)).toEqual({
      configdrive: MASK,
      image_url: MASK,
      snmp_auth_key: MASK,
      deep: { configdrive: 'c' },
    });
    expect(maskSecrets('driver_info', value)).toMatchObject({ configdrive: 'c', image_url: 'u', snmp_auth_key: MASK });
    expect(maskSecrets('instance_info', { configdrive: '', image_url: null })).toEqual({
      configdrive: '',
      image_url: null,
    });
  });

  it('hides a sealed value wherever a patch has moved it', () => {
    expect(maskSecrets('driver_info', { note: [seal('a')], deep: { x: seal('b') } })).toEqual({
      note: [MASK],
      deep: { x: MASK },
    });
  });

  it('hides in the data of an event what is sealed and what its name calls secret', () => {
    const sealed = { note: seal('a'), list: [1, seal('b')] };
    const named = { api_token: 'plain', nested: [{ password: 'p', user: 'u' }], token: '', secret: 7, passwd: null };
    expect(maskEventData({ sealed, named })).toEqual({
      sealed: { note: MASK, list: [1, MASK] },
      named: { api_token: MASK, nested: [{ password: MASK, user: 'u' }], token: '', secret: 7, passwd: null },
    });
  });

  it('takes __proto__ for data', () => {
    const masked = maskSecrets('driver_info', json('{"__proto__": {"password": "x", "a": 1}}')) as object;
    expect(JSON.stringify(masked)).toBe(`{"__proto__":{"password":"${MASK}","a":1}}`);
    expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
    expect(JSON.stringify(maskEventData(json('{"__proto__": 1}')))).toBe('{"__proto__":1}');
  });

  it('leaves what is no object', () => {
    for (const value of [null, undefined, 1, 'text', true]) expect(maskSecrets('driver_info', value)).toBe(value);
  });
});

describe('sealing', () => {
  const value = {
    password: 'one',
    list: [{ token: 'two' }, { secret: seal('old') }],
    name: 'n',
    z: { password: { a: 3 } },
  };

  it('finds the open secrets in the order in which it replaces them', () => {
    expect(unsealedSecrets('driver_info', value)).toEqual(['one', 'two', { a: 3 }]);
    expect(withSecretsSealed('driver_info', value, [seal('1'), seal('2'), seal('3')])).toEqual({
      password: seal('1'),
      list: [{ token: seal('2') }, { secret: seal('old') }],
      name: 'n',
      z: { password: seal('3') },
    });
  });

  it('leaves a sealed value that was moved under another name', () => {
    expect(unsealedSecrets('driver_info', { note: seal('a'), password: seal('b') })).toEqual([]);
  });

  it('is complete: afterwards nothing is open, nothing else has changed, and the mask is the same', () => {
    const key = fc.constantFrom('password', 'a', 'list', 'my_token', 'snmp_auth_key', '__proto__', 'deep');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        tie('object'),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
      object: fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    }));
    fc.assert(
      fc.property(tree, (any) => {
        const open = unsealedSecrets('driver_info', any);
        const sealed = withSecretsSealed(
          'driver_info',
          any,
          open.map((_, index) => seal(String(index))),
        );
        expect(unsealedSecrets('driver_info', sealed)).toEqual([]);
        expect(maskSecrets('driver_info', sealed)).toEqual(maskSecrets('driver_info', any));
        expect(foreignSealedField({}, { driver_info: sealed })).toBe(open.length > 0 ? 'driver_info' : null);
        expect(JSON.stringify(sealed)).not.toContain('undefined');
      }),
    );
  });
});

describe('a sealed value', () => {
  it('has its four parts, as texts, and no other', () => {
    expect(isSealed(seal('x'))).toBe(true);
    for (const other of [null, 'x', [], {}, { ...seal('x'), more: 1 }, { ...seal('x'), data: 1 }, [seal('x')]]) {
      expect(isSealed(other)).toBe(false);
    }
    expect(isSealed({ sealed: 'k', iv: 'i', tag: 't' })).toBe(false);
  });

  it('that no client can have made is found at any depth of a secret field', () => {
    const forged = { a: [{ b: seal('x') }] };
    expect(foreignSealedField({}, { driver_info: forged })).toBe('driver_info');
    expect(foreignSealedField({}, { instance_info: forged })).toBe('instance_info');
    expect(foreignSealedField({}, { driver_info: { a: [{ b: { ...seal('x'), data: 1 } }], c: null } })).toBeNull();
  });

  it('may move, be copied and be removed, but not be altered', () => {
    const before = { driver_info: { password: seal('x') }, instance_info: {} };
    expect(foreignSealedField(before, before)).toBeNull();
    expect(foreignSealedField(before, { driver_info: {}, instance_info: { a: [seal('x'), seal('x')] } })).toBeNull();
    expect(foreignSealedField(before, { driver_info: {}, instance_info: {} })).toBeNull();
    expect(foreignSealedField(before, { driver_info: { password: seal('y') } })).toBe('driver_info');
  });

  it("elsewhere is a client's own affair", () => {
    expect(foreignSealedField({}, { extra: { a: seal('x') } })).toBeNull();
  });
});
