import { client, field, type Field } from './field';
import { StoredSlices, storedText } from './stored-text';

const fields: readonly Field[] = [
  field(1, 'uuid', 'uuid', { nullable: false }),
  field(1, 'links', 'links', { computed: true }),
  field(1, 'driver_info', 'object', { ...client, masked: true }),
  field(3, 'internal_info', 'object', { masked: true }),
  field(5, 'name', 'string'),
  field(6, 'protected', 'boolean', { nullable: true, empty: false }),
  field(9, 'extra', 'object'),
];
const stored = fields.filter(({ computed }) => !computed).map(({ name }) => name);

const awkward = {
  uuid: '11111111-2222-4333-8444-555555555555',
  driver_info: { address: 'a,"b":{', password: '******' },
  internal_info: {},
  name: 'ünïcode \u{1F600} "quoted", \\ and \u2028 \ud800',
  protected: true,
  extra: { ['__proto__']: [1, 'two', null], deep: { of: [{}] } },
};

const cut = (json: string): StoredSlices => StoredSlices.of(fields, json);
const whole = (json: string): unknown => JSON.parse(`{${cut(json).run(0, stored.length)}}`);

describe('a stored text', () => {
  it('is the document, its members in the order of their versions', () => {
    const { uuid, ...others } = awkward;
    const parsed = JSON.parse(storedText(fields, { ...others, uuid })) as object;
    expect(parsed).toMatchObject(JSON.parse(JSON.stringify(awkward)) as object);
    expect(Object.keys(parsed).filter((name) => !name.startsWith('_'))).toEqual(stored);
  });

  it('is cut into any run of members', () => {
    const slices = cut(storedText(fields, awkward));
    const expected = JSON.parse(JSON.stringify(awkward)) as Record<string, unknown>;
    for (let from = 0; from < stored.length; from += 1) {
      for (let to = from + 1; to <= stored.length; to += 1) {
        const run = JSON.parse(`{${slices.run(from, to)}}`) as object;
        expect(Object.entries(run)).toEqual(stored.slice(from, to).map((name) => [name, expected[name]]));
      }
    }
    expect(stored.map((name) => slices.value(name))).toEqual(stored.map((name) => expected[name]));
    expect(slices.value('no_such_field')).toBeUndefined();
  });

  it.each([
    ['never stored', {}, { name: null, protected: false, extra: {}, driver_info: {} }],
    ['emptied', { name: null, protected: null, extra: null }, { name: null, protected: null, extra: {} }],
  ])('shows what was %s as the contract does', (_, document, shown) => {
    expect(whole(storedText(fields, document))).toMatchObject(shown);
  });

  it.each([
    ['nothing', {}, [false, false]],
    ['nothing secret', { driver_info: { address: 'x' }, internal_info: { n: 1 } }, [false, false]],
    ['a sealed value', { driver_info: { a: { sealed: 'k', iv: 'i', tag: 't', data: 'd' } } }, [true, false]],
    ['a name that tells', { internal_info: { agent_secret_token: 'x' } }, [false, true]],
  ])('marks the fields that hold a secret: %s', (_, document, marks) => {
    const slices = cut(storedText(fields, document));
    expect([slices.hides(0), slices.hides(1)]).toEqual(marks);
  });

  it('keeps members that are no fields behind them', () => {
    const json = storedText(fields, { ...awkward, of_the_server: { a: 1 } });
    expect(JSON.parse(json)).toMatchObject({ of_the_server: { a: 1 } });
    expect(whole(json)).not.toHaveProperty('of_the_server');
  });

  it('is laid out anew when it was written with other fields, or as plain JSON', () => {
    const older = storedText([...fields.slice(0, 4), field(9, 'extra', 'object')], awkward);
    const expected = whole(storedText(fields, awkward));
    expect([whole(older), whole(JSON.stringify(awkward))]).toEqual([expected, expected]);
    const again = storedText(fields, JSON.parse(older) as Record<string, unknown>);
    expect(again).toBe(storedText(fields, awkward));
  });

  it('finds its members behind long ones', () => {
    const extra = { text: 'x'.repeat(3_000_000) };
    const slices = cut(storedText(fields, { ...awkward, driver_info: extra, extra }));
    expect([slices.value('name'), slices.value('extra')]).toEqual([JSON.parse(JSON.stringify(awkward.name)), extra]);
  });
});
