import type { FieldError } from "../contract/field-error.ts";
import { invalidField } from "./field-errors.ts";
import { checkSubdomain } from "./names.ts";

/** What is wrong with the path at which a webhook of a service listens. */
export function checkServicePath(path: string, field: string): FieldError[] {
  if (path === "" || path === "/") return [];
  const refuse = (detail: string) => invalidField(field, path, detail);
  if (path === "//") return [refuse("segment[0] may not be empty")];
  const errors = path.startsWith("/") ? [] : [refuse("must start with a '/'")];
  const steps = path.slice(1).replace(/\/$/, "").split("/");
  for (const [index, step] of steps.entries()) {
    if (step === "") errors.push(refuse(`segment[${index}] may not be empty`));
    else for (const problem of checkSubdomain(step)) errors.push(refuse(`segment[${index}]: ${problem}`));
  }
  return errors;
}
