import type { Artifact } from "../../artifact.ts";
import type { TypeRef } from "../../model/contract.ts";
import { hubOf } from "../../model/hub.ts";
import type { ConversionModel, FieldModel, KindModel, Model } from "../../model/model.ts";
import { jsonFields, structOf, typeAt } from "../../model/type-walk.ts";
import { compareShapes, tellsUnset, unrenamed } from "./compare-shapes.ts";

export interface ConversionRow {
  readonly from: TypeRef;
  readonly hub: TypeRef;
  readonly how: "identical" | "declared" | "missing";
  readonly rename?: { readonly [from: string]: string };
  readonly toHub?: true;
  readonly fromHub?: true;
  /** Renames are the complete conversion: both versions can represent the same values. */
  readonly exact?: true;
}

/** `generated/conversions.json`: how each version of each kind is converted to its stored version, one per line. */
export function emitConverters(model: Model): Artifact[] {
  const rows = conversionRows(model);
  const text = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`;
  return [{ path: "generated/conversions.json", text }];
}

export function conversionRows(model: Model): ConversionRow[] {
  const declared = new Map(model.groups.flatMap((group) => group.conversions).map((one) => [one.from, one]));
  return servedKinds(model)
    .flatMap((kind) => {
      const hub = hubOf(model, kind);
      return hub.type === kind.type ? [] : [conversionRow(model, kind, hub, declared.get(kind.type))];
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1));
}

function servedKinds(model: Model): KindModel[] {
  return model.ownModules.flatMap((module) => module.kinds).filter((kind) => !kind.unserved);
}

function conversionRow(
  model: Model,
  kind: KindModel,
  hub: KindModel,
  declared: ConversionModel | undefined,
): ConversionRow {
  const base = { from: kind.type, hub: hub.type };
  if (declared !== undefined) {
    return {
      ...base,
      how: "declared",
      ...(Object.keys(declared.rename).length > 0 && { rename: declared.rename }),
      ...(declared.hasToHub && { toHub: true }),
      ...(declared.hasFromHub && { fromHub: true }),
      ...(isExact(model, kind, hub, declared) && { exact: true }),
    };
  }
  return { ...base, how: compareShapes(model, kind.type, hub.type).length === 0 ? "identical" : "missing" };
}

function isExact(
  model: Model,
  kind: KindModel,
  hub: KindModel,
  { rename, hasToHub, hasFromHub }: ConversionModel,
): boolean {
  if (hasToHub || hasFromHub) return false;
  const [left, right] = [new Set(Object.keys(rename)), new Set(Object.values(rename))];
  const isMoved = (path: string): boolean =>
    isCovered(model, kind.type, path, left) && isCovered(model, hub.type, path, right);
  if (!compareShapes(model, kind.type, hub.type, { presence: true }).every(isMoved)) return false;
  return Object.entries(rename).every(([from, to]) => {
    const [mine, theirs] = [fieldAt(model, kind.type, from), fieldAt(model, hub.type, to)];
    if (mine === undefined || theirs === undefined || tellsUnset(mine) !== tellsUnset(theirs)) return false;
    return unrenamed(compareShapes(model, mine.type, theirs.type, { presence: true }), from, to, rename).length === 0;
  });
}

/**
 * Whether renames move everything at a path: the field itself, or every field of the struct there. The struct must not distinguish unset from
 * empty, because the other version cannot represent the difference. True if the version has no such field.
 */
function isCovered(model: Model, root: TypeRef, path: string, moved: ReadonlySet<string>): boolean {
  if (moved.has(path)) return true;
  const field = fieldAt(model, root, path);
  if (field === undefined) return true;
  const struct = structOf(model, field.type);
  if (struct === undefined || tellsUnset(field)) return false;
  return jsonFields(model, struct).every(({ name }) => isCovered(model, root, `${path}.${name}`, moved));
}

function fieldAt(model: Model, root: TypeRef, path: string): FieldModel | undefined {
  const dot = path.lastIndexOf(".");
  const parent = dot < 0 ? root : typeAt(model, root, path.slice(0, dot));
  const struct = parent === undefined ? undefined : structOf(model, parent);
  return struct && jsonFields(model, struct).find((field) => field.name === path.slice(dot + 1));
}
