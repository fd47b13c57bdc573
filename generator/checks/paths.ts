import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { DiagnosticCode, Parameters } from "../diagnostics.ts";
import { placeOf } from "../model/build-groups.ts";
import type { TypeExpr } from "../model/contract.ts";
import type { KindModel, Model } from "../model/model.ts";
import { describeType, jsonFields, structOf, typeAt, unalias } from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";

const SELECTABLE = new Set<TypeExpr>(["string", "boolean", "int32", "int64"]);

/** Checks that the paths of columns, selectors and scale subresources name existing fields. */
export function checkPaths({ model, diagnostics }: CheckContext): void {
  for (const module of model.ownModules) {
    if (module.group?.imported) continue;
    for (const kind of module.kinds) {
      const { kind: type } = kind;
      const report = (code: DiagnosticCode, part: string, path: string, more: Parameters = {}): void => {
        if (typeAt(model, kind.type, path) !== undefined) return;
        const place = placeOf(kind.declaration, part, kind.at);
        diagnostics.report(code, place, { path, type, ...more }, correction(model, kind, path));
      };
      for (const [index, { name, path }] of kind.columns.entries()) {
        if (path !== undefined) report("column-path", `columns.${index}.path`, path, { column: name });
      }
      if (kind.hooks === undefined) {
        for (const [index, path] of kind.selectableFields.entries()) {
          report("selectable-field", `selectableFields.${index}`, path);
          const found = typeAt(model, kind.type, path);
          const real = found === undefined ? "string" : unalias(model, found);
          if (SELECTABLE.has(real)) continue;
          const place = placeOf(kind.declaration, `selectableFields.${index}`, kind.at);
          diagnostics.report("selectable-type", place, { path, type: describeType(real) });
        }
      }
      for (const { name, scale } of kind.subresources) {
        for (const [part, path] of scalePaths(scale)) report("scale-path", `subresources.${name}.${part}`, path);
      }
    }
  }
}

function scalePaths(scale: KindModel["subresources"][number]["scale"]): [string, string][] {
  if (scale === undefined) return [];
  const { specReplicas, statusReplicas, labelSelector } = scale;
  return [
    ["specReplicasPath", specReplicas],
    ["statusReplicasPath", statusReplicas],
    ...(labelSelector === undefined ? [] : [["labelSelectorPath", labelSelector] as [string, string]]),
  ];
}

/** Returns the path with its first unknown field replaced by the most similar one. */
function correction(model: Model, kind: KindModel, path: string): string | undefined {
  const steps = path.split(".");
  for (let end = steps.length; end > 0; end--) {
    const parent = end === 1 ? kind.type : typeAt(model, kind.type, steps.slice(0, end - 1).join("."));
    const struct = parent === undefined ? undefined : structOf(model, parent);
    if (struct === undefined) continue;
    const names = jsonFields(model, struct).map(({ name }) => name);
    const wrong = steps[end - 1]!;
    const meant = names.includes(wrong) ? undefined : closest(wrong, names);
    if (meant === undefined) return undefined;
    return [...steps.slice(0, end - 1), meant, ...steps.slice(end)].join(".");
  }
  return undefined;
}
