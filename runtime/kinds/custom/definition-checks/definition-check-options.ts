import type { Release } from "../../../contract/resource-descriptor.ts";

/** Settings of the server that the checks of definitions depend on. */
export interface DefinitionCheckOptions {
  readonly vendor: string;
  readonly domain: string;
  /** Decides which CEL features new rules may use. */
  readonly release: Release;
  /** The version of the request. v1beta1 is less strict. */
  readonly apiVersion: string;
}
