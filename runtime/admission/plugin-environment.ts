import type { Authorizer } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { PluginSettings } from "./plugin-settings.ts";

/** What admission plugins may use; each is handed what it asks for when the chain is put together. */
export interface PluginEnvironment {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly authorizer: Authorizer;
  readonly now: () => Date;
  /** Resolves after so many milliseconds. */
  readonly delay: (milliseconds: number) => Promise<void>;
  /** Five random characters, as generated names end in. */
  readonly randomSuffix: () => string;
  readonly featureEnabled: (gate: string) => boolean;
  readonly settings?: PluginSettings;
  /** How long pods that say nothing stay on a node with trouble; five minutes where nothing is said. */
  readonly tolerationSeconds?: { readonly notReady: number; readonly unreachable: number };
}
