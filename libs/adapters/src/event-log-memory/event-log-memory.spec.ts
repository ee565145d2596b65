import { anEventLog, appending, suiteSchemas, type LogUnderTest } from '@lib/testing/event-log-suite';
import { LogUnavailable } from '@lib/ports';
import { MemoryStore, openMemoryLog, type MemoryLogOptions } from '.';

function underTest(options: MemoryLogOptions): LogUnderTest {
  const opened = openMemoryLog(options);
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return underTest({ ...options, store: opened.store });
    },
  };
}

anEventLog('memory', async (options) => underTest(options));

describe('a memory store', () => {
  const clock = { now: () => 1 };

  it('is shared by its openers', async () => {
    const store = new MemoryStore('log-1');
    const [one, two] = [1, 2].map(() => openMemoryLog({ schemas: suiteSchemas, clock, store }));
    const heard = jest.fn();
    two?.log.onCommit(heard);
    await one?.log.append(appending({ 'node/1': 'absent' }));
    expect(heard).toHaveBeenCalledTimes(1);
    expect(await two?.log.append(appending({ 'node/1': 'absent' }))).toMatchObject({ ok: false });
    await one?.close();
    expect(await two?.log.append(appending({ 'node/1': 1 }))).toMatchObject({ ok: true });
    expect(await two?.log.logId()).toBe('log-1');
  });

  it('plays a fault: nothing is stored, and it goes on afterwards', async () => {
    const { store, log } = openMemoryLog({ schemas: suiteSchemas, clock });
    store.fault = 'disk full';
    const append = appending({ 'node/1': 'absent' });
    await expect(log.append(append)).rejects.toThrow(new LogUnavailable('disk full'));
    store.fault = null;
    expect(await log.head()).toBe(0);
    expect(await log.append(append)).toMatchObject({ ok: true });
  });
});
