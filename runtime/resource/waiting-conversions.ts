import type { ApiObject } from "../contract/api-object.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import type { VersionConversion } from "../kinds/served-resource.ts";

/** Thrown by work that needs a conversion that is not available yet. */
class NotConvertedError extends Error {
  readonly code = "not-converted";
  readonly key: string;
  readonly object: ApiObject;
  readonly apiVersion: string;

  constructor(key: string, object: ApiObject, apiVersion: string) {
    super(`${object.kind ?? ""} was not converted to ${apiVersion}`);
    this.key = key;
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

/**
 * Runs synchronous work (merging managedFields) that needs conversions by a webhook. If a conversion is missing, the work is aborted, and
 * restarted once the webhook has responded. It must therefore not have side effects.
 */
export class WaitingConversions {
  /** Conversions for the current work. There is only one at a time, because it is synchronous. */
  #known: ReadonlyMap<string, ApiObject> = new Map();

  async run<T>(conversion: VersionConversion, work: () => T): Promise<T> {
    const known = new Map<string, ApiObject>();
    for (;;) {
      try {
        this.#known = known;
        return work();
      } catch (error) {
        if (!(error instanceof NotConvertedError)) throw error;
        known.set(error.key, await conversion.convert(error.object, error.apiVersion));
      }
    }
  }

  /** Returns the object in another version. Aborts the work if the webhook must convert it first. */
  converted(object: ApiObject, apiVersion: string): ApiObject {
    if (object.apiVersion === apiVersion) return object;
    // An empty object needs no webhook.
    if (Object.keys(object).every((name) => name === "apiVersion" || name === "kind")) return { ...object, apiVersion };
    const key = `${apiVersion} ${stringifyJson(object)}`;
    const converted = this.#known.get(key);
    if (converted === undefined) throw new NotConvertedError(key, object, apiVersion);
    return converted;
  }
}
