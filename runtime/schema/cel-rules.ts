import { createRequire } from "node:module";
import { CelSchemas } from "./cel-schema.ts";
import { lazy } from "./shape.ts";
import type { RuleCompiler } from "./validate.ts";

/** Loads CEL when the first type that has rules is compiled. On most servers only custom definitions have rules. */
const cel = lazy(
  () =>
    createRequire(import.meta.url)("../cel/rules/compile-rules.ts") as typeof import("../cel/rules/compile-rules.ts"),
);

/** Compiles the CEL rules of declared types. */
export function createRuleCompiler(): RuleCompiler {
  const schemas = new CelSchemas();
  return (shape, rules) => {
    const set = cel().compileRules(schemas.of(shape), rules);
    return (value, old, budget, unchanged) => set.validate(value, old, "", budget, unchanged && { unchanged });
  };
}
