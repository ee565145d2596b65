import { dice } from '@lib/domain/introspection';
import type { Chance } from '@lib/ports';

/** What a seed decides: one reproducible sequence per purpose, so that a change in one does not shift the others. */
export class Fate implements Chance {
  private readonly roll: () => number;
  private readonly label: string;
  private numbers = 0;

  constructor(label: string) {
    this.label = label;
    this.roll = dice(label);
  }

  of(purpose: string): Fate {
    return new Fate(`${this.label}/${purpose}`);
  }

  random(): number {
    return this.roll();
  }

  happens(probability: number): boolean {
    return this.roll() < probability;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    const one = list[Math.floor(this.roll() * list.length)];
    if (one === undefined) throw new Error('nothing to pick from');
    return one;
  }

  /** An index, each as likely as its weight. */
  weighed<T>(list: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.roll() * list.reduce((sum, [weight]) => sum + weight, 0);
    const found = list.find(([weight]) => (left -= weight) < 0) ?? list.at(-1);
    if (!found) throw new Error('nothing to pick from');
    return found[1];
  }

  uuid(): string {
    const hex = Array.from({ length: 8 }, () => this.between(0, 0xffff).toString(16).padStart(4, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${String(++this.numbers).padStart(12, '0')}`;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.between(0, 255));
  }
}
