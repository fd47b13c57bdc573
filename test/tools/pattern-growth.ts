import { type Automaton, readPattern } from "./pattern-automaton.ts";

/** An input for which a backtracking engine needs more than linear work: a prefix, a part to repeat, and a suffix that does not match. */
export interface Attack {
  readonly growth: "exponential" | "polynomial";
  readonly prefix: string;
  readonly pump: string;
}

/**
 * Finds an input for which a regular expression may take more than linear time; undefined if there is none.
 *
 * The number of ways in which a backtracking engine can read an input grows only if the automaton is ambiguous in one of two ways. Either a
 * state returns to itself along two paths with the same characters (exponential), or each of two states returns to itself and the first leads
 * to the second, with the same characters (polynomial). An unanchored search is such a first state, because it starts again at every
 * character. Paths that can no longer fail are not tried twice and do not count. Without such a pair, the number of ways and the work per
 * character are bounded.
 */
export function findAttack(source: string, flags: string): Attack | undefined {
  const automaton = readPattern(source, flags);
  const search = new AmbiguitySearch(automaton);
  return search.exponential() ?? search.polynomial();
}

interface Walk {
  readonly letter: number;
  readonly before: Walk | undefined;
}

class AmbiguitySearch {
  readonly #automaton: Automaton;
  readonly #size: number;
  /** Strongly connected component of each state, without edges from or to accepting states: a loop through one of those ends the search. */
  readonly #component: number[];

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    this.#size = automaton.next.length;
    this.#component = components(
      automaton.next.map((edges, state) =>
        automaton.done.has(state) ? [] : [...edges.keys()].filter((to) => !automaton.done.has(to)),
      ),
    );
  }

  exponential(): Attack | undefined {
    for (const state of this.#looping()) {
      const pump = this.#doubleLoop(state);
      if (pump !== undefined) return { growth: "exponential", prefix: this.#wayTo(state), pump };
    }
    return undefined;
  }

  polynomial(): Attack | undefined {
    const looping = this.#looping().filter((state) => state !== this.#automaton.restart);
    if (looping.length === 0) return undefined;
    const all = components(this.#automaton.next.map((edges) => [...edges.keys()]));
    const restartable = [...this.#automaton.next.keys()].filter((state) => hasLoop(this.#automaton, all, state));
    for (const first of restartable) {
      for (const second of looping) {
        if (first === second) continue;
        const pump = this.#pairLoop(first, second, all);
        if (pump !== undefined) return { growth: "polynomial", prefix: this.#wayTo(first), pump };
      }
    }
    return undefined;
  }

  #looping(): number[] {
    const states = [...this.#automaton.next.keys()];
    return states.filter(
      (state) => !this.#automaton.done.has(state) && hasLoop(this.#automaton, this.#component, state),
    );
  }

  /** Returns a word with which `state` returns to itself along two paths. */
  #doubleLoop(state: number): string | undefined {
    const inside = (target: number) => this.#component[target] === this.#component[state];
    const start = this.#key(state, state, 0);
    // The third part of a key is whether the two paths have diverged yet.
    return this.#walk(start, this.#key(state, state, 1), (key) => {
      const [a, b, parted] = this.#parts(key);
      const steps: [number, number][] = [];
      for (const [x, waysOfX] of this.#edges(a)) {
        if (!inside(x)) continue;
        for (const [y] of this.#edges(b)) {
          if (!inside(y)) continue;
          const letter = this.#common(x, y, y);
          if (letter === undefined) continue;
          const parts = parted === 1 || x !== y || (a === b && waysOfX > 1);
          steps.push([this.#key(x, y, parts ? 1 : 0), letter]);
        }
      }
      return steps;
    });
  }

  /** Returns a word with which `first` returns to itself and leads to `second`, which returns to itself. */
  #pairLoop(first: number, second: number, all: readonly number[]): string | undefined {
    const goal = this.#key(first, second, second);
    return this.#walk(this.#key(first, first, second), goal, (key) => {
      const [a, b, c] = this.#parts(key);
      const steps: [number, number][] = [];
      for (const [x] of this.#edges(a)) {
        if (all[x] !== all[first]) continue;
        for (const [z] of this.#edges(c)) {
          if (this.#component[z] !== this.#component[second] || this.#common(x, z, z) === undefined) continue;
          for (const [y] of this.#edges(b)) {
            const letter = this.#common(x, y, z);
            if (letter !== undefined) steps.push([this.#key(x, y, z), letter]);
          }
        }
      }
      return steps;
    });
  }

  #wayTo(state: number): string {
    return state === 0
      ? ""
      : (this.#walk(0, state, (from) =>
          [...this.#edges(from)].flatMap(([to]): [number, number][] => {
            const letter = this.#common(to, to, to);
            return letter === undefined ? [] : [[to, letter]];
          }),
        ) ?? "");
  }

  /** Returns the shortest word from one point to another, with at least one letter. */
  #walk(from: number, to: number, steps: (point: number) => readonly [number, number][]): string | undefined {
    const seen = new Set<number>();
    let wave: [number, Walk | undefined][] = [[from, undefined]];
    while (wave.length > 0) {
      const following: [number, Walk | undefined][] = [];
      for (const [point, before] of wave) {
        for (const [target, letter] of steps(point)) {
          const walk = { letter, before };
          if (target === to) return this.#spell(walk);
          if (seen.has(target)) continue;
          seen.add(target);
          following.push([target, walk]);
        }
      }
      wave = following;
    }
    return undefined;
  }

  #spell(walk: Walk): string {
    let word = "";
    for (let at: Walk | undefined = walk; at !== undefined; at = at.before) {
      word = String.fromCodePoint(this.#automaton.letters[at.letter] ?? 0) + word;
    }
    return word;
  }

  #edges(state: number): ReadonlyMap<number, number> {
    return this.#automaton.next[state] ?? new Map();
  }

  /** Returns a letter that leads to all three, preferably a printable one. */
  #common(x: number, y: number, z: number): number | undefined {
    const { sets } = this.#automaton;
    const [one, two, three] = [sets[x], sets[y], sets[z]];
    let found: number | undefined;
    for (const letter of one ?? []) {
      if (!two?.has(letter) || !three?.has(letter)) continue;
      found = letter;
      const point = this.#automaton.letters[letter] ?? 0;
      if (point >= 0x20 && point < 0x7f) break;
    }
    return found;
  }

  #key(a: number, b: number, c: number): number {
    return (a * this.#size + b) * this.#size + c;
  }

  #parts(key: number): [number, number, number] {
    const pair = Math.floor(key / this.#size);
    return [Math.floor(pair / this.#size), pair % this.#size, key % this.#size];
  }
}

function hasLoop(automaton: Automaton, component: readonly number[], state: number): boolean {
  for (const target of automaton.next[state]?.keys() ?? []) {
    if (target === state || (component[target] === component[state] && component[state] !== undefined)) return true;
  }
  return false;
}

/** Returns the number of the strongly connected component of each state (Tarjan). */
function components(next: readonly (readonly number[])[]): number[] {
  const index: number[] = [];
  const low: number[] = [];
  const component: number[] = [];
  const stack: number[] = [];
  let count = 0;
  const visit = (state: number): void => {
    index[state] = low[state] = count++;
    stack.push(state);
    for (const target of next[state] ?? []) {
      if (index[target] === undefined) visit(target);
      if (component[target] === undefined) low[state] = Math.min(low[state] ?? 0, low[target] ?? 0);
    }
    if (low[state] !== index[state]) return;
    let member: number | undefined;
    do {
      member = stack.pop();
      if (member !== undefined) component[member] = state;
    } while (member !== state && member !== undefined);
  };
  for (const state of next.keys()) if (index[state] === undefined) visit(state);
  return component;
}
