import type { DefinitionFile } from "../reader/syntax.ts";
import { strings } from "./build-groups.ts";
import type { GateModel } from "./model.ts";

/** Returns the feature gates, sorted by name. A step has the form `stage release [on|off] [locked|unlocked]`. */
export function buildGates(files: readonly DefinitionFile[]): GateModel[] {
  const declared = files.flatMap((file) => file.calls).filter((call) => call.word === "gates");
  return declared
    .flatMap((call) => Object.entries(call.argument.value))
    .map(([name, value]): GateModel => {
      const { steps, dropped } = value as { steps?: string[]; dropped?: string };
      return { name, steps: strings(steps).map(readStep), ...(dropped !== undefined && { dropped }) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readStep(text: string): GateModel["steps"][number] {
  const [stage = "", since = "", ...words] = text.split(" ");
  const on = stage === "beta" || stage === "stable";
  const enabled = words.includes("on") || (on && !words.includes("off"));
  const locked = words.includes("locked") || (stage === "stable" && !words.includes("unlocked"));
  return { since, stage, enabled, ...(locked && { locked: true }) };
}
