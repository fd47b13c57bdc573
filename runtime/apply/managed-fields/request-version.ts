import { getString, type JsonObject } from "../../lib/json-object.ts";
import { formatTime } from "../../values/times.ts";
import type { UpdaterOptions } from "../merge/updater.ts";
import { identityKey, type Operation } from "./manager-identity.ts";

export interface FieldManagerOptions extends UpdaterOptions {
  /** The kind of the request. */
  readonly kind: string;
  /** Empty for the object itself. */
  readonly subresource?: string;
  readonly now: () => Date;
  /** Maximum number of managers that own fields by updates. Beyond it, the oldest ones are merged. */
  readonly maxUpdaters?: number;
  /** Conversion error to report, for resources whose applied configurations can never be converted. */
  readonly unconvertible?: string;
}

const UNKNOWN_MANAGER = "unknown";

/** Objects and field managers in the version of a request. */
export class RequestVersion {
  readonly #options: FieldManagerOptions;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
  }

  /** Converts an object to this version. */
  of(object: JsonObject): JsonObject {
    const { apiVersion } = this.#options;
    return getString(object, "apiVersion") === apiVersion ? object : this.#options.convert(object, apiVersion);
  }

  emptyObject(): JsonObject {
    return { apiVersion: this.#options.apiVersion, kind: this.#options.kind };
  }

  identityKey(manager: string, operation: Operation): string {
    const { apiVersion, subresource = "" } = this.#options;
    return identityKey(manager || UNKNOWN_MANAGER, operation, apiVersion, subresource);
  }

  time(): string {
    return formatTime(this.#options.now());
  }
}
