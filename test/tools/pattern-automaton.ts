/**
 * A regular expression as an automaton whose states are the characters and classes of its source (Glushkov's construction). Every path that a
 * backtracking engine may try is a path of the automaton. Edges are counted, because an engine tries two paths along the same characters
 * separately.
 */
export interface Automaton {
  /** For each state, the characters that lead to it, as a set of indexes into `letters`. State 0 is the start and has none. */
  readonly sets: readonly ReadonlySet<number>[];
  /** For each state, the states that may follow, with the number of edges. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** States after which the whole expression has matched, whatever follows: an attempt that reaches one never fails. */
  readonly done: ReadonlySet<number>;
  /** State in which a search skips characters before it tries a match; undefined if a match can begin at one position only. */
  readonly restart: number | undefined;
  /** One character for each group of characters that the expression does not distinguish. */
  readonly letters: readonly number[];
}

/** Thrown for syntax that this parser does not support. Such an expression must be written in another way. */
export class UnknownPatternError extends Error {}

type Ways = ReadonlyMap<number, number>;

/** A part of the expression: its first and last states, and the number of ways in which it matches the empty string. */
interface Part {
  /** First states. `unbound` excludes those after a `^` for the whole text, `midline` those after any `^`. */
  readonly first: Ways;
  readonly unbound: Ways;
  readonly midline: Ways;
  readonly last: Ways;
  /** Last states that further characters may follow: excludes those before a `$` for the whole text. */
  readonly open: Ways;
  /** Last states without an assertion before the end. */
  readonly free: Ways;
  readonly empty: number;
  readonly emptyUnbound: number;
  readonly emptyMidline: number;
  readonly emptyOpen: number;
  readonly emptyFree: number;
}

const NONE: Ways = new Map();
const EMPTY: Part = {
  first: NONE,
  unbound: NONE,
  midline: NONE,
  last: NONE,
  open: NONE,
  free: NONE,
  empty: 1,
  emptyUnbound: 1,
  emptyMidline: 1,
  emptyOpen: 1,
  emptyFree: 1,
};
const ASSERTION: Part = { ...EMPTY, emptyFree: 0 };
/** The start or end of the whole text. */
const EDGE: Part = { ...ASSERTION, emptyUnbound: 0, emptyMidline: 0, emptyOpen: 0 };
/** Maximum count of ways: more than one is as bad as two. */
const MANY = 2;
/** Maximum number of copies. Repetitions of longer parts, and more repetitions, are treated as unlimited. */
const MOST_COPIES = 10;

export function readPattern(source: string, flags: string): Automaton {
  return new PatternReader(source, flags).read();
}

