import type { SchemaCompiler } from "../../../schema/validate.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { compileStrict } from "./compile-schema.ts";
import { newOutcome } from "./outcome.ts";

/** Compiles the keywords of declared types (`Schema<…>`), which are those of custom definitions. Errors name the field, not the schema's path. */
export function createSchemaCompiler(vendor: string): SchemaCompiler {
  return (keywords) => {
    const check = compileStrict(keywords as CustomSchema, vendor);
    return (value) => {
      const outcome = newOutcome();
      check(value, "", undefined, outcome);
      return outcome.problems.map(({ path, ofWhole, error }) => {
        const found = error(ofWhole ? "" : path.replace(/^\./, ""));
        return { ...found, message: found.message.replace(`${path} in body `, "").replace(/"" (?=must)/, "") };
      });
    };
  };
}
