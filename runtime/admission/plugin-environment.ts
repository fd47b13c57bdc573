import type { Authorizer } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { PluginSettings } from "./plugin-settings.ts";

/** Dependencies of admission plugins, passed to each plugin on creation. */
export interface PluginEnvironment {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly authorizer: Authorizer;
  readonly now: () => Date;
  /** Resolves after this time. */
  readonly delay: (milliseconds: number) => Promise<void>;
  /** Returns five random characters, the suffix of generated names. */
  readonly randomSuffix: () => string;
  readonly featureEnabled: (gate: string) => boolean;
  readonly settings?: PluginSettings;
  /** Default tolerationSeconds of pods for nodes that are not ready or unreachable; five minutes if absent. */
  readonly tolerationSeconds?: { readonly notReady: number; readonly unreachable: number };
}
