import { goQuote } from "../../go/quote.ts";
import { getObject, getString, type JsonObject } from "../../lib/json-object.ts";
import { printPath } from "../fieldpath/path.ts";
import type { Conflict } from "../merge/conflicts.ts";
import { identityOfKey } from "./manager-identity.ts";

export interface ConflictCause {
  /** `.spec.replicas` */
  readonly field: string;
  readonly message: string;
  readonly reason: "FieldManagerConflict";
}

/** An apply that would change fields of other managers (409). The message is the one kubectl shows. */
export class ApplyConflictError extends Error {
  readonly code = "ApplyConflict";
  readonly causes: readonly ConflictCause[];

  constructor(conflicts: readonly Conflict[]) {
    super(describe(conflicts));
    this.causes = conflicts.map(({ manager, path }) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${printManager(manager)}`,
      field: printPath(path),
    }));
  }
}

/** A configuration that is invalid for any live object (400). */
export class BadApplyRequestError extends Error {
  readonly code = "BadApplyRequest";
}

/** A configuration or live object that does not fit the schema (500, as Kubernetes has it). */
export class UntypableObjectError extends Error {
  readonly code = "UntypableObject";
}

function describe(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${printPath(first.path)}`;
  }
  const lines: string[] = [];
  let manager: string | undefined;
  for (const conflict of conflicts) {
    if (conflict.manager !== manager) lines.push(`conflicts with ${printManager(conflict.manager)}:`);
    manager = conflict.manager;
    lines.push(`- ${printPath(conflict.path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function printManager(key: string): string {
  const { manager, operation, apiVersion, subresource } = identityOfKey(key);
  const through = subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${goQuote(manager)}${through}${using}`;
}

/** `namespace/name; group/version, Kind=Kind`, the way such messages name an object. */
export function describeObject(object: JsonObject): string {
  const metadata = getObject(object, "metadata");
  return `${getString(metadata, "namespace")}/${getString(metadata, "name")}; ${describeKind(object)}`;
}

export function describeKind(object: JsonObject): string {
  const apiVersion = getString(object, "apiVersion");
  if (apiVersion.split("/").length > 2) return "/, Kind=";
  const groupVersion = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  return `${groupVersion}, Kind=${getString(object, "kind")}`;
}
