import type { ApiChange } from "../evolution/api-change.ts";
import type { KindSnapshot } from "../evolution/snapshot.ts";
import { placeOf } from "../model/build-groups.ts";
import type { Model } from "../model/model.ts";
import type { Location } from "../reader/syntax.ts";
import type { SourceTree } from "../source-tree.ts";

export const GATES_FILE = "api-definitions/feature-gates.ts";
export const METRICS_FILE = "api-definitions/metrics.ts";

/**
 * Returns where the changed field, type or kind is defined. If it was removed, returns the location of the type, version or group that
 * contained it.
 */
export function changePlace(
  { model, tree }: { readonly model: Model; readonly tree: SourceTree },
  change: ApiChange,
): Location {
  const { module: name, where } = change;
  if (name === undefined) return namedPlace(tree, GATES_FILE, where.replace(/^gate /, ""));
  const module = model.modules.get(name);
  const element = where.slice(where.indexOf(" ") + 1);
  const kind = change.code.startsWith("kind-") ? module?.kinds.find((one) => one.kind === element) : undefined;
  if (kind !== undefined) return kind.at;
  const dot = element.indexOf(".");
  const type = module?.types.get(dot < 0 ? element : element.slice(0, dot));
  const field = type?.form === "struct" ? type.fields.find((one) => one.name === element.slice(dot + 1)) : undefined;
  if (!change.code.startsWith("kind-") && type !== undefined) return field?.at ?? type.at;
  const group = model.groups.find(({ folder }) => folder === name.slice(0, name.indexOf("/")));
  return group?.at ?? { file: `api-definitions/${name}`, line: 1, column: 1, text: "" };
}

/** Returns where a part of a kind (such as `removed`) is declared, or the location of the kind if the part is not declared. */
export function kindPlace(model: Model, { module: name, kind }: KindSnapshot, part = ""): Location {
  const module = model.modules.get(name);
  const found = module?.kinds.find((one) => one.kind === kind);
  if (found === undefined) return module?.at ?? { file: `api-definitions/${name}`, line: 1, column: 1, text: "" };
  return part === "" ? found.at : placeOf(found.declaration, part, found.at);
}

/** Returns the line of a file that declares a gate or metric, or the first line if there is none. */
export function namedPlace(tree: SourceTree, file: string, name: string): Location {
  const lines = tree.files.get(file)?.split("\n") ?? [];
  const pattern = new RegExp(`(^|[\\s{,])["']?${name.replace(/[^\w]/g, "\\$&")}["']?\\s*:`);
  const index = lines.findIndex((line) => pattern.test(line));
  if (index < 0) return { file, line: 1, column: 1, text: "" };
  const line = lines[index] as string;
  return { file, line: index + 1, column: line.indexOf(name) + 1, text: line.trim() };
}
