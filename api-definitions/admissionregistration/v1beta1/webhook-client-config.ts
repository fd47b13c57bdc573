import type { Bytes, Default, Int32, Open } from "../../vocabulary.ts";

/** How to reach a webhook. */
export interface WebhookClientConfig {
  /** By address. */
  url?: string;
  /** By service of the cluster. */
  service?: ServiceReference;
  /** Certificates to trust, in PEM. */
  caBundle?: Bytes;
}

/** A service of the cluster. */
export interface ServiceReference {
  /** Its namespace. */
  namespace: string;
  /** Its name. */
  name: string;
  /** Path to ask for. */
  path?: string;
  /** Its port. */
  port?: Int32 & Default<443>;
}

export type SideEffectClass = Open<"Unknown" | "None" | "Some" | "NoneOnDryRun">;
