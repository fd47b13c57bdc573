import type { Bytes, Default, Int32 } from "../../vocabulary.ts";

export interface WebhookClientConfig {
  url?: string;
  service?: ServiceReference;
  caBundle?: Bytes;
}

export interface ServiceReference {
  namespace: string;
  name: string;
  path?: string;
  port?: Int32 & Default<443>;
}

export type SideEffectClass = "Unknown" | "None" | "Some" | "NoneOnDryRun";
