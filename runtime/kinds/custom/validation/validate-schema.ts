import type { FieldError } from "../../../contract/field-error.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";
import { type Check, type Correlation, compileSchema } from "./compile-schema.ts";
import { findProblems } from "./outcome.ts";

/** The name of the whole object in messages of Kubernetes. */
const WHOLE = "<nil>";

/**
 * Validates values against an OpenAPI schema, with the messages of Kubernetes. Given an old value, errors of unchanged parts are ignored:
 * definitions may become stricter than existing objects.
 */
export class SchemaValidator {
  readonly #compile: () => Check;
  #check: Check | undefined;

  constructor(schema: CustomSchema, vendor: string, isOfDefault = false) {
    this.#compile = () => compileSchema(schema, vendor, isOfDefault);
  }

  /** `at` is the path of the value in the object: `""`, or `status` if only the status is validated. */
  validate(value: unknown, before?: Correlation, at = ""): FieldError[] {
    const check = (this.#check ??= this.#compile());
    const { problems, incomplete } = findProblems((outcome) => check(value, "", before, outcome));
    const errors = problems.map((problem) => {
      const step = problem.ofWhole ? "" : problem.path.replace(/^\./, "");
      return problem.error(step === "" ? at || WHOLE : at === "" ? step : `${at}.${step}`);
    });
    if (incomplete !== undefined) errors.push({ field: WHOLE, reason: "FieldValueTooMany", message: incomplete });
    return errors;
  }
}