class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  readonly #unicode: boolean;
  readonly #multiline: boolean;
  readonly #sticky: boolean;
  readonly #classes: string[] = [""];
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #groups: { readonly name: string; readonly start: number; readonly end: number }[] = [];
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replace(/[^isu]/g, "");
    this.#unicode = flags.includes("u");
    this.#multiline = flags.includes("m");
    if (flags.includes("v")) throw new UnknownPatternError("the flag v is not supported");
    this.#sticky = flags.includes("y");
    this.#findGroups();
  }

  read(): Automaton {
    const whole = this.#choice();
    if (this.#at < this.#source.length) throw new UnknownPatternError(`unexpected ${this.#source[this.#at]}`);
    const start = this.#next[0] as Map<number, number>;
    for (const [state, ways] of whole.first) start.set(state, ways);
    const restart = this.#sticky || whole.unbound.size === 0 ? undefined : this.#addRestart(whole);
    const { letters, sets } = readLetters(this.#classes, this.#flags);
    return { sets, next: this.#next, done: new Set(whole.free.keys()), restart, letters };
  }

  /** A search tries every position; if `^` means the start of a line, only those after a newline. */
  #addRestart(whole: Part): number | undefined {
    const lines = this.#multiline && [...whole.unbound.keys()].some((state) => !whole.midline.has(state));
    const restart = this.#state("[^]");
    this.#link(new Map([[restart, 1]]), new Map([[restart, 1]]));
    this.#link(new Map([[restart, 1]]), whole.midline);
    this.#link(new Map([[0, 1]]), new Map([[restart, 1]]));
    if (lines) {
      const newline = this.#state("\\n");
      this.#link(new Map([[restart, 1]]), new Map([[newline, 1]]));
      this.#link(new Map([[newline, 1]]), whole.unbound);
    }
    return restart;
  }

  #state(characters: string): number {
    this.#next.push(new Map());
    return this.#classes.push(characters) - 1;
  }

  #link(from: Ways, to: Ways): void {
    for (const [state, ways] of from) {
      const edges = this.#next[state] as Map<number, number>;
      for (const [target, more] of to) edges.set(target, Math.min((edges.get(target) ?? 0) + ways * more, MANY));
    }
  }

  #choice(): Part {
    let part = this.#sequence();
    while (this.#source[this.#at] === "|") {
      this.#at++;
      part = either(part, this.#sequence());
    }
    return part;
  }

  #sequence(): Part {
    let part = EMPTY;
    while (this.#at < this.#source.length && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      part = this.#join(part, this.#repeated());
    }
    return part;
  }

  #join(a: Part, b: Part): Part {
    this.#link(a.open, b.unbound);
    return {
      first: sum(a.first, b.first, a.empty),
      unbound: sum(a.unbound, b.unbound, a.emptyUnbound),
      midline: sum(a.midline, b.midline, a.emptyMidline),
      last: sum(b.last, a.last, b.empty),
      open: sum(b.open, a.open, b.emptyOpen),
      free: sum(b.free, a.free, b.emptyFree),
      empty: Math.min(a.empty * b.empty, MANY),
      emptyUnbound: Math.min(a.emptyUnbound * b.emptyUnbound, MANY),
      emptyMidline: Math.min(a.emptyMidline * b.emptyMidline, MANY),
      emptyOpen: Math.min(a.emptyOpen * b.emptyOpen, MANY),
      emptyFree: Math.min(a.emptyFree * b.emptyFree, MANY),
    };
  }

  #repeated(): Part {
    const begin = this.#at;
    const once = this.#item();
    const end = this.#at;
    const [low, high] = this.#quantifier();
    if (low === 1 && high === 1) return once;
    if (high === 0) return EMPTY;
    const copy = (): Part => {
      const after = this.#at;
      this.#at = begin;
      const part = this.#item();
      this.#at = after;
      return part;
    };
    const single =
      end - begin === 1 ||
      /^(?:\\(?:[^xupkc]|x..|u[0-9A-Fa-f]{4}|[up]\{[^}]*\})|\[(?:[^\\\]]|\\.)*\])$/isu.test(
        this.#source.slice(begin, end),
      );
    if (high === Number.POSITIVE_INFINITY || (high > MOST_COPIES && !single)) {
      let part = once;
      for (let count = 1; count < low && (single || count < MOST_COPIES); count++) part = this.#join(part, copy());
      // Copies that may be empty can divide the same characters among themselves in an increasing number of ways.
      if (once.empty > 0 && low > MOST_COPIES) this.#link(once.open, once.unbound);
      if (low <= 1) return this.#loop(once, low === 0);
      return this.#join(part, this.#loop(copy(), once.empty === 0 || low <= MOST_COPIES));
    }
    let part = low > 0 ? once : EMPTY;
    for (let count = 1; count < low; count++) part = this.#join(part, copy());
    let tail = EMPTY;
    for (let count = low; count < high; count++) {
      tail = optional(this.#join(count === 0 ? once : copy(), tail));
    }
    return this.#join(part, tail);
  }

  #loop(part: Part, mayBeEmpty: boolean): Part {
    this.#link(part.open, part.unbound);
    return mayBeEmpty ? optional(part) : part;
  }

  #quantifier(): readonly [number, number] {
    const bounds = /(?:([*+?])|\{(\d+)(,(\d*))?\})\??/y;
    bounds.lastIndex = this.#at;
    const found = bounds.exec(this.#source);
    if (found === null) return [1, 1];
    this.#at = bounds.lastIndex;
    const [, sign, low, comma, high] = found;
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Number.POSITIVE_INFINITY];
    if (comma === undefined) return [Number(low), Number(low)];
    return [Number(low), high === "" ? Number.POSITIVE_INFINITY : Number(high)];
  }

  #item(): Part {
    const token = nextToken(this.#source, this.#at, this.#unicode);
    this.#at += token.length;
    if (token === "^") {
      return this.#multiline ? { ...ASSERTION, emptyMidline: 0 } : EDGE;
    }
    if (token === "$") return this.#multiline ? ASSERTION : EDGE;
    if (token === "\\b" || token === "\\B") return ASSERTION;
    if (token.startsWith("(")) return this.#group(token);
    const reference = /^\\(?:k<(.*)>|([1-9]\d*))$/.exec(token);
    if (reference !== null) return this.#again(reference[1] ?? Number(reference[2]));
    const state = this.#state(token);
    const here: Ways = new Map([[state, 1]]);
    return {
      first: here,
      unbound: here,
      midline: here,
      last: here,
      open: here,
      free: here,
      empty: 0,
      emptyUnbound: 0,
      emptyMidline: 0,
      emptyOpen: 0,
      emptyFree: 0,
    };
  }

  #group(opening: string): Part {
    const inner = this.#choice();
    if (this.#source[this.#at] !== ")") throw new UnknownPatternError("a parenthesis is not closed");
    this.#at++;
    if (opening === "(?=" || opening === "(?!") {
      // A lookahead reads from the current position and then returns to it: a branch without an end.
      return { ...ASSERTION, first: inner.first, unbound: inner.unbound, midline: inner.midline };
    }
    if (opening === "(?<=" || opening === "(?<!") {
      for (const state of inner.first.keys())
        if (this.#reaches(state, state)) throw new UnknownPatternError("a lookbehind has no bound");
      return ASSERTION;
    }
    return inner;
  }

  #reaches(from: number, to: number): boolean {
    const seen = new Set<number>();
    const waiting = [from];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      for (const target of (this.#next[state] as Map<number, number>).keys()) {
        if (this.#next[target]?.has(target) || target === to) return true;
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
      }
    }
    return false;
  }

  /** A back-reference matches at most what its group can match. */
  #again(group: string | number): Part {
    const place = typeof group === "number" ? this.#groups[group - 1] : this.#groups.find(({ name }) => name === group);
    if (place === undefined) throw new UnknownPatternError(`no group ${group}`);
    const after = this.#at;
    this.#at = place.start;
    const part = this.#choice();
    this.#at = after;
    return { ...part, emptyFree: 0, free: NONE };
  }

  #findGroups(): void {
    const open: { name: string; start: number; index: number }[] = [];
    let count = 0;
    for (let at = 0; at < this.#source.length; ) {
      const token = nextToken(this.#source, at, this.#unicode);
      at += token.length;
      const name = /^\(\?<([^=!].*)>$/.exec(token)?.[1] ?? "";
      if (token.startsWith("(")) open.push({ name, start: at, index: token === "(" || name !== "" ? count++ : -1 });
      if (token !== ")") continue;
      const group = open.pop();
      if (group !== undefined && group.index >= 0)
        this.#groups[group.index] = { name: group.name, start: group.start, end: at };
    }
  }
}

