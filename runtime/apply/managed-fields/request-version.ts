import { getString, type JsonObject } from "../../lib/json-object.ts";
import { formatTime } from "../../values/times.ts";
import type { UpdaterOptions } from "../merge/updater.ts";
import { identityKey, type Operation } from "./manager-identity.ts";

export interface FieldManagerOptions extends UpdaterOptions {
  /** The kind that requests are made in. */
  readonly kind: string;
  /** Empty for the object itself. */
  readonly subresource?: string;
  readonly now: () => Date;
  /** How many managers may own fields by updates before the oldest are merged. */
  readonly maxUpdaters?: number;
  /** Conversion error to report, for resources whose applied configurations can never be converted. */
  readonly unconvertible?: string;
}

const UNKNOWN_MANAGER = "unknown";

/** Objects and field managers in the version that a request is made in. */
export class RequestVersion {
  readonly #options: FieldManagerOptions;

  constructor(options: FieldManagerOptions) {
    this.#options = options;
  }

  /** The object in this version. */
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
