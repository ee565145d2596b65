import type { WorkName } from '@lib/domain';
import type { Call, Machine, WorkPiece } from '@lib/ports';

/** What a conductor asks of hardware and peers. */
export type Word =
  | 'validate'
  | 'managed boot'
  | 'inspect'
  | 'start'
  | 'forward'
  | 'abort'
  | 'report'
  | 'read power'
  | 'power'
  | 'boot device'
  | 'act'
  | 'prepare ramdisk'
  | 'clean up ramdisk'
  | 'tell ending'
  | WorkName;

export interface Asked {
  readonly word: Word;
  readonly node: string;
  /** Name of the interface that was called. */
  readonly interface: string;
  /** Epoch ms. */
  readonly at: number;
  /** What was asked for: a power target, a boot device, whether the inspector is to manage boot, kernel parameters, posted data. */
  readonly wanted?: unknown;
  readonly machine?: Machine;
  /** Of lifecycle work: the whole piece. */
  readonly piece?: WorkPiece;
}

type Play = (asked: Asked, call: Call) => unknown;

/** Calls of one word that wait for their answer. */
export interface Held {
  readonly waiting: () => number;
  /** Answers those that wait now; later ones wait again. */
  answer(value?: unknown): void;
  refuse(error: unknown): void;
}

/** How hardware and peers behave in a spec: every call is written down, and a word may be played otherwise or held. */
export class Script {
  readonly asked: Asked[] = [];
  private readonly plays = new Map<Word, Play>();

  play(word: Word, play: Play): void {
    this.plays.set(word, play);
  }

  refuse(word: Word, error: unknown): void {
    this.play(word, () => {
      throw error;
    });
  }

  /** A peer that says nothing until it is told to, whatever signal it gets. */
  hold(word: Word): Held {
    let waiting: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = [];
    this.play(word, () => new Promise((resolve, reject) => waiting.push({ resolve, reject })));
    const taken = () => {
      const all = waiting;
      waiting = [];
      return all;
    };
    return {
      waiting: () => waiting.length,
      answer: (value) => taken().forEach(({ resolve }) => resolve(value)),
      refuse: (error) => taken().forEach(({ reject }) => reject(error)),
    };
  }

  /** Back to a peer that does at once what it is asked. */
  obey(word: Word): void {
    this.plays.delete(word);
  }

  /** Calls of a word, in order; of one node when it is named. */
  calls(word: Word, node?: string): Asked[] {
    return this.asked.filter((one) => one.word === word && (node === undefined || one.node === node));
  }

  async run<T>(asked: Asked, call: Call, otherwise: () => T): Promise<T> {
    this.asked.push(asked);
    const play = this.plays.get(asked.word);
    return play ? ((await play(asked, call)) as T) : otherwise();
  }

  /** As `run`, for the questions that are answered without touching the hardware. */
  say<T>(asked: Asked, otherwise: T): T {
    this.asked.push(asked);
    const play = this.plays.get(asked.word);
    return play
      ? (play(asked, { signal: new AbortController().signal, stillStands: async () => undefined }) as T)
      : otherwise;
  }
}
