import type { Diagnostics } from "../diagnostics.ts";
import type { TypeExpr, ValidationRule } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import type { SourceTree } from "../source-tree.ts";

/** Returns why a CEL expression over values of a type is invalid; undefined if it is valid. */
export type RuleChecker = (model: Model, type: TypeExpr, rule: ValidationRule) => string | undefined;

export interface CheckContext {
  readonly model: Model;
  readonly tree: SourceTree;
  readonly diagnostics: Diagnostics;
  readonly checkRule: RuleChecker;
}

export type Check = (context: CheckContext) => void;
