import type { FieldError } from "../contract/field-error.ts";
import type { RequestQuery } from "../contract/request-info.ts";
import { parseGoInt } from "../go/int.ts";
import { validateDryRun } from "../resource/delete-options.ts";
import { unsupportedField } from "../values/field-errors.ts";
import { validateFieldManager } from "../values/manager-name.ts";
import { badRequest, invalid } from "../values/status-errors.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The query parameters of create, update and patch. */
export interface WriteQuery {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean | undefined;
  /** The options as admission receives them: those of a patch are UpdateOptions. */
  readonly options: Readonly<Record<string, unknown>>;
}

const FIELD_VALIDATION = ["", "Ignore", "Strict", "Warn"];

/** Reads and validates the options of a write. Throws 422 if they are invalid. */
export function readWriteQuery(
  query: RequestQuery,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  metaGroup: string,
  isApply = false,
): WriteQuery {
  const dryRun = query.getAll("dryRun");
  const fieldManager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const force = booleanParameter(query, "force");
  const errors: FieldError[] = [];
  if (kind === "PatchOptions") {
    if (isApply && fieldManager === "") {
      errors.push({
        field: "fieldManager",
        reason: "FieldValueRequired",
        message: "Required value: is required for apply patch",
      });
    } else if (!isApply && force !== undefined) {
      errors.push({
        field: "force",
        reason: "FieldValueForbidden",
        message: "Forbidden: may not be specified for non-apply patch",
      });
    }
  }
  errors.push(...validateFieldManager(fieldManager));
  errors.push(...validateDryRun(dryRun));
  if (!FIELD_VALIDATION.includes(fieldValidation)) {
    errors.push(unsupportedField("fieldValidation", fieldValidation, FIELD_VALIDATION));
  }
  if (errors.length > 0) {
    throw invalid({ group: metaGroup, kind }, "", errors);
  }
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === "" ? "Warn" : (fieldValidation as FieldValidation),
    force,
    options: {
      kind: kind === "PatchOptions" ? "UpdateOptions" : kind,
      apiVersion: `${metaGroup}/v1`,
      ...(dryRun.length > 0 && { dryRun }),
      ...(fieldManager !== "" && { fieldManager }),
      ...(fieldValidation !== "" && { fieldValidation }),
    },
  };
}

/** Parses an integer query parameter like Go. Undefined if absent. */
export function integerParameter(query: RequestQuery, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) {
    return undefined;
  }
  const value = parseGoInt(text);
  if (typeof value === "string") throw badRequest(value);
  return Number(value);
}

/** Parses a flag like Kubernetes: any value except `false` and `0` sets it. Undefined if absent. */
export function booleanParameter(query: RequestQuery, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text.toLowerCase() !== "false" && text !== "0";
}
