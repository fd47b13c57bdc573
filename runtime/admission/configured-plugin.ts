import type { AdmissionPlugin } from "../contract/admission.ts";
import type { ObjectFeed } from "../contract/object-access.ts";

/** A plugin that does what stored objects say. */
export interface ConfiguredPlugin {
  readonly plugin: AdmissionPlugin;
  /** Learns what it is to do, and keeps learning; resolves when it knows all there is. */
  follow(feed: ObjectFeed): Promise<() => void>;
}
