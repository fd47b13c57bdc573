import { givenKeysOf, isJsonObject } from "../lib/json-object.ts";
import { DecodeError } from "./schema-errors.ts";
import { TypeMismatch } from "./type-mismatch.ts";

export interface TypeMeta {
  /** Empty if the document has none. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** The anonymous struct that Go decodes first, as its messages print it. */
const GO_TYPE =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Options for reading apiVersion and kind of a document. */
export interface TypeReading {
  /** Whether keys are matched case-insensitively, as Go does when it reads JSON for this purpose. The last match wins. */
  readonly anyCase: boolean;
  /** Whether the keys are sorted before they are read. */
  readonly sorted?: boolean;
}

/** Reads apiVersion and kind of a parsed document. Throws `DecodeError` for anything but an object or null. */
export function readTypeMeta(value: unknown, { anyCase, sorted }: TypeReading = { anyCase: true }): TypeMeta {
  const found = { apiVersion: "", kind: "" };
  if (value === null || value === undefined) return found;
  if (!isJsonObject(value)) throw refused(new TypeMismatch(value, GO_TYPE, "struct"));
  const object = value as { readonly [key: string]: unknown };
  const keys = givenKeysOf(object);
  // Only few of the keys matter, so only those are sorted.
  for (const key of sorted === true ? keys.filter((one) => nameOf(one, anyCase) !== undefined).sort() : keys) {
    const name = nameOf(key, anyCase);
    if (name === undefined) continue;
    const text = object[key];
    if (typeof text === "string") found[name] = text;
    else if (text !== null && text !== undefined) throw mismatchOf(text, name);
  }
  if (found.apiVersion.includes("/")) found.apiVersion = settleSlashes(found.apiVersion);
  return found;
}

/** Removes a leading slash, which follows the empty name of the core group. Throws if there are several slashes. */
function settleSlashes(apiVersion: string): string {
  const first = apiVersion.indexOf("/");
  if (first !== apiVersion.lastIndexOf("/")) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  return first === 0 ? apiVersion.slice(1) : apiVersion;
}

function nameOf(key: string, anyCase: boolean): keyof TypeMeta | undefined {
  if (key === "kind" || key === "apiVersion") return key;
  return anyCase ? nameInAnyCase(key) : undefined;
}

function nameInAnyCase(key: string): keyof TypeMeta | undefined {
  if (key.length !== 4 && key.length !== 10) return undefined;
  // Converts twice to cover the long s and the Kelvin sign.
  const folded = key.toLowerCase().toUpperCase();
  return folded === "KIND" ? "kind" : folded === "APIVERSION" ? "apiVersion" : undefined;
}

function mismatchOf(value: unknown, name: string): DecodeError {
  const mismatch = new TypeMismatch(value, "string", "string");
  mismatch.within("", name);
  return refused(mismatch);
}

function refused(mismatch: TypeMismatch): DecodeError {
  return new DecodeError(`couldn't get version/kind; json parse error: ${mismatch.describe()}`);
}
