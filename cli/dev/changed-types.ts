import type { ArtifactChange } from "../../generator/generation-session.ts";
import type { TypeModule, TypeRef } from "../../runtime/contract/type-table.ts";
import type { DefinitionChange } from "../../runtime/server/redefine-kinds.ts";

/** What a regeneration means for kinds that are served. */
export function changeOf(artifacts: ReadonlyMap<string, ArtifactChange>, sources: readonly string[]): DefinitionChange {
  const types = new Set<TypeRef>();
  for (const [path, { before, after }] of artifacts)
    if (path.startsWith("generated/types/")) for (const type of changedTypes(before, after)) types.add(type);
  return { types, folders: new Set(sources.filter(isCode).map((path) => path.split("/")[1] as string)) };
}

function changedTypes(before: string | undefined, after: string | undefined): TypeRef[] {
  const [former, next] = [before, after].map((text) =>
    text === undefined ? undefined : (JSON.parse(text) as TypeModule),
  );
  const module = former?.module ?? next?.module ?? "";
  const names = new Set([...Object.keys(former?.types ?? {}), ...Object.keys(next?.types ?? {})]);
  return [...names]
    .filter((name) => JSON.stringify(former?.types[name]) !== JSON.stringify(next?.types[name]))
    .map((name): TypeRef => `${module}.${name}`);
}

/** Files that kinds run: hooks, conversions, and what they import. Types of definitions are compared instead. */
function isCode(path: string): boolean {
  return path.startsWith("api-definitions/") && path.endsWith(".ts") && path.split("/").length > 2;
}
