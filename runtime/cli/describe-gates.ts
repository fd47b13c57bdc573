import { readCatalogue, readFeatureGates } from "../../generated/registry.ts";
import { type GateDescriptor, resolveFeatureGates } from "../release/feature-gates.ts";

/** The gates of this release for `serve --help`: those that can be set, and those on their way out. */
export function describeGates(): string {
  const { known } = resolveFeatureGates(readFeatureGates<GateDescriptor>(), readCatalogue().release);
  return known
    .filter(({ stage }) => stage !== "stable")
    .map(({ name, stage, enabled }) => `  ${name}=true|false (${stage.toUpperCase()} - default=${enabled})`)
    .join("\n");
}
