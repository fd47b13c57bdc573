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
  /** JSON path of the cell's value; an unset value shows the zero value of `type`. Absent if the kind's hooks compute the cell. */
  readonly path?: string;
}

export interface SubresourceDescriptor {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly type: TypeRef;
  readonly verbs: readonly Verb[];
  /** The kind whose fields are the query parameters of a subresource that is not a connection (log). */
  readonly optionsType?: TypeRef;
  /** Served only while this feature gate is on. */
  readonly gate?: string;
  /** Paths in the parent object, for a scale subresource. */
  readonly scale?: {
    readonly specReplicas: string;
    readonly statusReplicas: string;
    readonly labelSelector?: string;
    /** Paths in all versions of the project's own kind, by apiVersion. Null for versions without a scale subresource. */
    readonly specReplicasByVersion?: Readonly<Record<string, string | null>>;
  };
  readonly connect?: { readonly methods: readonly string[]; readonly optionsType: TypeRef; readonly path: boolean };
}

/** One resource of one group and version, as listed in `generated/resources.json`. */
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
  /** Warning while the resource is deprecated, if it is not the default one. */
  readonly deprecationWarning?: string;
  /** Whether the kind is not stored: its own function handles every request. */
  readonly virtual: boolean;
  readonly createOnUpdate: boolean;
  /** Whether a deletion returns the object instead of a Status. */
  readonly returnsDeleted?: true;
  /** Whether metadata.generation counts changes. Defaults to true for kinds with a spec and a status. */
  readonly generation?: boolean;
  /** Whether an update must contain the resourceVersion on which it is based. */
  readonly conditionalUpdate?: true;
  /** Source location of the scheme that error messages name, for groups that Kubernetes serves by a server of their own. */
  readonly scheme?: string;
  /** Served only if enabled by `--runtime-config`. */
  readonly offByDefault?: true;
  /** Served only while this feature gate is on. */
  readonly gate?: string;
  /** Set for kinds that are defined at run time, which have neither protobuf nor strategic merge. */
  readonly custom?: CustomTraits;
  /**
   * The hub: the version (and group, for a kind that moved) in which objects of this kind are stored. `prefix` is the key prefix in the store,
   * if it is not the resource's name (`minions`, `services/specs`). `defaults` identifies the current defaults of the kind; absent if it has
   * none. `defaultGates` are the feature gates on which they depend.
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
  /** Whether its definition is being deleted. Objects can then no longer be created. */
  readonly terminating: boolean;
  /** Whether its stored definition has the condition Established. Discovery lists it only then. */
  readonly established: boolean;
  /** The names of all its versions, served or not. */
  readonly versions: readonly string[];
  /** Warning for clients of this version. */
  readonly warning?: string;
}

export interface GroupDescriptor {
  readonly name: string;
  /** In order of preference. */
  readonly versions: readonly string[];
  /** Order of groups in discovery: highest first, then by name. */
  readonly priority?: number;
  /** Priority in releases before `until`. */
  readonly formerPriority?: { readonly until: Release; readonly priority: number };
  /** Set for groups of Kubernetes itself, whose alpha versions and newer beta versions are off by default. */
  readonly kubernetes?: true;
}

/** Priority of groups that declare none, and of groups that are defined at run time. */
export const DEFAULT_GROUP_PRIORITY = 1000;

/** Which kinds of Kubernetes are served in addition to those of the project (docs/guides/bases.md). */
export type Base = "kubernetes" | "core" | "none";

/** The properties of the project in `typeplane.config.ts`. */
export interface ProjectDescriptor {
  readonly name: string;
  /** Title of its OpenAPI documents. */
  readonly title: string;
  /** Domain of the project's groups, and of the annotation that holds fields which an older version lacks. */
  readonly domain: string;
  /** Defaults to all of Kubernetes. */
  readonly base?: Base;
  /** Groups of the base that are served. Defaults to all. */
  readonly groups?: readonly string[];
  /** Flags of `serve`, unless set on the command line. */
  readonly flags?: { readonly [flag: string]: string | readonly string[] };
  /** The release that is served by default. */
  readonly release: Release;
  /** Releases of the project, oldest first, each with the Kubernetes release on which it is based. Absent if they are those of Kubernetes. */
  readonly releases?: readonly ProjectRelease[];
}

export interface ProjectRelease {
  readonly release: Release;
  readonly kubernetes: Release;
  /** Date of the release, such as `2026-03-01`. */
  readonly date?: string;
}

/** The content of `generated/resources.json`. */
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
