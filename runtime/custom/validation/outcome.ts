import type { SchemaProblem } from "./schema-problem.ts";

/** What came of checking a value. `score` tells which of several alternatives came closest. */
export interface Outcome {
  readonly problems: SchemaProblem[];
  score: number;
}

export function newOutcome(): Outcome {
  return { problems: [], score: 0 };
}

export function isFine({ problems }: Outcome): boolean {
  return problems.length === 0;
}

/** The same problem found twice is told once. */
export function addProblem(outcome: Outcome, problem: SchemaProblem): void {
  if (!outcome.problems.some(({ text }) => text === problem.text)) outcome.problems.push(problem);
}

export function mergeOutcome(outcome: Outcome, other: Outcome): void {
  for (const problem of other.problems) addProblem(outcome, problem);
  outcome.score += other.score;
}

/** The first of those that got furthest. */
export function closest(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce((best, outcome) => (outcome.score > best.score ? outcome : best));
}
