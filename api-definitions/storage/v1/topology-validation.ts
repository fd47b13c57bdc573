import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { duplicateField, requiredField } from "../../../runtime/values/field-errors.ts";
import type { TopologySelectorTerm } from "../../core/v1/scheduling.ts";
import { validateLabelName } from "../../meta/v1/label-selector-validation.ts";
import { deprecatedNodeLabel } from "../../node/v1/deprecated-labels.ts";

/** Terms must be unique, and so must the keys of a term. */
export function validateTopologies(terms: readonly TopologySelectorTerm[], path: string, errors: FieldError[]): void {
  // Kubernetes starts with as many empty terms as there are terms, so an empty term counts as duplicate of each.
  const seen: unknown[] = terms.map(() => ({}));
  for (const [index, term] of terms.entries()) {
    const at = `${path}[${index}].matchLabelExpressions`;
    validateTerm(term, at, errors);
    const meaning = Object.fromEntries(
      (term.matchLabelExpressions ?? []).map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]),
    );
    for (const other of seen) if (equalMeaning(other, meaning)) errors.push(duplicateField(at, ""));
    seen.push(meaning);
  }
}

export function warnOfTopologies(terms: readonly TopologySelectorTerm[]): string[] {
  return terms.flatMap(({ matchLabelExpressions }, term) =>
    (matchLabelExpressions ?? []).flatMap(({ key }, index) => {
      const warning = deprecatedNodeLabel(key);
      const field = `allowedTopologies[${term}].matchLabelExpressions[${index}].key`;
      return warning === undefined ? [] : [`${field}: ${warning}`];
    }),
  );
}

function validateTerm({ matchLabelExpressions }: TopologySelectorTerm, path: string, errors: FieldError[]): void {
  const keys = new Set<string>();
  for (const [index, { key = "", values }] of (matchLabelExpressions ?? []).entries()) {
    const at = `${path}[${index}]`;
    const texts = values ?? [];
    if (texts.length === 0) errors.push(requiredField(`${at}.values`));
    for (const [position, value] of texts.entries()) {
      if (texts.indexOf(value) < position) errors.push(duplicateField(`${at}.values[${position}]`, value));
    }
    validateLabelName(key, `${at}.key`, errors);
    if (keys.has(key)) errors.push(duplicateField(`${at}.key`, key));
    keys.add(key);
  }
}
