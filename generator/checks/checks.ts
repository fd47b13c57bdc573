import type { Diagnostics } from "../diagnostics.ts";
import type { Model } from "../model/model.ts";
import type { SourceTree } from "../source-tree.ts";

/** What is wrong with a CEL expression over values of a type, or undefined when nothing is. */
export type RuleChecker = (expression: string, hasOld: boolean) => string | undefined;

export interface CheckContext {
  readonly model: Model;
  readonly tree: SourceTree;
  readonly diagnostics: Diagnostics;
  readonly checkRule?: RuleChecker;
}

export type Check = (context: CheckContext) => void;

/** Every check, in the order they run. Each reports all it finds; none changes anything. */
export const CHECKS: readonly Check[] = [];
