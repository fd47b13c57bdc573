import { createTypeSource, readCatalogue, readFeatureGates, readMetrics } from "../../generated/registry.ts";
import { createNaming, type Naming } from "../contract/naming.ts";
import type { ApiCatalogue, Release } from "../contract/resource-descriptor.ts";
import { createMediaTypes, type MediaTypes } from "../http/media-types.ts";
import type { Log } from "../lib/log.ts";
import { type FeatureGates, type GateDescriptor, resolveFeatureGates } from "../release/feature-gates.ts";
import { type MetricLife, type MetricPolicy, metricPolicy } from "../release/metric-lives.ts";
import { oldestRelease, parseKnownRelease } from "../release/release.ts";
import { askedInVain, parseRuntimeConfig } from "../release/runtime-config.ts";
import { type ServedApi, selectServed } from "../release/served.ts";
import { createRuleCompiler } from "../schema/cel-rules.ts";
import { createSchemas } from "../schema/schemas.ts";
import type { Schemas } from "../schema/type-schema.ts";
import type { ServerConfig } from "./server-config.ts";

/** What the definitions say, as this server was told to read them: release, switches, names. */
export interface Platform {
  readonly catalogue: ApiCatalogue;
  readonly naming: Naming;
  readonly release: Release;
  readonly gates: FeatureGates;
  readonly metrics: MetricPolicy;
  readonly served: ServedApi;
  readonly mediaTypes: MediaTypes;
  readonly schemas: Schemas;
}

/** Who may do what is always decided: there is nothing to simulate from before there were roles. */
export function knownReleases({ release, domain, resources }: ApiCatalogue): { own: Release; oldest: Release } {
  return { own: release, oldest: oldestRelease(resources, ["", `rbac.authorization.${domain}`]) };
}

export function createPlatform(config: ServerConfig, log: Log): Platform {
  const catalogue = readCatalogue();
  const release =
    config.release === undefined ? catalogue.release : parseKnownRelease(config.release, knownReleases(catalogue));
  const gates = resolveFeatureGates(readFeatureGates<GateDescriptor>(), release, config.featureGates);
  const metrics = metricPolicy(readMetrics<MetricLife>(), release, config.showHiddenMetricsFor);
  const runtimeConfig = parseRuntimeConfig(config.runtimeConfig, catalogue);
  const served = selectServed(catalogue, { release, runtimeConfig });
  const vain = askedInVain(runtimeConfig, served.resources).map(
    (key) => `--runtime-config: release ${release} has no ${key} to switch on`,
  );
  for (const warning of [...gates.warnings, ...metrics.warnings, ...vain]) log("warn", warning);
  return {
    catalogue,
    naming: createNaming(catalogue),
    release,
    gates,
    metrics,
    served,
    mediaTypes: createMediaTypes({ ...catalogue, cbor: gates.enabled("CBORServingAndStorage") }),
    schemas: createSchemas(createTypeSource(), { compileRules: createRuleCompiler() }),
  };
}
