import type { Release } from "../../../contract/resource-descriptor.ts";

/** What checks of definitions have to know of the server. */
export interface DefinitionCheckOptions {
  readonly vendor: string;
  readonly domain: string;
  /** Decides what new rules may use. */
  readonly release: Release;
  /** The version in which the definition is written: v1beta1 let more pass. */
  readonly apiVersion: string;
}
