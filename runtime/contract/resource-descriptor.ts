import type { TypeRef } from "./type-table.ts";

/** `major.minor` of a platform release. */
export type Release = string;

export type Verb = "create" | "delete" | "deletecollection" | "get" | "list" | "patch" | "update" | "watch";

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface Lifecycle {
  readonly introduced?: Release;
  readonly deprecated?: Release;
  readonly removed?: Release;
  readonly replacement?: GroupVersionKind;
}

export interface ColumnDescriptor {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  /** JSON path of the cell (unset: the zero of `type`); absent when the kind's hooks make it. */
  readonly path?: string;
}

export interface SubresourceDescriptor {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly type: TypeRef;
  readonly verbs: readonly Verb[];
  /** The kind that holds the query parameters of a subresource that is not a connection (log). */
  readonly optionsType?: TypeRef;
  /** Served only while this feature gate is on. */
  readonly gate?: string;
  /** Paths into the parent for a scale subresource. */
  readonly scale?: {
    readonly specReplicas: string;
    readonly statusReplicas: string;
    readonly labelSelector?: string;
    /** Of all versions of a kind outside of Kubernetes by apiVersion; null for those that cannot be scaled. */
    readonly specReplicasByVersion?: Readonly<Record<string, string | null>>;
  };
  readonly connect?: { readonly methods: readonly string[]; readonly optionsType: TypeRef; readonly path: boolean };
}

/** One resource of one group-version, as `generated/resources.json` lists them. */
export interface ResourceDescriptor extends GroupVersionKind {
  readonly resource: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly Verb[];
  readonly type: TypeRef;
  readonly listType?: TypeRef;
  readonly subresources: readonly SubresourceDescriptor[];
  readonly columns: readonly ColumnDescriptor[];
  readonly selectableFields: readonly string[];
  readonly lifecycle: Lifecycle;
  /** Text of the warning while it is deprecated, if it is not the usual one. */
  readonly deprecationWarning?: string;
  /** Not stored: its own function handles every request. */
  readonly virtual: boolean;
  readonly createOnUpdate: boolean;
  /** A deletion returns the object rather than a Status. */
  readonly returnsDeleted?: true;
  /** Whether metadata.generation counts changes; by default it does for a kind with a spec and a status. */
  readonly generation?: boolean;
  /** An update must name the resourceVersion it is based on. */
  readonly conditionalUpdate?: true;
  /** Where, in messages, the server that Kubernetes serves it by lists what it knows; only of groups that have a server of their own. */
  readonly scheme?: string;
  /** Served only if enabled by `--runtime-config`. */
  readonly offByDefault?: true;
  /** Served only while this feature gate is on. */
  readonly gate?: string;
  /** Defined at run time: it has neither protobuf nor strategic merge. */
  readonly custom?: CustomTraits;
  /**
   * The hub: the one version (and group, for a kind that moved) in which objects of this kind are stored. `prefix` is where the
   * store keeps them, when it is not the resource's name (`minions`, `services/specs`). `defaults` tells apart the defaults that the
   * kind has had; absent if it has none. `defaultGates` are the feature gates that they depend on.
   */
  readonly storage: GroupVersionKind & {
    readonly resource: string;
    readonly type: TypeRef;
    readonly prefix?: string;
    readonly defaults?: string;
    readonly defaultGates?: readonly string[];
  };
}

/** Properties of kinds that are defined at run time. */
export interface CustomTraits {
  /** Its definition is being deleted: objects can no longer be created. */
  readonly terminating: boolean;
  /** Whether its stored definition says that it is established: only then it is in discovery. */
  readonly established: boolean;
  /** The names of all its versions, served or not. */
  readonly versions: readonly string[];
  /** Sent as a warning to clients of this version. */
  readonly warning?: string;
}

export interface GroupDescriptor {
  readonly name: string;
  /** In order of preference. */
  readonly versions: readonly string[];
  /** Groups are listed by it, highest first, and by name where it is the same. */
  readonly priority?: number;
  /** Its priority in releases before `until`. */
  readonly formerPriority?: { readonly until: Release; readonly priority: number };
  /** Part of Kubernetes itself: its alphas and newer betas are off by default. */
  readonly kubernetes?: true;
}

/** The priority of groups that declare none, and of those that are defined at run time. */
export const DEFAULT_GROUP_PRIORITY = 1000;

/** Which kinds of Kubernetes are served beside those of the project (docs/guides/bases.md). */
export type Base = "kubernetes" | "core" | "none";

/** The properties of the project in `typeplane.config.ts`. */
export interface ProjectDescriptor {
  readonly name: string;
  /** Title of its OpenAPI documents. */
  readonly title: string;
  /** Domain of its own groups, and of the annotation that holds what an older version lacks. */
  readonly domain: string;
  /** Absent: all of Kubernetes. */
  readonly base?: Base;
  /** Groups of the base that are served; all by default. */
  readonly groups?: readonly string[];
  /** Flags of `serve`, unless they are given on the command line. */
  readonly flags?: { readonly [flag: string]: string | readonly string[] };
  /** The release that is served by default. */
  readonly release: Release;
  /** Its releases, oldest first, each with the Kubernetes release it is built on; absent where they are those of Kubernetes. */
  readonly releases?: readonly ProjectRelease[];
}

export interface ProjectRelease {
  readonly release: Release;
  readonly kubernetes: Release;
  /** `2026-03-01` */
  readonly date?: string;
}

/** `generated/resources.json`. */
export interface ApiCatalogue {
  /** Domain, vendor and release of Kubernetes' own kinds. */
  readonly domain: string;
  readonly vendor: string;
  readonly release: Release;
  /** The project of the definitions; absent for Kubernetes itself. */
  readonly project?: ProjectDescriptor;
  readonly groups: readonly GroupDescriptor[];
  readonly resources: readonly ResourceDescriptor[];
}
