import type { AdmissionPlugin } from "../contract/admission.ts";
import type { ObjectFeed } from "../contract/object-access.ts";

/** A plugin that is configured by stored objects. */
export interface ConfiguredPlugin {
  readonly plugin: AdmissionPlugin;
  /** Watches these objects. Resolves when all existing ones are loaded. */
  follow(feed: ObjectFeed): Promise<() => void>;
}
