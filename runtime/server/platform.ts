import type { ApiRegistry, SchemaSource } from "../contract/api-registry.ts";
import { createNaming, type Naming } from "../contract/naming.ts";
import type { ApiCatalogue, Base } from "../contract/resource-descriptor.ts";
import type { TypeModule } from "../contract/type-table.ts";
import { createMediaTypes, type MediaTypes } from "../http/negotiate/media-types.ts";
import { carriedDomains } from "../kinds/conversion/carried-fields.ts";
import { createConverters } from "../kinds/conversion/create-converters.ts";
import { createSchemaCompiler } from "../kinds/custom/validation/schema-keywords.ts";
import type { KindDefinitions } from "../kinds/kind-definitions.ts";
import { hookLoader } from "../kinds/loaded-hooks.ts";
import { ownGroups, ownTypes } from "../kinds/own-types.ts";
import type { Log } from "../lib/log.ts";
import { chooseBase, selectBase } from "../release/base.ts";
import { calendarOf, currentRelease, type DialedRelease, dialRelease } from "../release/calendar.ts";
import { type FeatureGates, OWN_DEFAULTS, resolveFeatureGates } from "../release/feature-gates.ts";
import { chooseRelease, type Definitions, readDefinitions } from "../release/known-releases.ts";
import { type MetricPolicy, metricPolicy } from "../release/metric-lives.ts";
import { describeNotServed, findNotServed } from "../release/not-served.ts";
import { compareReleases } from "../release/release.ts";
import { parseRuntimeConfig, unservedRuntimeConfig } from "../release/runtime-config.ts";
import { selectServed } from "../release/served.ts";
import { createRuleCompiler } from "../schema/cel-rules.ts";
import { type IsLater, schemasOfRelease, typesOfRelease } from "../schema/fields-of-release.ts";
import { ConfigFileLoader } from "../schema/load-config-file.ts";
import { createSchemas } from "../schema/schemas.ts";
import type { ServerConfig } from "./server-config.ts";

/** The definitions as this server serves them: for its release, enabled versions, feature gates and names. */
export interface Platform extends KindDefinitions {
  /** Everything that is generated from the definitions of the base and of the project. */
  readonly registry: ApiRegistry;
  readonly base: Base;
  readonly naming: Naming;
  /** OpenAPI schemas, with only the fields that exist in this release. */
  readonly openApiSchemas: SchemaSource;
  /** The same release in the project's own numbering, if it has one. */
  readonly dialed: DialedRelease;
  readonly gates: FeatureGates;
  readonly metrics: MetricPolicy;
  readonly mediaTypes: MediaTypes;
  readonly configFiles: ConfigFileLoader;
}

export function createPlatform(registry: ApiRegistry, config: ServerConfig, log: Log): Platform {
  const definitions = readDefinitions(registry);
  const base = chooseBase(config.base, definitions.catalogue);
  const catalogue = selectBase(definitions.catalogue, base);
  const dialed = dialRelease(catalogue, chooseRelease(config.release, definitions));
  const { own, kubernetes: release } = dialed;
  const defaults = config.release === undefined ? OWN_DEFAULTS : undefined;
  const gates = resolveFeatureGates(definitions.gates, release, config.featureGates, defaults);
  const metrics = metricPolicy(definitions.metrics, release, config.showHiddenMetricsFor, config.disabledMetrics);
  const runtimeConfig = parseRuntimeConfig(config.runtimeConfig, catalogue);
  const served = selectServed(catalogue, { release: own, runtimeConfig, isEnabled: gates.enabled });
  const asked = selectServed(catalogue, { release: own, runtimeConfig }).resources;
  const unserved = unservedRuntimeConfig(runtimeConfig, asked).map(
    (key) => `--runtime-config: release ${own} has no ${key} to switch on`,
  );
  const calendar = calendarOf(catalogue);
  const gated = asked.flatMap(({ gate, resource, group, version }) =>
    gate === undefined || gates.enabled(gate) || calendar(group) === "own"
      ? []
      : [`${resource} of ${group}/${version} is not served while the feature gate ${gate} is off`],
  );
  const notServed = findNotServed({ catalogue, served: served.resources, release: dialed, runtimeConfig });
  const absent = describeNotServed(notServed);
  if (absent !== undefined) log("info", absent);
  for (const warning of [...gates.warnings, ...metrics.warnings, ...unserved, ...gated]) log("warn", warning);
  const isLater = laterFields(definitions, dialed, config.release !== undefined);
  const compiled = createPlatformSchemas(registry, catalogue, gates.enabled, isLater);
  const { schemas } = compiled;
  return {
    registry,
    base,
    catalogue,
    naming: createNaming(catalogue),
    release,
    dialed,
    gates,
    metrics,
    served,
    notServed,
    mediaTypes: createMediaTypes({ ...catalogue, cbor: gates.enabled("CBORServingAndStorage") }),
    ...compiled,
    featureEnabled: gates.enabled,
    loadHooks: hookLoader(registry, {
      featureEnabled: gates.enabled,
      primaryIpFamily: familyOf(config.serviceClusterIpRange),
    }),
    loadConverter: createConverters({
      entries: registry.readConversions(),
      declarations: registry.conversions,
      schemas,
      ...carriedDomains(catalogue),
    }),
    configFiles: new ConfigFileLoader(schemas, () => registry.readConfigKinds()),
  };
}

/** IP family of the first range. */
function familyOf(ranges: string): "IPv4" | "IPv6" {
  return ranges.split(",")[0]?.includes(":") ? "IPv6" : "IPv4";
}

/** Compiles the schemas of all types. For an older release, also those without later fields, which clients see. */
function createPlatformSchemas(
  registry: ApiRegistry,
  catalogue: ApiCatalogue,
  isEnabled: FeatureGates["enabled"],
  isLater: IsLater | undefined,
): Pick<Platform, "schemas" | "shownSchemas" | "openApiSchemas"> {
  const owns = ownGroups(catalogue);
  const options = {
    compileRules: createRuleCompiler(),
    compileSchema: createSchemaCompiler(catalogue.vendor),
    tellsByField: ownTypes(catalogue),
    isEnabled,
    enforces: ({ group = "" }: TypeModule) => owns(group),
  };
  const types = registry.createTypeSource();
  const schemas = createSchemas(types, options);
  const { openApiSchemas } = registry;
  if (isLater === undefined) return { schemas, openApiSchemas };
  return {
    schemas,
    shownSchemas: createSchemas(typesOfRelease(types, isLater), options),
    openApiSchemas: schemasOfRelease(openApiSchemas, types, isLater),
  };
}

/**
 * Returns a predicate for fields that were introduced after the served release, according to their marker `Since` or the first stage of their feature
 * gate. Undefined for the current release, which has all fields.
 */
function laterFields({ catalogue, gates }: Definitions, dialed: DialedRelease, isDialed: boolean): IsLater | undefined {
  if (!isDialed || compareReleases(dialed.own, currentRelease(catalogue)) >= 0) return undefined;
  const calendar = calendarOf(catalogue);
  const introduced = new Map(gates.map(({ name, steps }) => [name, steps[0]?.since]));
  return ({ since, gate }, { group = "" }) => {
    const release = dialed[calendar(group)];
    if (since !== undefined) return compareReleases(since, release) > 0;
    if (gate === undefined) return false;
    // A field with "A,B" exists if either gate does.
    return gate.split(",").every((name) => {
      const first = introduced.get(name);
      return first !== undefined && compareReleases(first, release) > 0;
    });
  };
}
