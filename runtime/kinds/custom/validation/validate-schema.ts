import type { FieldError } from "../../../contract/field-error.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { type Check, type Correlation, compileSchema } from "./compile-schema.ts";
import { newOutcome } from "./outcome.ts";

/** What Kubernetes calls the object as a whole. */
const WHOLE = "<nil>";

/**
 * Checks values against an OpenAPI schema, in the words of Kubernetes. Where there was a value before, what was wrong with
 * it and has not changed is let pass: definitions may become stricter than the objects that exist.
 */
export class SchemaValidator {
  readonly #compile: () => Check;
  #check: Check | undefined;

  constructor(schema: CustomSchema, vendor: string) {
    this.#compile = () => compileSchema(schema, vendor);
  }

  /** `at` is where the value stands in the object: `""` or, for a status on its own, `status`. */
  validate(value: unknown, before?: Correlation, at = ""): FieldError[] {
    this.#check ??= this.#compile();
    const outcome = newOutcome();
    this.#check(value, "", before, outcome);
    return outcome.problems.map((problem) => {
      const step = problem.ofWhole ? "" : problem.path.replace(/^\./, "");
      return problem.error(step === "" ? at || WHOLE : at === "" ? step : `${at}.${step}`);
    });
  }
}