const TOKEN =
  /\(\?(?:[=!:]|<[=!]|<[^>]*>)|\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|[1-9]\d*|[\s\S])|\[(?:[^\\\]]|\\[\s\S])*\]|[\s\S]/y;

function nextToken(source: string, at: number, unicode: boolean): string {
  TOKEN.lastIndex = at;
  const token = TOKEN.exec(source)?.[0] ?? "";
  return unicode && token.length === 1 ? String.fromCodePoint(source.codePointAt(at) ?? 0) : token;
}

function sum(a: Ways, b: Ways, factor: number): Ways {
  if (factor === 0 || b.size === 0) return a;
  const both = new Map(a);
  for (const [state, ways] of b) both.set(state, Math.min((both.get(state) ?? 0) + ways * factor, MANY));
  return both;
}

function either(a: Part, b: Part): Part {
  return {
    first: sum(a.first, b.first, 1),
    unbound: sum(a.unbound, b.unbound, 1),
    midline: sum(a.midline, b.midline, 1),
    last: sum(a.last, b.last, 1),
    open: sum(a.open, b.open, 1),
    free: sum(a.free, b.free, 1),
    empty: Math.min(a.empty + b.empty, MANY),
    emptyUnbound: Math.min(a.emptyUnbound + b.emptyUnbound, MANY),
    emptyMidline: Math.min(a.emptyMidline + b.emptyMidline, MANY),
    emptyOpen: Math.min(a.emptyOpen + b.emptyOpen, MANY),
    emptyFree: Math.min(a.emptyFree + b.emptyFree, MANY),
  };
}

