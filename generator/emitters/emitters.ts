import type { Artifact } from "../artifact.ts";
import type { Model } from "../model/model.ts";
import { emitConfigKinds } from "./config-kinds/emit-config-kinds.ts";
import { emitConverters } from "./converters/emit-converters.ts";
import { emitFeatureGates } from "./feature-gates/emit-feature-gates.ts";
import { emitMetrics } from "./metrics/emit-metrics.ts";
import { emitOpenApi } from "./openapi/emit-openapi.ts";
import { emitProtobuf } from "./protobuf/emit-protobuf.ts";
import { emitRegistry } from "./registry/emit-registry.ts";
import { emitResources } from "./resources/emit-resources.ts";
import { emitTypes } from "./types/emit-types.ts";
import { emitValues } from "./values/emit-values.ts";

export type Emitter = (model: Model) => Artifact[];

/** All emitters, one per kind of generated file. */
export const EMITTERS: readonly Emitter[] = [
  emitTypes,
  emitValues,
  emitResources,
  emitConfigKinds,
  emitFeatureGates,
  emitMetrics,
  emitConverters,
  emitOpenApi,
  emitProtobuf,
  emitRegistry,
];
