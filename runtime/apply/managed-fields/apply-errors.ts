import { goQuote } from "../../go/quote.ts";
import { getObject, getString, type JsonObject } from "../../lib/json-object.ts";
import { printPath } from "../fieldpath/path.ts";
import type { Conflict } from "../merge/conflicts.ts";
import { identityOfKey } from "./manager-identity.ts";

export interface ConflictCause {
  /** Path of the field, such as `.spec.replicas`. */
  readonly field: string;
  readonly message: string;
  readonly reason: "FieldManagerConflict";
}

/** Thrown by an apply that would change fields of other managers (409). kubectl shows the message. */
export class ApplyConflictError extends Error {
  readonly code = "ApplyConflict";
  readonly causes: readonly ConflictCause[];

  constructor(conflicts: readonly Conflict[]) {
    // There may be very many conflicts with few managers.
    const names = new Map<string, string>();
    for (const { manager } of conflicts) if (!names.has(manager)) names.set(manager, printManager(manager));
    const causes = conflicts.map(
      ({ manager, path }): ConflictCause => ({
        reason: "FieldManagerConflict",
        message: `conflict with ${names.get(manager)}`,
        field: printPath(path),
      }),
    );
    super(describe(conflicts, causes));
    this.causes = causes;
  }
}

/** A configuration that is invalid for any live object (400). */
export class BadApplyRequestError extends Error {
  readonly code = "BadApplyRequest";
}

/** A configuration or live object that does not match the schema (500, as in Kubernetes). */
export class UntypableObjectError extends Error {
  readonly code = "UntypableObject";
}

/** Builds the message. Conflicts with the same manager are adjacent. */
function describe(conflicts: readonly Conflict[], causes: readonly ConflictCause[]): string {
  const [first] = causes;
  if (causes.length === 1 && first !== undefined)
    return `Apply failed with 1 conflict: ${first.message}: ${first.field}`;
  const lines: string[] = [];
  causes.forEach(({ message, field }, index) => {
    const isNext = conflicts[index]?.manager !== conflicts[index - 1]?.manager;
    if (isNext) lines.push(`${message.replace("conflict", "conflicts")}:`);
    lines.push(`- ${field}`);
  });
  return `Apply failed with ${causes.length} conflicts: ${lines.join("\n")}`;
}

function printManager(key: string): string {
  const { manager, operation, apiVersion, subresource } = identityOfKey(key);
  const through = subresource === "" ? "" : ` with subresource ${goQuote(subresource)}`;
  const using = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${goQuote(manager)}${through}${using}`;
}

/** Formats an object as `namespace/name; group/version, Kind=Kind`, as these messages do. */
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