/** Repetitions of nothing are not tried, so there is only one way to skip a part. */
function optional(part: Part): Part {
  return { ...part, empty: 1, emptyUnbound: 1, emptyMidline: 1, emptyOpen: 1, emptyFree: 1 };
}

interface Members {
  readonly holds: Uint8Array;
  /** Positions at which runs of members begin and end. */
  readonly edges: readonly number[];
}

const known = new Map<string, Members>();
const SIZE = 0x1_0000;
/** Every character of the Basic Multilingual Plane, to be tested against a class. */
const UNITS = Array.from({ length: SIZE }, (_, unit) => String.fromCharCode(unit)).join("");
const POINTS = UNITS.slice(0, 0xd800) + " ".repeat(0x800) + UNITS.slice(0xe000);
/** Samples for characters outside of that plane: letters, signs, pictures, and unassigned characters. */
const BEYOND = [0x1_0000, 0x1_0400, 0x1_d400, 0x1_f600, 0x2_0000, 0x10_ffff];

/** Returns the characters in a class, determined with the engine itself. */
function membersOf(characters: string, flags: string): Members {
  const key = `${flags}/${characters}`;
  let members = known.get(key);
  if (members === undefined) {
    const unicode = flags.includes("u");
    const holds = new Uint8Array(SIZE + BEYOND.length);
    const edges = [0, SIZE];
    for (const run of (unicode ? POINTS : UNITS).matchAll(new RegExp(`(?:${characters})+`, `g${flags}`))) {
      holds.fill(1, run.index, run.index + run[0].length);
      edges.push(run.index, run.index + run[0].length);
    }
    if (unicode) holds.fill(0, 0xd800, 0xe000);
    const test = new RegExp(`^(?:${characters})$`, flags);
    for (const [index, point] of BEYOND.entries()) {
      if (unicode && test.test(String.fromCodePoint(point))) holds[SIZE + index] = 1;
      edges.push(SIZE + index);
    }
    members = { holds, edges };
    known.set(key, members);
  }
  return members;
}

/** Returns one letter for each group of characters that all classes treat alike. */
function readLetters(classes: readonly string[], flags: string): Pick<Automaton, "letters" | "sets"> {
  const distinct = [...new Set(classes.filter((characters) => characters !== ""))];
  const members = distinct.map((characters) => membersOf(characters, flags));
  const letters: number[] = [];
  const seen = new Set<string>();
  const held = distinct.map(() => new Set<number>());
  for (const index of new Set(members.flatMap(({ edges }) => edges))) {
    const signature = members.map(({ holds }) => holds[index] ?? 0).join("");
    if (seen.has(signature)) continue;
    seen.add(signature);
    for (const [position, { holds }] of members.entries()) if (holds[index] === 1) held[position]?.add(letters.length);
    letters.push(index < SIZE ? index : (BEYOND[index - SIZE] ?? 0));
  }
  const sets = classes.map((characters) => held[distinct.indexOf(characters)] ?? new Set<number>());
  return { letters, sets };
}
