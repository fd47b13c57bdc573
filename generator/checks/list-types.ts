import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { TypeExpr } from "../model/contract.ts";
import type { Model, TypeModel } from "../model/model.ts";
import { describeType, isScalar, jsonFields, structOf, unalias } from "../model/type-walk.ts";
import type { CheckContext } from "./checks.ts";
import { type ValueSite, valueSites } from "./value-sites.ts";

/** Lists can do what their type promises: sets hold scalars, map lists hold structs that always have their keys. */
export function checkListTypes(context: CheckContext): void {
  for (const site of valueSites(context.model)) {
    const { listType, listMapKeys, patchMergeKey } = site.markers;
    const real = unalias(context.model, site.type);
    if (typeof real !== "object" || !("list" in real)) continue;
    if (listType === "set") checkSet(context, site, real.list);
    if (listType === "map") checkKeys(context, site, real.list, listMapKeys ?? []);
    else if (patchMergeKey !== undefined) checkKeys(context, site, real.list, [patchMergeKey]);
  }
}

function checkSet({ model, diagnostics }: CheckContext, { at }: ValueSite, item: TypeExpr): void {
  if (!isScalar(unalias(model, item))) diagnostics.report("set-items", at, { type: describeType(item) });
}

function checkKeys(
  { model, diagnostics }: CheckContext,
  { at, owner }: ValueSite,
  item: TypeExpr,
  keys: readonly string[],
): void {
  const struct = structOf(model, item);
  if (struct === undefined) {
    diagnostics.report("list-items", at, { type: describeType(item) });
    return;
  }
  const fields = jsonFields(model, struct);
  for (const key of keys) {
    const field = fields.find(({ name }) => name === key);
    const parameters = { key, type: struct.name };
    if (field === undefined) {
      const names = fields.map(({ name }) => name);
      diagnostics.report("list-key-missing", at, parameters, closest(key, names));
    } else if (!isScalar(unalias(model, field.type))) {
      diagnostics.report("list-key-not-scalar", at, parameters);
    } else if (field.optional && field.markers.default === undefined && isStrict(model, owner)) {
      diagnostics.report("list-key-optional", at, parameters);
    }
  }
}

/** Kubernetes has a few lists whose keys may be left out, and counts them as empty; its groups do not publish their rules. */
function isStrict({ modules }: Model, owner: TypeModel): boolean {
  const module = modules.get(owner.ref.slice(0, owner.ref.lastIndexOf(".")));
  return module?.group?.publishesRules ?? true;
}
