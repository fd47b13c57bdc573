import { isJsonObject } from "../lib/json-object.ts";
import { DecodeError } from "./schema-errors.ts";
import { TypeMismatch } from "./type-mismatch.ts";

export interface TypeMeta {
  /** Empty where the document names none. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** The anonymous struct Go reads first, as its messages print it. */
const GO_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** What kind of object a parsed document says it is. Throws `DecodeError` for anything but an object (or null). */
export function readTypeMeta(value: unknown): TypeMeta {
  if (value === null || value === undefined) return { apiVersion: "", kind: "" };
  if (!isJsonObject(value)) throw refused(new TypeMismatch(value, GO_TYPE, "struct"));
  const object = value as { readonly [key: string]: unknown };
  return { apiVersion: textField(object, "apiVersion"), kind: textField(object, "kind") };
}

function textField(object: { readonly [key: string]: unknown }, name: string): string {
  const value = Object.hasOwn(object, name) ? (object[name] ?? "") : "";
  if (typeof value === "string") return value;
  const mismatch = new TypeMismatch(value, "string", "string");
  mismatch.within("", name);
  throw refused(mismatch);
}

function refused(mismatch: TypeMismatch): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${mismatch.describe()}`);
}
