import type { Diagnostics } from "../diagnostics.ts";
import type { TypeExpr, ValidationRule } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import type { SourceTree } from "../source-tree.ts";

/** What is wrong with a CEL expression over values of a type, or undefined when nothing is. */
export type RuleChecker = (model: Model, type: TypeExpr, rule: ValidationRule) => string | undefined;

export interface CheckContext {
  readonly model: Model;
  readonly tree: SourceTree;
  readonly diagnostics: Diagnostics;
  readonly checkRule: RuleChecker;
}

export type Check = (context: CheckContext) => void;
