/** Reports on inspection rules, through the API and at the start; those on carrying them out are beside that use case. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBuiltInRules } from '@lib/adapters/rules-file';
import { Whole, type Client } from '../whole';
import { expectSoundEnd } from './row';

const fail = { op: 'fail', args: { msg: 'no' } };

describe('RUL-04: what is no rule', () => {
  let whole: Whole;
  let api: Client;
  beforeAll(async () => {
    whole = await Whole.start();
    api = await whole.api();
  });
  afterAll(() => expectSoundEnd(whole));

  it.each([
    [{ priority: -1 }],
    [{ priority: 10_000 }],
    [{ priority: '5' }],
    [{ priority: 1.5 }],
    [{ surprise: 1 }],
    [{ loop: [1] }],
    [{ actions: [{ ...fail, loop: 'all' }] }],
    [{ conditions: [{ op: 'eq', args: { values: [1, 1] }, loop: 7 }] }],
    [{ conditions: [{ op: 'matches', args: { value: 'a', regex: '(' } }] }],
  ])('%j is refused with 400', async (fields) => {
    expect((await api.call('POST', '/v1/inspection_rules', { actions: [fail], ...fields })).status).toBe(400);
  });

  it('stops the start where it stands in the file, by its place', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ferrolog-rul-'));
    const path = join(folder, 'rules.yaml');
    writeFileSync(path, '- actions: [{op: fail, args: {msg: no}}]\n- actions: [{op: explode, args: {}}]\n');
    try {
      expect(() => loadBuiltInRules(path)).toThrow(`${path}: rule 2: Schema error for actions/0/op`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('RUL-04: secrets in the arguments of a rule are masked, and a sensitive rule shows nothing', async () => {
  const whole = await Whole.start();
  const api = await whole.api();
  const call = { op: 'api-call', args: { url: 'http://cmdb.example/', headers: { 'X-Auth-Token': 'geheim-1' } } };
  const shown = await api.must(201, 'POST', '/v1/inspection_rules', { actions: [call] });
  expect(shown.body).toMatchObject({ actions: [{ args: { headers: { 'X-Auth-Token': '******' } } }] });
  const hidden = await api.must(201, 'POST', '/v1/inspection_rules', { actions: [call], sensitive: true });
  expect(hidden.body).toMatchObject({ actions: null, conditions: null });
  const { uuid } = hidden.body as { uuid: string };
  const replaced = [{ op: 'replace', path: '/actions/0/args/url', value: 'http://geheim.example/' }];
  const patched = await api.must(200, 'PATCH', `/v1/inspection_rules/${uuid}`, replaced);
  expect(patched.text).not.toContain('geheim');
  await expectSoundEnd(whole);
});
