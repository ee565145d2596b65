import type { BusRequest } from '@lib/ports';
import { patternOf } from './bodies';
import { MIB, text, bytes, unexpected, codeOf, echo, type Bench } from './bench';

export function failures(bench: Bench): void {
  describe('failures', () => {
    it('NO_RESPONDERS at once when nobody serves the subject, small or large', async () => {
      await bench.server.serve('t.somebody.else', 'g', echo, unexpected);
      expect(await codeOf(bench.ask('t.nobody', bytes('x'), 3_600_000))).toBe('NO_RESPONDERS');
      expect(await codeOf(bench.ask('t.nobody', patternOf(2 * MIB), 3_600_000))).toBe('NO_RESPONDERS');
    });

    it('TIMEOUT when the handler gives no reply in time', async () => {
      await bench.server.serve(
        't.late',
        'g',
        () => new Promise((resolve) => setTimeout(() => resolve(bytes('late')), 200)),
        unexpected,
      );
      expect(await codeOf(bench.ask('t.late', bytes('x'), 20))).toBe('TIMEOUT');
    });

    it('TIMEOUT when the handler throws, and the server hears of the error with its subject', async () => {
      const errors: [unknown, string][] = [];
      const broken = async (): Promise<Uint8Array> => {
        throw new Error('broken handler');
      };
      await bench.server.serve('t.broken.*', 'g', broken, (error, subject) => errors.push([error, subject]));
      expect(await codeOf(bench.ask('t.broken.a', bytes('x'), 200))).toBe('TIMEOUT');
      expect(errors).toEqual([[new Error('broken handler'), 't.broken.a']]);
    });

    it('leave the server at work: the next request is answered', async () => {
      const moody = async ({ body }: BusRequest): Promise<Uint8Array> => {
        if (text(body) === 'fail') throw new Error('once');
        return body;
      };
      await bench.server.serve('t.moody', 'g', moody, () => undefined);
      expect(await codeOf(bench.ask('t.moody', bytes('fail'), 50))).toBe('TIMEOUT');
      expect(text(await bench.ask('t.moody', bytes('well')))).toBe('well');
    });

    it('a subject that is none is a bug', async () => {
      await expect(bench.ask('t.with space', bytes('x'))).rejects.toThrow(TypeError);
      await expect(bench.ask('t.*', bytes('x'))).rejects.toThrow(TypeError);
      await expect(bench.server.serve('t.>.x', 'g', echo, unexpected)).rejects.toThrow(TypeError);
    });
  });
}
