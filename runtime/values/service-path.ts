import type { FieldError } from "../contract/field-error.ts";
import { invalidField } from "./field-errors.ts";
import { checkSubdomain } from "./names.ts";

/** Each error contains the whole path: without a limit, the errors of a long path would take quadratic space. */
const MOST_ERRORS = 100;

/** Validates the path of a webhook that is reached through a Service. */
export function checkServicePath(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  const refuse = (detail: string) => invalidField(field, path, detail);
  if (path === "//") return [refuse("segment[0] may not be empty")];
  const errors = path.startsWith("/") ? [] : [refuse("must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (errors.length >= MOST_ERRORS) break;
    if (step === "") errors.push(refuse(`segment[${index}] may not be empty`));
    else for (const problem of checkSubdomain(step)) errors.push(refuse(`segment[${index}]: ${problem}`));
  }
  return errors;
}
