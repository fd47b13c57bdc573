import { DeviceAllocationMode } from "../../../generated/values/resource.v1beta1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import {
  MAX_CONFIGURATIONS,
  MAX_REQUESTS,
  validateAttributeName,
  validateClassName,
  validateConfiguration,
  validateEach,
  validateLabelText,
  validateSet,
  validateToleration,
} from "./device-checks.ts";
import type { DeviceClaim, DeviceConstraint, DeviceRequest, DeviceSubRequest } from "./device-requests.ts";
import { type Standing, validateSelectors } from "./device-selector-validation.ts";

const MAX_CONSTRAINTS = 32;
const MAX_ALTERNATIVES = 8;
const MODES = [...DeviceAllocationMode].sort();

/** Names that constraints and configuration can refer to: requests, and their alternatives as `request/alternative`. */
export function requestNames({ requests }: DeviceClaim): Set<string> {
  return new Set(
    (requests ?? []).flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((alternative) => `${name}/${alternative.name}`),
    ]),
  );
}

/** Messages have the field paths of v1beta2, as in Kubernetes. */
export function validateDeviceClaim(claim: DeviceClaim, standing: Standing, path: string, errors: FieldError[]): void {
  const names = requestNames(claim);
  validateSet(
    claim.requests,
    MAX_REQUESTS,
    (request, at, found) => validateRequest(request, standing, at, found),
    ({ name }) => name,
    ".name",
    `${path}.requests`,
    errors,
  );
  validateEach(
    claim.constraints,
    MAX_CONSTRAINTS,
    (constraint, at, found) => validateConstraint(constraint, names, at, found),
    `${path}.constraints`,
    errors,
  );
  validateEach(
    claim.config,
    MAX_CONFIGURATIONS,
    (configuration, at, found) => {
      validateRequestReferences(configuration.requests, names, `${at}.requests`, found);
      validateConfiguration(configuration, standing.isStored, at, found);
    },
    `${path}.config`,
    errors,
  );
}

export function validateRequestReferences(
  references: readonly string[] | undefined,
  names: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  const check = (name: string, at: string, found: FieldError[]) => validateRequestReference(name, names, at, found);
  validateSet(references, MAX_REQUESTS, check, (name) => name, "", path, errors);
}

export function validateRequestReference(
  name: string,
  names: ReadonlySet<string>,
  field: string,
  errors: FieldError[],
): void {
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  const parts = name.split("/");
  if (parts.length <= 2) for (const part of parts) validateLabelText(part, field, errors);
  if (parts.length > 2 || !names.has(name)) errors.push(invalidField(field, name, detail));
}

function validateRequest(request: DeviceRequest, standing: Standing, path: string, errors: FieldError[]): void {
  const {
    name,
    firstAvailable = [],
    deviceClassName,
    selectors,
    allocationMode,
    count,
    adminAccess,
    tolerations,
  } = request;
  validateLabelText(name, `${path}.name`, errors);
  const hasExact = Boolean(
    deviceClassName || selectors || allocationMode || count || adminAccess !== undefined || tolerations,
  );
  if (firstAvailable.length > 0) {
    validateSet(
      firstAvailable,
      MAX_ALTERNATIVES,
      (alternative, at, found) => {
        validateLabelText(alternative.name, `${at}.name`, found);
        validateChoice(alternative, standing, at, found);
      },
      (alternative) => alternative.name,
      ".name",
      `${path}.firstAvailable`,
      errors,
    );
  }
  if (hasExact) validateChoice(request, standing, `${path}.exactly`, errors);
  const detail = "exactly one of `exactly` or `firstAvailable` is required";
  if (!hasExact && firstAvailable.length === 0) errors.push(requiredField(path, detail));
  if (hasExact && firstAvailable.length > 0) {
    errors.push(invalidField(path, undefined, `${detail}, but multiple fields are set`));
  }
}

/** Validates class, selectors, number and tolerations of a request or an alternative. */
function validateChoice(
  choice: DeviceRequest | DeviceSubRequest,
  standing: Standing,
  path: string,
  errors: FieldError[],
): void {
  const { deviceClassName, selectors, allocationMode = "", count = 0, tolerations } = choice;
  validateClassName(deviceClassName, `${path}.deviceClassName`, errors);
  validateSelectors(selectors, standing, `${path}.selectors`, errors);
  if (allocationMode === "All") {
    if (count !== 0) {
      errors.push(invalidField(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
    }
  } else if (allocationMode === "ExactCount") {
    if (count <= 0) errors.push(invalidField(`${path}.count`, count, "must be greater than zero"));
  } else {
    errors.push(unsupportedField(`${path}.allocationMode`, allocationMode, MODES));
  }
  validateEach(tolerations, undefined, validateToleration, `${path}.tolerations`, errors);
}

function validateConstraint(
  { requests, matchAttribute }: DeviceConstraint,
  names: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  validateRequestReferences(requests, names, `${path}.requests`, errors);
  const field = `${path}.matchAttribute`;
  if (matchAttribute === undefined) {
    errors.push(requiredField(field));
    return;
  }
  validateAttributeName(matchAttribute, field, errors);
  if (matchAttribute !== "" && !matchAttribute.includes("/")) {
    errors.push(invalidField(field, matchAttribute, "must include a domain"));
  }
}
