import type { SchemaProblem } from "./schema-problem.ts";

/** Problems that are kept; of others only their number is known. */
const MOST_PROBLEMS = 20_000;
/** Characters of the messages that are listed: those that share a long path take many times the memory of the object. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** Checks of one object: of each value against each schema, of a value against those of an enumeration, and what long strings take. */
const MOST_CHECKS = 10_000_000;

const PROBLEM_STEPS = 5;

/** A schema and an object that both are large: their product would be checked. */
class TooManyChecks extends Error {
  readonly code = "TooManyChecks";

  constructor() {
    super(`Too many: the object takes more than ${MOST_CHECKS} checks against its schema`);
    this.name = "TooManyChecks";
  }
}

/** What is wrong with a value, and why that is not everything. */
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

/** What is left for the checks of one object, in all alternatives that are tried. */
export interface CheckBudget {
  left: number;
}

/** Result of checking a value. `score` tells which of several alternatives came closest. */
export class Outcome {
  readonly budget: CheckBudget;
  readonly #problems: SchemaProblem[] = [];
  #count = 0;
  score = 0;
  /** Whether a value inside of the one that is checked has problems and is not what it was. */
  holdsChange = false;

  constructor(budget: CheckBudget = { left: MOST_CHECKS }) {
    this.budget = budget;
  }

  /** How many problems were added, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** Throws TooManyChecks if the checks of the object took too many steps. */
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

  /** Removes all problems but the first `count`. */
  forgetFrom(count: number): void {
    this.#count = count;
    if (this.#problems.length > count) this.#problems.length = count;
  }

  /** The problems without duplicates, as far as they can be listed, and how many there are besides. */
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

/** The first outcome with the highest score. */
export function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}
