import type { SchemaCompiler } from "../../../schema/validate.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { compileStrict } from "./compile-schema.ts";
import { findProblems } from "./outcome.ts";

/**
 * Compiles the keywords of declared types (`Schema<…>`), which are the same as in custom definitions. Errors name the field, not the path in the
 * schema.
 */
export function createSchemaCompiler(vendor: string): SchemaCompiler {
  return (keywords) => {
    const check = compileStrict(keywords as CustomSchema, vendor);
    return (value) => {
      const { problems, incomplete } = findProblems((outcome) => check(value, "", undefined, outcome));
      const errors = problems.map((problem) => {
        const { path, ofWhole } = problem;
        const found = problem.error(ofWhole ? "" : path.replace(/^\./, ""));
        return { ...found, message: found.message.replace(`${path} in body `, "").replace(/"" (?=must)/, "") };
      });
      return incomplete === undefined
        ? errors
        : [...errors, { field: "", reason: "FieldValueTooMany", message: incomplete }];
    };
  };
}
