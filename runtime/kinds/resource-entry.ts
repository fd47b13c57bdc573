import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { DefinitionSource } from "./custom/definition/definition-source.ts";
import type { ServedResource } from "./served-resource.ts";

/** One group with the versions it is served in, most preferred first. */
export interface SurfaceGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
  /** Groups are listed by it, highest first. */
  readonly priority?: number;
  /** Whether only custom kinds are in the group. */
  readonly custom?: true;
}

/** A resource and its loader: types and hooks of a kind are loaded at its first use. */
export interface ResourceEntry {
  readonly descriptor: ResourceDescriptor;
  /** Of a custom kind: one object while it serves the same, which holds the last state of its definition. */
  readonly definition?: { readonly source: DefinitionSource };
  readonly loaded: ServedResource | undefined;
  load(): Promise<ServedResource>;
}

/** Resources of custom kinds that are no longer served, and those that now are. */
export interface EntryChange {
  readonly removed: readonly ResourceEntry[];
  readonly added: readonly ResourceEntry[];
}
