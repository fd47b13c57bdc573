import { givenKeysOf } from "../../lib/json-object.ts";

/** The type of a field of a review. As in Go, `null` is allowed everywhere and means unset. */
type Shape =
  | "string"
  | "bool"
  | "int32"
  | "bytes"
  | { readonly listOf: Shape }
  | { readonly mapOf: Shape }
  | { readonly struct: string; readonly fields: Readonly<Record<string, Shape>> };

const STATUS: Shape = {
  struct: "Status",
  fields: {
    metadata: { struct: "ListMeta", fields: {} },
    status: "string",
    message: "string",
    reason: "string",
    code: "int32",
    details: {
      struct: "StatusDetails",
      fields: {
        name: "string",
        group: "string",
        kind: "string",
        uid: "string",
        retryAfterSeconds: "int32",
        causes: {
          listOf: { struct: "StatusCause", fields: { reason: "string", message: "string", field: "string" } },
        },
      },
    },
  },
};

const REVIEW: Shape = {
  struct: "AdmissionReview",
  fields: {
    kind: "string",
    apiVersion: "string",
    response: {
      struct: "AdmissionResponse",
      fields: {
        uid: "string",
        allowed: "bool",
        status: STATUS,
        patch: "bytes",
        patchType: "string",
        auditAnnotations: { mapOf: "string" },
        warnings: { listOf: "string" },
      },
    },
  },
};

/** Throws if a field of a webhook's response has the wrong type: later code relies on the types. */
export function checkReviewTypes(review: unknown): void {
  check(review, REVIEW, "AdmissionReview", "");
}

/** Checks a value. `struct` is the type that contains the field at `path`. */
function check(value: unknown, shape: Shape, struct: string, path: string): void {
  if (value === null || value === undefined) return;
  if (typeof shape === "string") {
    if (!isScalar(value, shape)) throw mismatch(value, shape, struct, path);
    return;
  }
  if ("listOf" in shape) {
    if (!Array.isArray(value)) throw mismatch(value, "[]string", struct, path);
    for (const item of value) check(item, shape.listOf, struct, path);
    return;
  }
  if (typeof value !== "object" || Array.isArray(value))
    throw mismatch(value, "mapOf" in shape ? "map[string]string" : shape.struct, struct, path);
  if ("mapOf" in shape) {
    for (const key of givenKeysOf(value)) check((value as Record<string, unknown>)[key], shape.mapOf, struct, path);
    return;
  }
  for (const [name, field] of Object.entries(shape.fields)) {
    if (Object.hasOwn(value, name))
      check((value as Record<string, unknown>)[name], field, shape.struct, path === "" ? name : `${path}.${name}`);
  }
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function isScalar(value: unknown, shape: "string" | "bool" | "int32" | "bytes"): boolean {
  if (shape === "bool") return typeof value === "boolean";
  if (shape === "int32") return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  return typeof value === "string" && (shape === "string" || BASE64.test(value));
}

function mismatch(value: unknown, wanted: string, struct: string, path: string): Error {
  const given = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return new Error(
    path === ""
      ? `json: cannot unmarshal ${given} into Go value of type ${struct}`
      : `json: cannot unmarshal ${given} into Go struct field ${struct}.${path} of type ${wanted}`,
  );
}
