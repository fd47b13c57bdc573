import type { Diagnostics } from "../diagnostics.ts";
import type { TypeExpr, ValidationRule } from "../model/contract.ts";
import type { Model } from "../model/model.ts";
import type { SourceTree } from "../source-tree.ts";
import { checkConversions } from "./conversions.ts";
import { checkDefaults } from "./defaults.ts";
import { checkFieldNumbers } from "./field-numbers.ts";
import { checkGroups } from "./groups.ts";
import { checkHooks } from "./hooks.ts";
import { checkKinds } from "./kinds.ts";
import { checkLimits } from "./limits.ts";
import { checkListTypes } from "./list-types.ts";
import { checkMarkerTargets } from "./marker-targets.ts";
import { checkPaths } from "./paths.ts";
import { checkProject } from "./project.ts";
import { checkResourceNames } from "./resource-names.ts";
import { checkRules } from "./rules.ts";
import { checkStorage } from "./storage.ts";

/** What is wrong with a CEL expression over values of a type, or undefined when nothing is. */
export type RuleChecker = (model: Model, type: TypeExpr, rule: ValidationRule) => string | undefined;

export interface CheckContext {
  readonly model: Model;
  readonly tree: SourceTree;
  readonly diagnostics: Diagnostics;
  readonly checkRule: RuleChecker;
}

export type Check = (context: CheckContext) => void;

/** Every check, in the order they run. Each reports all it finds; none changes anything. */
export const CHECKS: readonly Check[] = [
  checkProject,
  checkMarkerTargets,
  checkListTypes,
  checkDefaults,
  checkLimits,
  checkRules,
  checkKinds,
  checkResourceNames,
  checkGroups,
  checkPaths,
  checkStorage,
  checkHooks,
  checkFieldNumbers,
  checkConversions,
];
