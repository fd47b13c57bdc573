import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { parseGoInt } from "../../../runtime/go/int.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { collectErrors, invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { shownAs } from "../../go-types.ts";
import type { Condition } from "../../meta/v1/condition.ts";
import { validateConditions } from "../../meta/v1/condition-validation.ts";
import type {
  MigrationConditionType,
  StorageVersionMigration,
  StorageVersionMigrationStatus,
} from "./storage-version-migration.ts";

export function validateMigration({ spec }: StorageVersionMigration): FieldError[] {
  const { resource, version } = spec?.resource ?? {};
  return collectErrors((errors) => {
    if (!resource) errors.push(requiredField("spec.resource.resource", "resource is required"));
    if (!version) errors.push(requiredField("spec.resource.version", "version is required"));
  });
}

/** `spec.resource` is immutable; `continueToken` is not. */
export function validateMigrationChange(
  migration: StorageVersionMigration,
  old: StorageVersionMigration,
): FieldError[] {
  const [resource, before] = [migration.spec?.resource ?? {}, old.spec?.resource ?? {}];
  return (["group", "version", "resource"] as const)
    .filter((name) => (resource[name] ?? "") !== (before[name] ?? ""))
    .map((name) => invalidField(name, resource[name] ?? "", "field is immutable"));
}

export function validateMigrationStatus(
  status: StorageVersionMigrationStatus,
  old: StorageVersionMigrationStatus,
): FieldError[] {
  return collectErrors((errors) => {
    const [{ resourceVersion = "" }, { resourceVersion: before = "" }] = [status, old];
    const field = "status.resourceVersion";
    validateResourceVersion(resourceVersion, field, errors);
    validateConditions(status.conditions?.map(asCondition), "status.conditions", errors);
    if (before !== "" && before !== resourceVersion)
      errors.push(invalidField(field, resourceVersion, "resourceVersion cannot be updated"));
    validateProgress(status, old, "status.conditions", errors);
  });
}

function validateResourceVersion(text: string, field: string, errors: FieldError[]): void {
  if (text === "") return;
  const number = parseGoInt(text);
  if (typeof number === "string") {
    errors.push(invalidField(field, text, `failed to parse resource version ${goQuote(text)}: ${number}`));
  } else if (number < 0n) {
    errors.push(invalidField(field, number, "must be greater than or equal to 0"));
  }
}

/** The conditions exclude each other, and `Succeeded` and `Failed` are final. */
function validateProgress(
  status: StorageVersionMigrationStatus,
  old: StorageVersionMigrationStatus,
  field: string,
  errors: FieldError[],
): void {
  const refuse = (detail: string) =>
    errors.push(invalidField(field, shownAs("[]storagemigration.MigrationCondition", status.conditions), detail));
  const [succeeded, failed, running] = [holds(status, "Succeeded"), holds(status, "Failed"), holds(status, "Running")];
  if (succeeded && failed) refuse("Both success and failed conditions cannot be true at the same time");
  if (succeeded && running) refuse("Running condition cannot be true when success condition is true");
  if (failed && running) refuse("Running condition cannot be true when failed condition is true");
  if (holds(old, "Succeeded") && !succeeded) refuse("Success condition cannot be set to false once it is true");
  if (holds(old, "Failed") && !failed) refuse("Failed condition cannot be set to false once it is true");
}

function holds({ conditions }: StorageVersionMigrationStatus, type: MigrationConditionType): boolean {
  return conditions?.find((condition) => condition.type === type)?.status === "True";
}

/** Converts to a standard condition, with `lastUpdateTime` as time of the last transition. */
function asCondition(condition: NonNullable<StorageVersionMigrationStatus["conditions"]>[number]): Condition {
  const { lastUpdateTime, reason = "", message = "" } = condition;
  return { ...condition, reason, message, lastTransitionTime: lastUpdateTime } as Condition;
}
