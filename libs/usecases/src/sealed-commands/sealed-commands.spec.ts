import type { Command } from '@lib/contracts';
import type { Sealed, TransportBox } from '@lib/ports';
import { openCommand, sealCommand } from '.';

/** Seals by turning round: enough to see what was sealed. */
const box: TransportBox = {
  seal: (value): Sealed => ({ sealed: 'bus', iv: '', tag: '', data: [...JSON.stringify(value)].reverse().join('') }),
  open: ({ data }) => JSON.parse([...data].reverse().join('')) as unknown,
  fingerprint: (text) => text,
};

const create: Command = {
  type: 'CreateNode',
  uuid: 'u',
  initialState: 'enroll',
  fields: { driver: 'd', driver_info: { redfish_password: 'geheim' }, instance_info: {}, extra: { password: 'open' } },
};
const patch: Command = {
  type: 'PatchNode',
  uuid: 'u',
  minor: 90,
  resetInterfaces: false,
  patch: [
    { op: 'add', path: '/driver_info/redfish_password', value: 'geheim' },
    { op: 'remove', path: '/driver_info/x' },
    { op: 'add', path: '/name', value: 'n' },
  ],
};

describe('commands on the bus', () => {
  it.each([create, patch])('carry no secret in the clear, and come out as they went in', (command) => {
    const sealed = sealCommand(command, box);
    expect(JSON.stringify(sealed)).not.toContain('geheim');
    expect(openCommand(sealed, box)).toEqual(command);
  });

  it('leaves what can hold no secret as it is', () => {
    expect(sealCommand({ type: 'RemoveNode', uuid: 'u' }, box)).toEqual({ type: 'RemoveNode', uuid: 'u' });
    expect(sealCommand(create, box)).toMatchObject({
      fields: { driver: 'd', instance_info: {}, extra: { password: 'open' } },
    });
  });

  it('refuses what no service of ours sealed', () => {
    const broken: TransportBox = { ...box, open: () => JSON.parse('{') as unknown };
    expect(() => openCommand(sealCommand(create, box), broken)).toThrow('master key');
  });
});
