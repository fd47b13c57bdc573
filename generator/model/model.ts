import type { DefaultCode } from "../reader/read-default-code.ts";
import type { HookRead } from "../reader/read-hook-reads.ts";
import type { LiteralSyntax, Location } from "../reader/syntax.ts";
import type { Lifecycle, Markers, TypeExpr, TypeRef } from "./contract.ts";

/**
 * The API as the emitters need it: plain data in terms of Kubernetes, independent of TypeScript syntax. Names are resolved, markers are
 * properties, and the domain is filled in. Source locations are kept for the checks.
 */
export interface Model {
  /** Kubernetes release. The project's release is `project.release`. */
  readonly release: string;
  /** Domain of Kubernetes. The project's domain is `project.domain`. */
  readonly domain: string;
  readonly vendor: string;
  readonly project: ProjectModel;
  /** All groups, including those of other packages. */
  readonly groups: readonly GroupModel[];
  /** All modules, those of other packages first. */
  readonly modules: ReadonlyMap<string, ModuleModel>;
  /** The project's own groups. Only these are checked, and files are generated only from them. */
  readonly ownGroups: readonly GroupModel[];
  readonly ownModules: readonly ModuleModel[];
  /** Packages whose registries are combined with that of the project; undefined if all definitions are the project's own. */
  readonly uses?: readonly string[];
  readonly gates: readonly GateModel[];
  readonly metrics: readonly MetricModel[];
  /** Values that earlier runs derived from the same types. */
  readonly memory: ModelMemory;
  /** The code that computes defaults in a hooks file; undefined if there is none. */
  readonly defaultCode: (hooks: string) => DefaultCode | undefined;
}

/** State that runs over the same project share; see `generation-memory.ts`. */
export interface ModelMemory {
  /** Returns the value for this object. Calls `make` only for the first request. */
  of<Value>(what: string, key: object, make: () => Value): Value;
  /** Returns the parsed content of a file. Calls `parse` only if the content changed. */
  parsed<Value>(path: string, text: string, parse: (text: string) => Value): Value;
  /** Whether an earlier run found no problem in this type. */
  isSound(type: TypeModel): boolean;
}

/** The project that owns the definitions, as `typeplane.config.ts` describes it. */
export interface ProjectModel {
  readonly name: string;
  readonly title: string;
  readonly domain: string;
  /** Kinds of Kubernetes that are served; all of them if absent. */
  readonly base?: "core" | "none";
  readonly groups?: readonly string[];
  readonly flags?: { readonly [flag: string]: string | readonly string[] };
  readonly release: string;
  /** Oldest first; empty if the project has the releases of Kubernetes. */
  readonly releases: readonly ReleaseModel[];
  /** The stability rules of the project's own groups. */
  readonly policy: StabilityPolicy;
  /** Stability rules of single groups. */
  readonly groupPolicies: ReadonlyMap<string, StabilityPolicy>;
  /** Reasons for allowed changes that break a rule, by the changed element. */
  readonly overrides: ReadonlyMap<string, string>;
  /** The configuration as written; undefined if there is none. */
  readonly declaration?: LiteralSyntax;
  readonly at: Location;
}

/** A release of the project, and the Kubernetes release that it is built on. */
export interface ReleaseModel {
  readonly release: string;
  readonly kubernetes: string;
  readonly date?: string;
}

export interface StabilityPolicy {
  /** Releases from the deprecation of a stable version to its removal. */
  readonly stableNotice: number | "never";
  readonly betaNotice: number;
  readonly betaLifetime: number | "unlimited";
  /** The most stable level at which released elements may change without a new version. */
  readonly breakingChanges: "alpha" | "beta" | "stable";
}

/** A feature gate and the stages it went through. */
export interface GateModel {
  readonly name: string;
  readonly steps: readonly {
    readonly since: string;
    readonly stage: string;
    readonly enabled: boolean;
    readonly locked?: true;
  }[];
  readonly dropped?: string;
}

export interface GroupModel {
  /** Folder below api-definitions: `rbac`. */
  readonly folder: string;
  /** `rbac.authorization.k8s.io`; "" is the core group. */
  readonly name: string;
  readonly versions: readonly string[];
  /** Order of groups in lists, highest priority first. */
  readonly priority?: number;
  /** The priority at releases before `until`. */
  readonly formerPriority?: { readonly until: string; readonly priority: number };
  readonly formerVersions: readonly string[];
  readonly openapiPackage: string;
  readonly protobufPackage: string;
  /** Contains only kinds of configuration files, which are not served. */
  readonly configuration: boolean;
  /** Belongs to Kubernetes: its keys in the store do not contain the group, and most of its defaults and limits are not published. */
  readonly kubernetes: boolean;
  /** Imported from CustomResourceDefinitions. */
  readonly imported?: true;
  /** Where the group's own server lists its types, if another server serves the group. */
  readonly scheme?: string;
  readonly at: Location;
  readonly declaration: LiteralSyntax;
  readonly conversions: readonly ConversionModel[];
  /** Path of conversions.ts, if there is one. */
  readonly conversionsFile?: string;
}

/** All types and kinds of one version of a group, or of a folder of shared types. */
export interface ModuleModel {
  /** `apps/v1`. References to its types are `apps/v1.Deployment`. */
  readonly name: string;
  readonly group?: GroupModel;
  readonly version?: string;
  readonly openapiPrefix: string;
  readonly protoPackage: string;
  readonly types: ReadonlyMap<string, TypeModel>;
  readonly kinds: readonly KindModel[];
  readonly configKinds: readonly ConfigKindModel[];
  readonly numbers: FieldNumbers;
  readonly at: Location;
}

