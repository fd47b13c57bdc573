import type { FieldError } from "../../../contract/field-error.ts";
import { invalidField, requiredField } from "../../../values/field-errors.ts";
import { checkDns1035Label } from "../../../values/names.ts";
import type { DefinitionNames } from "../definition/custom-definition.ts";

/** Requires the names that every definition must have, after defaulting. */
export function requireNames(names: DefinitionNames, path: string): FieldError[] {
  return (["plural", "singular", "kind", "listKind"] as const)
    .filter((name) => (names[name] ?? "") === "")
    .map((name) => requiredField(`${path}.${name}`));
}

export function validateNames(names: DefinitionNames, path: string): FieldError[] {
  const { kind, listKind = "" } = names;
  const errors: FieldError[] = [];
  for (const name of ["plural", "singular"] as const) errors.push(...label(`${path}.${name}`, names[name] ?? ""));
  for (const name of ["kind", "listKind"] as const) errors.push(...mixedCase(`${path}.${name}`, names[name] ?? ""));
  (names.shortNames ?? []).forEach((name, index) => errors.push(...label(`${path}.shortNames[${index}]`, name)));
  if (kind !== "" && kind === listKind)
    errors.push(invalidField(`${path}.listKind`, listKind, "kind and listKind may not be the same"));
  (names.categories ?? []).forEach((name, index) => errors.push(...label(`${path}.categories[${index}]`, name)));
  return errors;
}

function label(path: string, name: string): FieldError[] {
  const problems = name === "" && !path.endsWith("]") ? [] : checkDns1035Label(name);
  return problems.length === 0 ? [] : [invalidField(path, name, problems.join(","))];
}

function mixedCase(path: string, name: string): FieldError[] {
  const problems = name === "" ? [] : checkDns1035Label(name.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidField(path, name, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}
