import type { Artifact } from "../../artifact.ts";
import type { Model } from "../../model/model.ts";

/** `generated/config-kinds.json`: the kinds that configuration files may contain, by their names there. */
export function emitConfigKinds(model: Model): Artifact[] {
  const kinds = model.ownModules.flatMap((module) => module.configKinds);
  const rows = kinds.flatMap(({ group, version, kind, type, aliases, lifecycle }) =>
    [{ group, version, kind }, ...aliases].map((name) => ({ ...name, type, lifecycle })),
  );
  rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const text = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`;
  return [{ path: "generated/config-kinds.json", text }];
}

function key({ group, version, kind }: { group: string; version: string; kind: string }): string {
  return `${group}/${version}/${kind}`;
}
