import type { SchemaProblem } from "./schema-problem.ts";

/** Result of checking a value. `score` tells which of several alternatives came closest. */
export class Outcome {
  readonly #problems: SchemaProblem[] = [];
  /** Messages of the problems, to find duplicates; created when needed. */
  #texts: Set<string> | undefined;
  score = 0;

  get problems(): readonly SchemaProblem[] {
    return this.#problems;
  }

  /** Ignores duplicates. */
  add(problem: SchemaProblem): void {
    this.#texts ??= new Set();
    if (this.#texts.has(problem.text)) return;
    this.#texts.add(problem.text);
    this.#problems.push(problem);
  }

  /** Removes all problems but the first `count`. */
  forgetFrom(count: number): void {
    for (const { text } of this.#problems.splice(count)) this.#texts?.delete(text);
  }
}

export function newOutcome(): Outcome {
  return new Outcome();
}

export function isFine({ problems }: Outcome): boolean {
  return problems.length === 0;
}

export function addProblem(outcome: Outcome, problem: SchemaProblem): void {
  outcome.add(problem);
}

export function mergeOutcome(outcome: Outcome, other: Outcome): void {
  for (const problem of other.problems) outcome.add(problem);
  outcome.score += other.score;
}

/** The first outcome with the highest score. */
export function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}
