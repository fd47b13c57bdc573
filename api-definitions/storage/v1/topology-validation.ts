import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { duplicateField, requiredField } from "../../../runtime/values/field-errors.ts";
import type { TopologySelectorTerm } from "../../core/v1/scheduling.ts";
import { validateLabelName } from "../../meta/v1/label-selector-validation.ts";
import { deprecatedNodeLabel } from "../../node/v1/deprecated-labels.ts";

const MOST_DUPLICATES = 1000;

/** Terms must be unique, and so must the keys of a term. */
export function validateTopologies(terms: readonly TopologySelectorTerm[], path: string, errors: FieldError[]): void {
  // Kubernetes starts with as many empty terms as there are terms, so an empty term counts as duplicate of each.
  const seen = new Map([["[]", terms.length]]);
  let reported = 0;
  for (const [index, term] of terms.entries()) {
    const at = `${path}[${index}].matchLabelExpressions`;
    validateTerm(term, at, errors);
    const values = new Map(
      (term.matchLabelExpressions ?? []).map((one) => [one.key, [...new Set(one.values ?? [])].sort()]),
    );
    const meaning = JSON.stringify([...values].sort(([a], [b]) => (a < b ? -1 : 1)));
    const equal = seen.get(meaning) ?? 0;
    // A term is reported once per earlier duplicate. The limit prevents that a long list of equal terms causes a quadratic number of errors.
    for (let i = 0; i < equal && reported < MOST_DUPLICATES; i++, reported++) errors.push(duplicateField(at, ""));
    seen.set(meaning, equal + 1);
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
    const known = new Set<string>();
    for (const [position, value] of texts.entries()) {
      if (known.has(value)) errors.push(duplicateField(`${at}.values[${position}]`, value));
      known.add(value);
    }
    validateLabelName(key, `${at}.key`, errors);
    if (keys.has(key)) errors.push(duplicateField(`${at}.key`, key));
    keys.add(key);
  }
}
