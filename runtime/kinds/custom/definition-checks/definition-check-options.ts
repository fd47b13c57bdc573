import type { Release } from "../../../contract/resource-descriptor.ts";

/** Settings of the server that checks of definitions need. */
export interface DefinitionCheckOptions {
  readonly vendor: string;
  readonly domain: string;
  /** Decides which CEL features new rules may use. */
  readonly release: Release;
  /** The version of the request: v1beta1 accepts more. */
  readonly apiVersion: string;
}
