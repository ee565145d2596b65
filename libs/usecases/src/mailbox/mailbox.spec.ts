import { MailboxFull, Mailboxes } from '.';

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
};
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('mailboxes', () => {
  it('run the tasks of one key in order, one at a time, also after one that fails', async () => {
    const boxes = new Mailboxes(10);
    const done: string[] = [];
    const first = gate();
    const running = [
      boxes.run('a', () => first.opened.then(() => void done.push('1'))),
      boxes.run('a', async () => {
        done.push('2');
        throw new Error('broken');
      }),
      boxes.run('a', async () => void done.push('3')),
    ];
    await settle();
    expect(done).toEqual([]);
    first.open();
    const ended = await Promise.allSettled(running);
    expect(done).toEqual(['1', '2', '3']);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('run different keys side by side', async () => {
    const boxes = new Mailboxes(10);
    const never = gate();
    void boxes.run('a', () => never.opened);
    await expect(boxes.run('b', async () => 'done')).resolves.toBe('done');
    never.open();
  });

  it('take so many for a key and no more, and take again when one has ended', async () => {
    const boxes = new Mailboxes(2);
    const first = gate();
    const running = [boxes.run('a', () => first.opened), boxes.run('a', async () => undefined)];
    await expect(boxes.run('a', async () => undefined)).rejects.toThrow(MailboxFull);
    await expect(boxes.run('b', async () => 'free')).resolves.toBe('free');
    first.open();
    await Promise.all(running);
    await expect(boxes.run('a', async () => 'again')).resolves.toBe('again');
  });

  it('hand a task that throws before its first promise to its caller', async () => {
    const boxes = new Mailboxes(2);
    const task = (): Promise<never> => {
      throw new TypeError('at once');
    };
    await expect(boxes.run('a', task)).rejects.toThrow(TypeError);
    await expect(boxes.run('a', async () => 'fine')).resolves.toBe('fine');
  });
});
