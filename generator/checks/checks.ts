import type { Check } from "./check-context.ts";
import { checkConversions } from "./conversions.ts";
import { checkDefaults } from "./defaults.ts";
import { checkEndlessTypes } from "./endless-types.ts";
import { checkFieldNumbers } from "./field-numbers.ts";
import { checkGroups } from "./groups.ts";
import { checkGatesOfDefaults, checkHooks } from "./hooks.ts";
import { checkKinds } from "./kinds.ts";
import { checkLimits } from "./limits.ts";
import { checkListTypes } from "./list-types.ts";
import { checkMarkerTargets } from "./marker-targets.ts";
import { checkPaths } from "./paths.ts";
import { checkProject } from "./project.ts";
import { checkResourceNames } from "./resource-names.ts";
import { checkRules } from "./rules.ts";
import { checkStorage } from "./storage.ts";

/** All checks, in the order in which they run. Each reports every problem that it finds. None changes the model. */
export const CHECKS: readonly Check[] = [
  checkProject,
  checkMarkerTargets,
  checkListTypes,
  checkEndlessTypes,
  checkDefaults,
  checkLimits,
  checkRules,
  checkKinds,
  checkResourceNames,
  checkGroups,
  checkPaths,
  checkStorage,
  checkHooks,
  checkGatesOfDefaults,
  checkFieldNumbers,
  checkConversions,
];
