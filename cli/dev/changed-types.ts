import type { TextChange } from "../../generator/generation-session.ts";
import { readCode } from "../../generator/reader/read-code.ts";
import type { TypeModule, TypeRef } from "../../runtime/contract/type-table.ts";
import type { DefinitionChange } from "../../runtime/server/redefine-kinds.ts";

/** Returns the types and folders that a generation changed, for the kinds that are served. */
export function changeOf(
  artifacts: ReadonlyMap<string, TextChange>,
  sources: ReadonlyMap<string, TextChange>,
): DefinitionChange {
  const types = new Set<TypeRef>();
  for (const [path, { before, after }] of artifacts)
    if (path.startsWith("generated/types/")) for (const type of changedTypes(before, after)) types.add(type);
  const code = [...sources].filter(([path, change]) => isCode(path) && runsOtherwise(change));
  return { types, folders: new Set(code.map(([path]) => path.split("/")[1] as string)) };
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

/** Whether the executed code differs. Types are ignored: their changes show in the generated files. */
function runsOtherwise({ before, after }: TextChange): boolean {
  return before === undefined || after === undefined || readCode(before) !== readCode(after);
}

/** Whether the file may contain code that kinds run: hooks, conversions, and their imports. */
function isCode(path: string): boolean {
  return path.startsWith("api-definitions/") && path.endsWith(".ts") && path.split("/").length > 2;
}
