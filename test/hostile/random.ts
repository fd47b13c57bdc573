import { randomFrom } from "../kinds/conversions/random-objects.ts";
import { HOSTILE_NAMES, HOSTILE_STRINGS } from "./hostile-strings.ts";

/** A reproducible source of random values for inputs. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** Returns the source of one input. It depends only on seed, attacker and number, and not on earlier inputs. */
  static ofInput(seed: number, attacker: string, number: number): Random {
    let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    for (const byte of Buffer.from(attacker)) mixed = Math.imul(mixed ^ byte, 0x01000193);
    mixed = Math.imul(mixed ^ number ^ (mixed >>> 15), 0xc2b2ae35);
    return new Random((mixed ^ (mixed >>> 13)) >>> 0);
  }

  /** Returns an integer from 0 to less than `below`. */
  int(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(part: number): boolean {
    return this.next() < part;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)] as T;
  }

  /** Calls one of the functions. */
  one<T>(...makers: readonly (() => T)[]): T {
    return this.pick(makers)();
  }

  times<T>(most: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.int(most + 1) }, (_, index) => make(index));
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(256)));
  }

  /** Returns a length: mostly short, sometimes long, rarely near `most`. */
  length(most: number): number {
    const scale = this.next() ** 40;
    return Math.max(1, Math.floor(this.int(12) + scale * most));
  }

  hostileName(): string {
    return this.pick(HOSTILE_NAMES);
  }

  /** Returns a hostile string, or many repetitions of one, which are slow in a quadratic parser. */
  hostileString(most = 20_000): string {
    const unit = this.pick(HOSTILE_STRINGS);
    if (!this.chance(0.1)) return unit;
    const times = Math.max(1, Math.floor(this.length(most) / Math.max(1, unit.length)));
    return `${this.chance(0.5) ? this.pick(HOSTILE_STRINGS) : ""}${unit.repeat(times)}${this.chance(0.5) ? this.pick(HOSTILE_STRINGS) : ""}`;
  }
}
