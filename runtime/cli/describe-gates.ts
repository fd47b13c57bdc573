import type { ApiRegistry } from "../contract/api-registry.ts";
import { OWN_DEFAULTS, resolveFeatureGates } from "../release/feature-gates.ts";

/** Lists the feature gates of this release for `serve --help`: those that can be set, and those that will be removed. */
export function describeGates(registry: ApiRegistry): string {
  const { known } = resolveFeatureGates(
    registry.readFeatureGates(),
    registry.readCatalogue().release,
    "",
    OWN_DEFAULTS,
  );
  return known
    .filter(({ stage }) => stage !== "stable")
    .map(({ name, stage, enabled }) => `  ${name}=true|false (${stage.toUpperCase()} - default=${enabled})`)
    .join("\n");
}
