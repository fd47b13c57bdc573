import type { MergeType } from "../../contract/merge-schema.ts";
import type { JsonObject } from "../../lib/json-object.ts";

/** What the updater needs to know about the versions of a kind. */
export interface Versions {
  /** How objects of this version merge; undefined if the version is not served any more. */
  schemaFor(apiVersion: string): MergeType | undefined;
  /** The object in another version. Only asked for versions that have a schema. */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

/** One object seen in several versions; each is worked out at most once. */
export class VersionedObject {
  readonly #versions: Versions;
  readonly #byVersion = new Map<string, JsonObject>();
  readonly #original: JsonObject;

  constructor(versions: Versions, apiVersion: string, object: JsonObject) {
    this.#versions = versions;
    this.#original = object;
    this.#byVersion.set(apiVersion, object);
  }

  in(apiVersion: string): JsonObject {
    let object = this.#byVersion.get(apiVersion);
    if (object === undefined) {
      object = this.#versions.convert(this.#original, apiVersion);
      this.#byVersion.set(apiVersion, object);
    }
    return object;
  }
}