export type TypeModel = StructModel | AliasModel;

interface TypeCommon {
  readonly name: string;
  readonly ref: TypeRef;
  readonly description: string;
  readonly markers: Markers;
  readonly at: Location;
  /** Added by the generator: the list type of a kind that declares none. */
  readonly implied?: true;
}

export interface StructModel extends TypeCommon {
  readonly form: "struct";
  readonly fields: readonly FieldModel[];
}

/** Meanings of the values of a union of strings, where the definition describes them. */
export type ValueDescriptions = ReadonlyMap<string, string>;

export interface AliasModel extends TypeCommon {
  readonly form: "alias";
  readonly is: TypeExpr;
  readonly valueDescriptions?: ValueDescriptions;
  readonly message?: true;
}

export interface FieldModel {
  /** Empty for an embedded struct that is a message of its own on the wire. */
  readonly name: string;
  readonly type: TypeExpr;
  readonly optional: boolean;
  readonly presence?: Presence;
  readonly markers: Markers;
  /** OpenAPI contains the default even if the group does not publish rules. */
  readonly published?: true;
  /** Entries of this map list may omit their keys. */
  readonly optionalKeys?: true;
  readonly valueDescriptions?: ValueDescriptions;
  readonly description: string;
  readonly number?: number;
  readonly protoName?: string;
  /** Not part of the protobuf message: apiVersion and kind are in the envelope. */
  readonly offWire?: true;
  readonly at: Location;
}

export type Presence = "omitZero" | "always" | "nullable";

/** `field-numbers.json`: protobuf numbers of fields by type, and the numbers and names that must never be reused. */
export interface FieldNumbers {
  readonly [type: string]: TypeNumbers;
}

export interface TypeNumbers {
  readonly fields: { readonly [field: string]: number };
  /** Numbers of embedded structs, by type name. */
  readonly inlined?: { readonly [type: string]: number };
  /** Protobuf names of fields where they differ from the JSON names. */
  readonly protoNames?: { readonly [field: string]: string };
  /** Never encoded as protobuf, so its fields have no numbers. */
  readonly offWire?: true;
  readonly reserved?: readonly { readonly number?: number; readonly name?: string }[];
}

export interface KindModel {
  readonly kind: string;
  readonly module: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly virtual: boolean;
  readonly unserved: boolean;
  readonly verbs: readonly string[];
  readonly type: TypeRef;
  readonly listType?: TypeRef;
  readonly subresources: readonly SubresourceModel[];
  readonly columns: readonly ColumnModel[];
  readonly selectableFields: readonly string[];
  readonly lifecycle: Lifecycle;
  readonly deprecationWarning?: string;
  readonly storage: boolean;
  readonly storedIn?: string;
  /** Key prefix in the store, if it is not the name of the resource. */
  readonly storedAs?: string;
  readonly offByDefault: boolean;
  readonly gate?: string;
  readonly createOnUpdate: boolean;
  /** Whether a deletion returns the object instead of a Status. */
  readonly returnsDeleted: boolean;
  /** Whether `metadata.generation` counts changes; undefined if not declared. */
  readonly generation?: boolean;
  /** Whether an update must contain the resourceVersion that it is based on. */
  readonly conditionalUpdate: boolean;
  readonly description: string;
  /** Name of the exported constant. */
  readonly constant: string;
  /** Path of `<kind>.hooks.ts`, if the file exists. */
  readonly hooks?: string;
  /** Kinds that the hooks read, in their order. */
  readonly hookReads: readonly HookRead[];
  readonly file: string;
  readonly at: Location;
  /** The declaration as written, for the locations of its parts. */
  readonly declaration: LiteralSyntax;
}

export interface SubresourceModel {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly type: TypeRef;
  readonly verbs: readonly string[];
  readonly gate?: string;
  /** The kind of the query parameters, unless the subresource is a connection. */
  readonly optionsType?: TypeRef;
  readonly scale?: { readonly specReplicas: string; readonly statusReplicas: string; readonly labelSelector?: string };
  readonly connect?: { readonly methods: readonly string[]; readonly optionsType: TypeRef; readonly path: boolean };
}

export interface ColumnModel {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly path?: string;
}

export interface ConfigKindModel {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly module: string;
  readonly type: TypeRef;
  /** Other names by which files may refer to the kind. */
  readonly aliases: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  readonly lifecycle: Lifecycle;
  readonly file: string;
  readonly hooks?: string;
  readonly at: Location;
}

/** Declaration in conversions.ts of how one version of a kind is converted to the stored one. */
export interface ConversionModel {
  /** Name of the exported constant. */
  readonly name: string;
  readonly from: TypeRef;
  readonly to: TypeRef;
  readonly rename: { readonly [path: string]: string };
  readonly hasToHub: boolean;
  readonly hasFromHub: boolean;
  /** Only `apiVersion` changes, so no conversion code is needed. */
  readonly relabels?: true;
  readonly at: Location;
  readonly declaration: LiteralSyntax;
}

/** A metric and its stability level. */
export interface MetricModel {
  readonly name: string;
  readonly stability: "ALPHA" | "BETA" | "STABLE";
  readonly introduced?: string;
  readonly deprecated?: string;
}
