import type { Services } from '../http';
import { globalRequestIdOf, underGlobalRequest } from './global-request';

const ID = 'req-6f1a2b54-0000-4000-8000-00000000f0f0';

it.each([
  [ID, ID],
  [ID.toUpperCase().replace('REQ', 'req'), ID.toUpperCase().replace('REQ', 'req')],
  [ID.slice(4), undefined],
  [`${ID}0`, undefined],
  [`${ID}, ${ID}`, undefined],
  ['req-../../etc/passwd', undefined],
  [undefined, undefined],
])('of %p is %p', (value, expected) => {
  expect(globalRequestIdOf(value === undefined ? {} : { 'x-openstack-request-id': value })).toBe(expected);
});

it('goes along with every command, beside what else does; without one nothing is changed', async () => {
  const send = jest.fn().mockResolvedValue({});
  const services = { commands: { send } } as unknown as Services;
  expect(underGlobalRequest(services, undefined)).toBe(services);
  const { commands } = underGlobalRequest(services, ID);
  const command = { type: 'ClearMaintenance', uuid: 'u' } as const;
  await commands.send(command, 'req-1', { expected: [3] });
  await commands.send(command, 'req-1');
  expect(send.mock.calls).toEqual([
    [command, 'req-1', { expected: [3], globalRequestId: ID }],
    [command, 'req-1', { globalRequestId: ID }],
  ]);
});
