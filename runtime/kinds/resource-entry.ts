import type { ResourceDescriptor } from "../contract/resource-descriptor.ts";
import type { DefinitionSource } from "./custom/definition/definition-source.ts";
import type { ServedResource } from "./served-resource.ts";

/** One API group with its served versions, most preferred first. */
export interface SurfaceGroup {
  readonly name: string;
  readonly versions: readonly string[];
  readonly preferredVersion: string;
  /** Order of groups in discovery: highest first. */
  readonly priority?: number;
  /** Set if the group contains only custom kinds. */
  readonly custom?: true;
}

/** A resource and its loader. Types and hooks of a kind are loaded when it is first used. */
export interface ResourceEntry {
  readonly descriptor: ResourceDescriptor;
  /** Set for custom kinds. Remains the same object while the kind is served alike; `source` is the latest state of its definition. */
  readonly definition?: { readonly source: DefinitionSource };
  readonly loaded: ServedResource | undefined;
  load(): Promise<ServedResource>;
}

/** A change of the served custom kinds: resources that are no longer served, and resources that are served from now on. */
export interface EntryChange {
  readonly removed: readonly ResourceEntry[];
  readonly added: readonly ResourceEntry[];
}
