import type { TypeRef } from "../../model/contract.ts";
import type { Model } from "../../model/model.ts";
import { isScalar, jsonFields, structOf, unalias } from "../../model/type-walk.ts";

/** A query or path parameter, before either version of OpenAPI has shaped it. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "integer" | "boolean" | "number";
  readonly description: string;
  readonly required?: true;
  /** Distinguishes parameters of the same name in the shared part of version 2; absent for those written in place. */
  readonly shared?: string;
}

function query(
  name: string,
  type: Parameter["type"],
  description: string,
  shared: string | undefined = name,
): Parameter {
  return { name, in: "query", type, description, ...(shared !== undefined && { shared }) };
}

function inPath(name: string, description: string, shared?: string): Parameter {
  return { name, in: "path", type: "string", description, required: true, ...(shared !== undefined && { shared }) };
}

export const NAMESPACE = inPath("namespace", "The namespace of the object.", "namespace");
export const PATH = inPath("path", "What follows the address of the object: the path on the other side.", "path.path");

export function nameOf(kind: string): Parameter {
  return inPath("name", `The name of the ${kind}.`);
}

const PRETTY = query("pretty", "string", "Anything but false prints the answer with indentation.");
const DRY_RUN: Parameter = {
  name: "dryRun",
  in: "query",
  type: "string",
  description: "All goes through every step of the request and keeps nothing. No other value is allowed.",
};
const FIELD_VALIDATION: Parameter = {
  name: "fieldValidation",
  in: "query",
  type: "string",
  description:
    "What unknown and repeated fields do: Ignore drops them, Warn says so (the default), Strict refuses the request.",
};
const FIELD_MANAGER = query("fieldManager", "string", "Who makes the change, for the record of field ownership.");
const APPLY_MANAGER = query(
  "fieldManager",
  "string",
  "Who makes the change, for the record of field ownership; apply patches must say it.",
  "fieldManager.patch",
);
const FORCE = query("force", "boolean", "Takes over fields that others own. Only apply patches may ask for it.");

const LIST: readonly Parameter[] = [
  query("continue", "string", "Where the next chunk of a long list starts, as the previous answer gave it."),
  query("fieldSelector", "string", "Only objects whose fields match."),
  query("labelSelector", "string", "Only objects whose labels match."),
  query("limit", "integer", "The most objects one answer may hold."),
  query("resourceVersion", "string", "How fresh the answer must be, or where a watch starts."),
  query("resourceVersionMatch", "string", "How resourceVersion is meant: Exact or NotOlderThan."),
  query("sendInitialEvents", "boolean", "Starts a watch with the objects that are already there."),
  query("timeoutSeconds", "integer", "How long the request may take."),
];
const WATCH: readonly Parameter[] = [
  query("allowWatchBookmarks", "boolean", "Lets the server mark how far a watch has come."),
  query("watch", "boolean", "Follow changes instead of listing."),
];
const DELETE: readonly Parameter[] = [
  DRY_RUN,
  query("gracePeriodSeconds", "integer", "Seconds to wait before the object is gone; 0 is at once."),
  query(
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "boolean",
    "Deletes an object that cannot be read any more, without any of its safeguards.",
  ),
  query("orphanDependents", "boolean", "Leaves dependents alone. Older form of propagationPolicy."),
  query("propagationPolicy", "string", "What happens to dependents: Orphan, Background or Foreground."),
];

/** The query parameters of each action. */
export const ACTION_PARAMETERS = {
  get: [PRETTY],
  list: [PRETTY, ...WATCH, ...LIST],
  post: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION],
  put: [PRETTY, DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION],
  patch: [PRETTY, DRY_RUN, APPLY_MANAGER, FIELD_VALIDATION, FORCE],
  delete: [PRETTY, ...DELETE],
  deletecollection: [PRETTY, ...DELETE, ...LIST],
} as const satisfies { [action: string]: readonly Parameter[] };

/** The fields of an options kind as query parameters; those that no query can hold are left out. */
export function optionParameters(model: Model, type: TypeRef): Parameter[] {
  const struct = structOf(model, type);
  if (struct === undefined) return [];
  return jsonFields(model, struct).flatMap((field): Parameter[] => {
    if (field.offWire) return [];
    const real = unalias(model, field.type);
    const scalar = typeof real === "object" && "list" in real ? unalias(model, real.list) : real;
    if (!isScalar(scalar)) return [];
    const known = { string: "string", boolean: "boolean", int32: "integer", int64: "integer" } as const;
    const queryType = known[scalar as keyof typeof known];
    return queryType === undefined
      ? []
      : [query(field.name, queryType, field.description, `${struct.name}.${field.name}`)];
  });
}
