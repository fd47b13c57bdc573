import { stringify } from "yaml";
import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { JsonValue, Markers, TypeExpr, TypeRef } from "../model/contract.ts";
import type { FieldModel, Model } from "../model/model.ts";
import { findType, isRef, jsonFields, structOf } from "../model/type-walk.ts";

/** Maximum nesting depth, deeper than any realistic manifest. Terminates recursive types. */
const DEEPEST = 12;

/** Returns a manifest with only the required fields of a kind, each with the simplest value that its markers allow. */
export function skeletonOf(
  model: Model,
  named: { readonly group: string; readonly version: string; readonly kind: string; readonly namespaced: boolean },
  type: TypeRef,
): string {
  const { kind, namespaced } = named;
  const metadata = { name: "example", ...(namespaced && { namespace: "default" }) };
  const body = structValue(model, type, 0) as { readonly [field: string]: JsonValue };
  return stringify({ apiVersion: apiVersionOf(named), kind, metadata, ...body });
}

function structValue(model: Model, type: TypeExpr, depth: number): JsonValue {
  const struct = structOf(model, type);
  if (struct === undefined || depth > DEEPEST) return {};
  const required = jsonFields(model, struct).filter(
    ({ optional, markers }) => !optional && markers.default === undefined,
  );
  return Object.fromEntries(required.map((field) => [field.name, fieldValue(model, field, depth)]));
}

function fieldValue(model: Model, field: FieldModel, depth: number): JsonValue {
  const named = isRef(field.type) ? findType(model, field.type) : undefined;
  const markers = named?.form === "alias" ? { ...named.markers, ...field.markers } : field.markers;
  return exampleValue(model, named?.form === "alias" ? named.is : field.type, markers, depth + 1);
}

function exampleValue(model: Model, type: TypeExpr, markers: Markers, depth: number): JsonValue {
  if (markers.enum?.[0] !== undefined) return markers.enum[0];
  if (typeof type === "object") {
    if ("map" in type) return {};
    const count = markers.minItems ?? 0;
    return count === 0 ? [] : [exampleValue(model, type.list, {}, depth + 1)];
  }
  if (isRef(type)) return structValue(model, type, depth);
  return scalarValue(type, markers);
}

function scalarValue(type: string, { minimum, maximum, minLength = 0, maxLength, format }: Markers): JsonValue {
  switch (type) {
    case "boolean":
      return false;
    case "int32":
    case "int64":
    case "double":
      return minimum ?? Math.min(1, maximum ?? 1);
    case "time":
      return "2030-01-01T00:00:00Z";
    case "microTime":
      return "2030-01-01T00:00:00.000000Z";
    case "duration":
      return "1m0s";
    case "quantity":
      return "1";
    case "intOrString":
      return 1;
    case "bytes":
      return "ZXhhbXBsZQ==";
    case "string":
      return (FORMATS[format ?? ""] ?? "example").padEnd(minLength, "e").slice(0, maxLength);
    default:
      return {};
  }
}

const FORMATS: { readonly [format: string]: string } = {
  "env-var-name": "EXAMPLE",
  ip: "192.0.2.1",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  cidr: "192.0.2.0/24",
  uri: "https://example.com/",
  uuid: "00000000-0000-4000-8000-000000000000",
  "absolute-path": "/example",
};
