import type { Artifact } from "../../artifact.ts";
import type { Model } from "../../model/model.ts";

/** `generated/feature-gates.json`: every gate with its stages by release, one gate per line. */
export function emitFeatureGates({ gates }: Model): Artifact[] {
  const text = `[\n${gates.map((gate) => `  ${JSON.stringify(gate)}`).join(",\n")}\n]\n`;
  return [{ path: "generated/feature-gates.json", text }];
}
