import type { ApiCatalogue, GroupVersionKind, Lifecycle, Release } from "./resource-descriptor.ts";
import type { GroupVersionResource } from "./served-versions.ts";
import type { JsonValue, TypeRef, TypeSource } from "./type-table.ts";

/** Everything that the generator creates from the definitions of one project. `generated/registry.ts` exports it. All parts are read on demand. */
export interface ApiRegistry {
  /** Modules of types with their protobuf packages: `{ "apps/v1": "k8s.io.api.apps.v1" }`. */
  readonly modules: { readonly [module: string]: string };
  /** Registries of other projects whose types this one uses. They are served too. */
  readonly uses: readonly ApiRegistry[];
  /** Creates a source that reads modules of types on first use. It throws a RangeError for a module that does not exist. */
  createTypeSource(): TypeSource;
  readCatalogue(): ApiCatalogue;
  readConfigKinds(): readonly ConfigKind[];
  readConversions(): readonly ConversionEntry[];
  readFeatureGates(): readonly GateDescriptor[];
  readMetrics(): readonly MetricLife[];
  readonly openApiSchemas: SchemaSource;
  /** Loads the hooks of a kind. */
  readonly hooks: { readonly [type: TypeRef]: (() => Promise<unknown>) | undefined };
  /** The kinds that hooks read, in the order of their `reads`. */
  readonly hookReads: { readonly [type: TypeRef]: readonly GroupVersionResource[] | undefined };
  /** Loaders of conversions with functions, by the type that they convert to its stored version. */
  readonly conversions: { readonly [type: TypeRef]: (() => Promise<unknown>) | undefined };
}

/** A kind that a configuration file may contain. */
export interface ConfigKind extends GroupVersionKind {
  readonly type: TypeRef;
  readonly lifecycle: Lifecycle;
}

/** How objects of a version are converted to the stored version. Identical shapes differ only in apiVersion. */
export interface ConversionEntry {
  readonly from: TypeRef;
  readonly hub: TypeRef;
  readonly how: "identical" | "declared" | "missing";
  readonly rename?: { readonly [from: string]: string };
  readonly toHub?: true;
  readonly fromHub?: true;
  readonly exact?: true;
}

export type GateStage = "alpha" | "beta" | "stable" | "deprecated";

/** The stage of a gate from release `since` on, until the next entry applies. */
export interface GateStep {
  readonly since: Release;
  readonly stage: GateStage;
  readonly enabled: boolean;
  /** Set if the gate can no longer be changed. */
  readonly locked?: true;
}

/** A gate in `generated/feature-gates.json`. Steps are in order of releases; from release `dropped` on, the gate is rejected. */
export interface GateDescriptor {
  readonly name: string;
  readonly steps: readonly GateStep[];
  readonly dropped?: Release;
}

/** Stability level of a metric (docs/versioning.md, "Stability rules"). */
export type MetricStability = "ALPHA" | "BETA" | "STABLE";

/** A metric in `generated/metrics.json`: its stability and its releases. */
export interface MetricLife {
  readonly name: string;
  readonly stability: MetricStability;
  readonly introduced?: Release;
  readonly deprecated?: Release;
}

/** A module of definitions (`apps/v1`) and the package of its schemas (`io.k8s.api.apps.v1`). */
export interface OpenApiModule {
  readonly module: string;
  readonly package: string;
  /** The group and version, if the module has kinds. DeleteOptions and WatchEvent are published for each of them. */
  readonly kinds?: { readonly group: string; readonly version: string };
}

/** The schemas that the generator writes below `generated/openapi/`: each schema once, as OpenAPI 3.0. */
export interface SchemaSource {
  modules(): readonly OpenApiModule[];
  /** Returns the schemas of a package, by the last part of their names. */
  schemas(packageName: string): { readonly [name: string]: { readonly [key: string]: JsonValue } };
}
