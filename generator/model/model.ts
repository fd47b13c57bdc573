import type { DefaultCode } from "../reader/read-default-code.ts";
import type { HookRead } from "../reader/read-hook-reads.ts";
import type { LiteralSyntax, Location } from "../reader/syntax.ts";
import type { Lifecycle, Markers, TypeExpr, TypeRef } from "./contract.ts";

/**
 * The API as the emitters see it: plain data that knows Kubernetes and has forgotten TypeScript. Names are resolved,
 * markers are properties, the domain is filled in. Places are kept for the checks.
 */
export interface Model {
  /** Of Kubernetes; that of the project is `project.release`. */
  readonly release: string;
  /** Of Kubernetes; that of the project is `project.domain`. */
  readonly domain: string;
  readonly vendor: string;
  readonly project: ProjectModel;
  /** Those of other packages, too. */
  readonly groups: readonly GroupModel[];
  /** Those of other packages first. */
  readonly modules: ReadonlyMap<string, ModuleModel>;
  /** The project's own: what is checked, and what is generated from. */
  readonly ownGroups: readonly GroupModel[];
  readonly ownModules: readonly ModuleModel[];
  /** Packages whose registries are joined with that of the project; undefined if all definitions are the project's own. */
  readonly uses?: readonly string[];
  readonly gates: readonly GateModel[];
  readonly metrics: readonly MetricModel[];
  /** What was derived from the same types before. */
  readonly memory: ModelMemory;
  /** The code that computes defaults in a hooks file; undefined if there is none. */
  readonly defaultCode: (hooks: string) => DefaultCode | undefined;
}

/** What runs over the same project share; see `generation-memory.ts`. */
export interface ModelMemory {
  /** What `make` returned for this object when it was first asked for. */
  of<Value>(what: string, key: object, make: () => Value): Value;
  /** The same value as long as a file has the same text. */
  parsed<Value>(path: string, text: string, parse: (text: string) => Value): Value;
  /** Whether checks of this type found nothing in an earlier run. */
  isSound(type: TypeModel): boolean;
}

/** What `typeplane.config.ts` says of the project that owns the definitions. */
export interface ProjectModel {
  readonly name: string;
  readonly title: string;
  readonly domain: string;
  /** Kinds of Kubernetes that are served; absent: all of them. */
  readonly base?: "core" | "none";
  readonly groups?: readonly string[];
  readonly flags?: { readonly [flag: string]: string | readonly string[] };
  readonly release: string;
  /** Oldest first; empty where the project's releases are those of Kubernetes. */
  readonly releases: readonly ReleaseModel[];
  /** The stability rules of the project's own groups. */
  readonly policy: StabilityPolicy;
  /** Those of single groups. */
  readonly groupPolicies: ReadonlyMap<string, StabilityPolicy>;
  /** Reasons of allowed changes that break a rule, by the element that changes. */
  readonly overrides: ReadonlyMap<string, string>;
  /** The configuration as written, if there is one. */
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
  /** Groups are listed by it, highest first. */
  readonly priority?: number;
  /** The one it had at releases before `until`. */
  readonly formerPriority?: { readonly until: string; readonly priority: number };
  readonly formerVersions: readonly string[];
  readonly openapiPackage: string;
  readonly protobufPackage: string;
  /** Holds only configuration-file kinds: nothing of it is served. */
  readonly configuration: boolean;
  /** Part of Kubernetes itself: stored without the group in its keys, and most of its defaults and limits are not published. */
  readonly kubernetes: boolean;
  /** Imported from CustomResourceDefinitions. */
  readonly imported?: true;
  /** Where the server that serves it lists what it knows, if that is a server of its own. */
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
  /** Made by the generator rather than written: the list of a kind that defines none. */
  readonly implied?: true;
}

export interface StructModel extends TypeCommon {
  readonly form: "struct";
  readonly fields: readonly FieldModel[];
}

/** What the values of a union of strings mean, as far as the definition says. */
export type ValueDescriptions = ReadonlyMap<string, string>;

export interface AliasModel extends TypeCommon {
  readonly form: "alias";
  readonly is: TypeExpr;
  readonly valueDescriptions?: ValueDescriptions;
  readonly message?: true;
}

export interface FieldModel {
  /** "" for an embedded struct that is a message of its own on the wire. */
  readonly name: string;
  readonly type: TypeExpr;
  readonly optional: boolean;
  readonly presence?: Presence;
  readonly markers: Markers;
  /** OpenAPI shows its default even where the group does not publish rules. */
  readonly published?: true;
  /** Items of this map list may leave out their keys. */
  readonly optionalKeys?: true;
  readonly valueDescriptions?: ValueDescriptions;
  readonly description: string;
  readonly number?: number;
  readonly protoName?: string;
  /** Has no place on the wire: apiVersion and kind travel in the envelope. */
  readonly offWire?: true;
  readonly at: Location;
}

export type Presence = "omitZero" | "always" | "nullable";

/** `field-numbers.json`: numbers of protobuf fields by type, and what must never be used again. */
export interface FieldNumbers {
  readonly [type: string]: TypeNumbers;
}

export interface TypeNumbers {
  readonly fields: { readonly [field: string]: number };
  /** Numbers of embedded structs, by the name of their type. */
  readonly inlined?: { readonly [type: string]: number };
  /** Names on the wire where they differ from JSON. */
  readonly protoNames?: { readonly [field: string]: string };
  /** Never travels as protobuf: nothing of it is numbered. */
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
  /** Where the store keeps it, when that is not the resource's name. */
  readonly storedAs?: string;
  readonly offByDefault: boolean;
  readonly gate?: string;
  readonly createOnUpdate: boolean;
  /** A deletion returns the object rather than a Status. */
  readonly returnsDeleted: boolean;
  /** Whether metadata.generation counts changes; undefined where the definition does not set it. */
  readonly generation?: boolean;
  /** An update must name the resourceVersion it is based on. */
  readonly conditionalUpdate: boolean;
  readonly description: string;
  /** The name of the constant that the definition exports. */
  readonly constant: string;
  /** Path of `<kind>.hooks.ts`, if there is one. */
  readonly hooks?: string;
  /** What its hooks read, in their order. */
  readonly hookReads: readonly HookRead[];
  readonly file: string;
  readonly at: Location;
  /** The declaration as written, to point at its parts. */
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
  /** The kind that holds its query parameters, where it is not a connection. */
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
  /** Other names under which files may ask for it. */
  readonly aliases: readonly { readonly group: string; readonly version: string; readonly kind: string }[];
  readonly lifecycle: Lifecycle;
  readonly file: string;
  readonly hooks?: string;
  readonly at: Location;
}

/** How one version of a kind becomes the stored one: what is declared in conversions.ts. */
export interface ConversionModel {
  /** The name it is exported by. */
  readonly name: string;
  readonly from: TypeRef;
  readonly to: TypeRef;
  readonly rename: { readonly [path: string]: string };
  readonly hasToHub: boolean;
  readonly hasFromHub: boolean;
  /** Only apiVersion changes: no code is needed. */
  readonly relabels?: true;
  readonly at: Location;
  readonly declaration: LiteralSyntax;
}

/** A metric and how firmly it is promised. */
export interface MetricModel {
  readonly name: string;
  readonly stability: "ALPHA" | "BETA" | "STABLE";
  readonly introduced?: string;
  readonly deprecated?: string;
}
