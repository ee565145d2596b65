import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalCodes } from '@lib/domain';
import { ApiFault, faultBody, refusalFault, refusalStatus } from './index';

const page = readFileSync(join(__dirname, '../../../../docs/errors.md'), 'utf8');

describe('refusals and statuses', () => {
  it('stand in docs/errors.md as they are in the code', () => {
    const rows = [...page.matchAll(/^\| ([A-Z_]+) \| (\d{3}) \|/gm)].map(([, code, status]) => [code, Number(status)]);
    expect(Object.fromEntries(rows)).toEqual(refusalStatus);
    expect(rows.map(([code]) => code)).toEqual([...refusalCodes]);
  });

  it('make a fault in the resource form', () => {
    const fault = refusalFault('NODE_LOCKED', 'locked');
    expect([fault.status, fault.form, fault.message]).toEqual([409, 'resource', 'locked']);
  });
});

describe('faultBody', () => {
  it('encodes twice, in the form of its origin', () => {
    const inner = (fault: ApiFault) =>
      JSON.parse((JSON.parse(faultBody(fault)) as { error_message: string }).error_message);
    expect(inner(new ApiFault(404, 'gone'))).toEqual({ faultcode: 'Client', faultstring: 'gone', debuginfo: null });
    expect(inner(new ApiFault(503, 'busy'))).toMatchObject({ faultcode: 'Server' });
    expect(inner(new ApiFault(405, '', 'router'))).toEqual({ code: 405, title: 'Method Not Allowed', description: '' });
  });

  it('leaves the limits on bodies unwrapped', () => {
    expect(JSON.parse(faultBody(new ApiFault(413, 'large', 'bare')))).toEqual({
      faultcode: 'Client',
      faultstring: 'large',
    });
  });
});
