import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields } from "../../../../runtime/values/field-errors.ts";
import { checkEnvVarName, checkRelaxedEnvVarName } from "../../../../runtime/values/formats.ts";
import { checkSubdomain, maskTrailingDash } from "../../../../runtime/values/names.ts";
import type { EnvFromSource, EnvVar } from "../environment.ts";
import { need } from "./basics.ts";
import type { PodTolerance } from "./pod-tolerance.ts";
import { validateFieldReference, validateKeySelector, validateResourceReference } from "./references.ts";

const FIELDS = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

function checkName(name: string, { relaxedVariables }: PodTolerance): string[] {
  return relaxedVariables ? checkRelaxedEnvVarName(name) : checkEnvVarName(name);
}

export function validateEnv(
  variables: readonly EnvVar[] | undefined,
  tolerance: PodTolerance,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, variable] of (variables ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (need(variable.name, `${at}.name`, errors)) {
      errors.push(...invalidFields(`${at}.name`, variable.name, checkName(variable.name, tolerance)));
    }
    if (variable.valueFrom !== undefined) validateValueFrom(variable, `${at}.valueFrom`, errors);
  }
}

export function validateEnvFrom(
  sources: readonly EnvFromSource[] | undefined,
  tolerance: PodTolerance,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, source] of (sources ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (source.prefix)
      errors.push(...invalidFields(`${at}.prefix`, source.prefix, checkName(source.prefix, tolerance)));
    const named = { configMapRef: source.configMapRef, secretRef: source.secretRef };
    for (const [name, reference] of Object.entries(named)) {
      if (reference === undefined) continue;
      if (need(reference.name, `${at}.${name}.name`, errors)) {
        errors.push(
          ...invalidFields(`${at}.${name}.name`, reference.name, checkSubdomain(maskTrailingDash(reference.name!))),
        );
      }
    }
    const count = Object.values(named).filter((reference) => reference !== undefined).length;
    if (count === 0) errors.push(invalidField(path, "", "must specify one of: `configMapRef` or `secretRef`"));
    else if (count > 1) errors.push(invalidField(path, "", "may not have more than one field specified at a time"));
  }
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: string, errors: FieldError[]): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom ?? {};
  if (fieldRef !== undefined) validateFieldReference(fieldRef, FIELDS, `${path}.fieldRef`, errors);
  if (resourceFieldRef !== undefined)
    validateResourceReference(resourceFieldRef, false, `${path}.resourceFieldRef`, errors);
  if (configMapKeyRef !== undefined) validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`, errors);
  if (secretKeyRef !== undefined) validateKeySelector(secretKeyRef, `${path}.secretKeyRef`, errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  if (count === 0) {
    errors.push(
      invalidField(
        path,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
      ),
    );
  } else if (value) {
    errors.push(invalidField(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) {
    errors.push(invalidField(path, "", "may not have more than one field specified at a time"));
  }
}
