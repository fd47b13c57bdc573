import type { MergeType } from "../../contract/merge-schema.ts";
import type { JsonObject } from "../../lib/json-object.ts";
import { printTypeMismatches, validate } from "../typed/validate.ts";

/** The versions of a kind, as the updater needs them. */
export interface Versions {
  /** Returns the merge type of a version. Undefined if the version is no longer served. */
  schemaFor(apiVersion: string): MergeType | undefined;
  /** Converts an object to another version. Called only for versions that have a schema. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

/** Thrown for an object that is invalid in another version: custom kinds are converted without a check of their fields. */
export class ConversionError extends Error {
  readonly code = "Conversion";
}

/** Converts an object to another version. Throws ConversionError with the step `doing`, if given, and the mismatches. */
export function convertTyped(versions: Versions, object: JsonObject, apiVersion: string, doing = ""): JsonObject {
  const converted = versions.convert(object, apiVersion);
  const type = versions.schemaFor(apiVersion);
  const mismatches = type === undefined ? [] : validate(type, converted);
  if (mismatches.length === 0) return converted;
  const problem = printTypeMismatches(mismatches);
  throw new ConversionError(doing === "" ? problem : `${doing}: ${problem}`);
}

/** One object in several versions. Each conversion is performed at most once. */
export class VersionedObject {
  readonly #versions: Versions;
  readonly #byVersion = new Map<string, JsonObject>();
  readonly #original: JsonObject;
  readonly #doing: string | undefined;

  constructor(versions: Versions, apiVersion: string, object: JsonObject, doing?: string) {
    this.#versions = versions;
    this.#original = object;
    this.#doing = doing;
    this.#byVersion.set(apiVersion, object);
  }

  /** Returns the object in a version. Throws ConversionError. */
  in(apiVersion: string): JsonObject {
    let object = this.#byVersion.get(apiVersion);
    if (object === undefined) {
      object = convertTyped(this.#versions, this.#original, apiVersion, this.#doing);
      this.#byVersion.set(apiVersion, object);
    }
    return object;
  }
}
