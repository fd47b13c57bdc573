import { compileRules } from "../cel/rules/compile-rules.ts";
import { CelSchemas } from "./cel-schema.ts";
import type { RuleCompiler } from "./validate.ts";

/** Compiles the CEL rules of declared types. Apart from the validators, so that who needs no rules loads no CEL. */
export function createRuleCompiler(): RuleCompiler {
  const schemas = new CelSchemas();
  return (shape, rules) => {
    const set = compileRules(schemas.of(shape), rules);
    return (value, old, budget) => set.validate(value, old, "", budget);
  };
}
