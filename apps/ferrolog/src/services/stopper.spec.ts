import { Stopper } from './stopper';

it('a stopper undoes the last thing first, once, and one that fails does not keep the others from their turn', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const done: string[] = [];
  const stopper = new Stopper();
  stopper.add(async () => void done.push('first'));
  stopper.add(() => Promise.reject(new Error('broken')));
  stopper.add(() => done.push('last'));
  await stopper.stop();
  await stopper.stop();
  expect(done).toEqual(['last', 'first']);
  expect(write.mock.calls.flat().join()).toContain('broken');
  write.mockRestore();
});
