import type { SchemaProblem } from "./schema-problem.ts";

/** Maximum number of problems that are kept. Further ones are only counted. */
const MOST_PROBLEMS = 20_000;
/** Limit for the messages that are listed, in characters. Messages that share a long path take many times the memory of the object. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/**
 * Maximum number of checks of one object: each value against each schema, each value against each value of an enumeration, plus steps for long
 * strings.
 */
const MOST_CHECKS = 10_000_000;

const PROBLEM_STEPS = 5;

/** Thrown if schema and object are both large: the number of checks grows with the product of their sizes. */
class TooManyChecks extends Error {
  readonly code = "TooManyChecks";

  constructor() {
    super(`Too many: the object takes more than ${MOST_CHECKS} checks against its schema`);
    this.name = "TooManyChecks";
  }
}

/** Problems of a value, and the reason why the list is incomplete, if it is. */
export interface Findings {
  readonly problems: readonly SchemaProblem[];
  readonly incomplete: string | undefined;
}

export function findProblems(check: (outcome: Outcome) => void): Findings {
  const outcome = new Outcome();
  let exceeded: string | undefined;
  try {
    check(outcome);
  } catch (error) {
    if (!(error instanceof TooManyChecks)) throw error;
    exceeded = error.message;
  }
  const { problems, others } = outcome.list();
  const unlisted = others > 0 ? `Too many: ${others} more errors are not listed` : undefined;
  return { problems, incomplete: exceeded ?? unlisted };
}

/** Remaining steps for the checks of one object, shared by all alternatives that are tried. */
export interface CheckBudget {
  left: number;
}

/** Result of checking a value. The alternative with the highest `score` matched best. */
export class Outcome {
  readonly budget: CheckBudget;
  readonly #problems: SchemaProblem[] = [];
  #count = 0;
  score = 0;
  /** Whether a value inside the checked value has problems and has changed. */
  holdsChange = false;

  constructor(budget: CheckBudget = { left: MOST_CHECKS }) {
    this.budget = budget;
  }

  /** Number of problems that were added, whether or not they were kept. */
  get count(): number {
    return this.#count;
  }

  /** Throws TooManyChecks if the checks of the object exceed the limit. */
  spend(steps: number): void {
    this.budget.left -= steps;
    if (this.budget.left < 0) throw new TooManyChecks();
  }

  add(problem: SchemaProblem): void {
    this.spend(PROBLEM_STEPS);
    this.#count += 1;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem);
  }

  merge(other: Outcome): void {
    const kept = Math.min(other.#problems.length, MOST_PROBLEMS - this.#problems.length);
    this.spend(kept);
    for (let i = 0; i < kept; i++) this.#problems.push(other.#problems[i] as SchemaProblem);
    this.#count += other.#count;
    this.score += other.score;
  }

  /** Removes all problems except the first `count`. */
  forgetFrom(count: number): void {
    this.#count = count;
    if (this.#problems.length > count) this.#problems.length = count;
  }

  /** Returns the problems without duplicates, as many as can be listed, and the number of further ones. */
  list(): { readonly problems: readonly SchemaProblem[]; readonly others: number } {
    const texts = new Set<string>();
    const problems: SchemaProblem[] = [];
    let characters = 0;
    let looked = 0;
    for (const problem of this.#problems) {
      characters += problem.text.length;
      if (looked > 0 && characters > MOST_CHARACTERS) break;
      looked += 1;
      if (texts.size < texts.add(problem.text).size) problems.push(problem);
    }
    return { problems, others: this.#count - looked };
  }
}

export function isFine({ count }: Outcome): boolean {
  return count === 0;
}

/** Returns the first of the outcomes with the highest score. */
export function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}
