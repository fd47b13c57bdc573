import type { ApiCatalogue, GroupVersionKind, Lifecycle, Release } from "./resource-descriptor.ts";
import type { GroupVersionResource } from "./served-versions.ts";
import type { JsonValue, TypeRef, TypeSource } from "./type-table.ts";

/**
 * Everything that the generator makes of the definitions of one project, as one value. `generated/registry.ts` exports it. Nothing is
 * read before it is asked for.
 */
export interface ApiRegistry {
  /** Modules of types with their protobuf packages: `{ "apps/v1": "k8s.io.api.apps.v1" }`. */
  readonly modules: { readonly [module: string]: string };
  /** Registries of other projects whose types this one uses. They are served too. */
  readonly uses: readonly ApiRegistry[];
  /** Reads modules of types when they are first asked for. Throws a RangeError for one that does not exist. */
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
  /** Loads conversions with functions, by the type that they convert to its stored version. */
  readonly conversions: { readonly [type: TypeRef]: (() => Promise<unknown>) | undefined };
}

/** A kind a configuration file may hold. */
export interface ConfigKind extends GroupVersionKind {
  readonly type: TypeRef;
  readonly lifecycle: Lifecycle;
}

/** How a version of a kind becomes the stored one. Identical shapes differ in apiVersion only. */
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

/** From `since` on the gate is in this stage, until a later entry takes over. */
export interface GateStep {
  readonly since: Release;
  readonly stage: GateStage;
  readonly enabled: boolean;
  /** Can no longer be set to anything else. */
  readonly locked?: true;
}

/** `generated/feature-gates.json`: steps in the order of releases; `dropped` is the release that refuses the gate. */
export interface GateDescriptor {
  readonly name: string;
  readonly steps: readonly GateStep[];
  readonly dropped?: Release;
}

/** How firmly a metric is promised (docs/versioning.md, "Stability rules"). */
export type MetricStability = "ALPHA" | "BETA" | "STABLE";

/** `generated/metrics.json`: a metric and its life. */
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
  /** The group and version, if it has kinds: DeleteOptions and WatchEvent belong to each of them. */
  readonly kinds?: { readonly group: string; readonly version: string };
}

/** What the generator writes below `generated/openapi/`: each schema once, in the form of OpenAPI 3.0. */
export interface SchemaSource {
  modules(): readonly OpenApiModule[];
  /** The schemas of a package by the last part of their names. */
  schemas(packageName: string): { readonly [name: string]: { readonly [key: string]: JsonValue } };
}
