import { field, storedText, type Field } from '@lib/contracts';
import { renderTexts } from './texts';

const fields: readonly Field[] = [
  field(1, 'uuid', 'uuid', { nullable: false }),
  field(1, 'links', 'links', { computed: true }),
  field(1, 'info', 'object', { masked: true }),
  field(4, 'state', 'string'),
  field(5, 'name', 'string'),
  field(6, 'ports', 'links', { computed: true }),
];
const one = { uuid: 'u-1', info: { password: 'x', address: 'y' }, state: 'inspect wait', name: 'a "b"' };
const other = { uuid: 'u-2', info: {}, state: 'available', name: null };
const stored = [one, other].map((document, index) => ({
  seq: index + 1,
  id: document.uuid,
  version: 1,
  json: storedText(fields, document),
}));
const computed = (id: string) => ({ links: [{ href: `http://host/v1/${id}`, rel: 'self' }] });

const rendered = (selection: readonly Field[], put = {}): unknown[] =>
  renderTexts(stored, { fields, selection, computed, publicUrl: 'http://host', put }).map(
    (text) => JSON.parse(text) as unknown,
  );

describe('rendered texts', () => {
  it('show the selection in its order, secrets masked and links with the id of each', () => {
    expect(rendered(fields)).toEqual([
      { ...one, info: { password: '******', address: 'y' }, ...computed('u-1'), ports: [] },
      { ...other, ...computed('u-2'), ports: [] },
    ]);
    const [text = ''] = renderTexts(stored, { fields, selection: fields, computed, publicUrl: 'http://host' });
    expect(Object.keys(JSON.parse(text) as object)).toEqual(fields.map(({ name }) => name));
  });

  it.each([[[]], [['name']], [['uuid', 'name']], [['links']], [['info', 'name']], [['state', 'ports']]])(
    'show of %j no more and no less',
    (names) => {
      const selection = fields.filter(({ name }) => names.includes(name as never));
      for (const shown of rendered(selection))
        expect(Object.keys(shown as object)).toEqual(selection.map((f) => f.name));
    },
  );

  it('have the links of the name that each request used, whatever was asked before', () => {
    const under = (publicUrl: string): unknown =>
      renderTexts(stored.slice(0, 1), {
        fields,
        selection: fields,
        publicUrl,
        computed: (id) => ({ links: [{ href: `${publicUrl}/v1/${id}` }] }),
      }).map((text) => (JSON.parse(text) as { links: unknown }).links);
    const names = Array.from({ length: 40 }, (_, i) => `http://host-${i % 20}`);
    for (const name of names) expect(under(name)).toEqual([[{ href: `${name}/v1/u-1` }]]);
  });

  it('take what depends on the request from whoever makes it', () => {
    const put = {
      state: (read: (name: string) => unknown) => `${String(read('state'))} of ${String(read('uuid'))}`,
      ports: () => undefined,
    };
    expect(rendered(fields, put)).toMatchObject([
      { state: 'inspect wait of u-1', ports: null },
      { state: 'available of u-2', ports: null },
    ]);
  });
});
