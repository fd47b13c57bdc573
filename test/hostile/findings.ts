export interface Finding {
  readonly attacker: string;
  readonly number: number;
  readonly what: string;
}

/** Collects problems, each kind only once. */
export class Findings {
  readonly #seed: number;
  readonly #found = new Map<string, Finding>();
  readonly #progress: (line: string) => void;

  constructor(seed: number, progress: (line: string) => void = () => undefined) {
    this.#seed = seed;
    this.#progress = progress;
  }

  get all(): readonly Finding[] {
    return [...this.#found.values()];
  }

  /** Messages of the same kind differ in numbers and quoted parts, which are ignored. */
  add(attacker: string, number: number, what: string, kind = what): void {
    const key = `${attacker} ${kind.replace(/"[^"]*"|\d+|\/\S*/g, "…").slice(0, 160)}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, { attacker, number, what });
    this.#progress(`FOUND ${describeFinding({ attacker, number, what }, this.#seed)}`);
  }

  /** Adds unexpected lines of the server's log. */
  addLog(text: string): void {
    for (const line of text.split("\n")) {
      if (/"level":"error"|unexpected error|UnhandledPromise|Warning: /.test(line))
        this.add("log", 0, line.slice(0, 1500), line.replace(/^.*"message":/, ""));
    }
  }
}

export function describeFinding({ attacker, number, what }: Finding, seed: number): string {
  const repeat = number > 0 ? `\n  repeat it with: make hostile SEED=${seed} ONLY=${attacker} AT=${number}` : "";
  return `${attacker}: ${what}${repeat}`;
}
