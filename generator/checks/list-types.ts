import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { TypeExpr } from "../model/contract.ts";
import type { FieldModel, Model, TypeModel } from "../model/model.ts";
import {
  defaultOfType,
  describeType,
  findType,
  isRef,
  isScalar,
  jsonFields,
  structOf,
  unalias,
} from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";
import { type ValueSite, valueSites } from "./value-sites.ts";

/** Checks that lists satisfy their list type: entries of sets are scalars, entries of map lists are structs whose keys are always present. */
export function checkListTypes(context: CheckContext): void {
  for (const site of valueSites(context.model)) {
    const { listType, listMapKeys, patchMergeKey } = site.markers;
    checkOptionalKeys(context, site);
    checkEntries(context, site);
    const real = unalias(context.model, site.type);
    if (typeof real !== "object" || !("list" in real)) continue;
    if (listType === "set") checkSet(context, site, real.list);
    if (listType === "map") checkKeys(context, site, real.list, listMapKeys ?? []);
    else if (patchMergeKey !== undefined) checkKeys(context, site, real.list, [patchMergeKey]);
  }
}

/** Checks that entries of lists and maps are scalars, structs or messages: protobuf has no list of lists. */
function checkEntries({ model, diagnostics }: CheckContext, { type, at, owner }: ValueSite): void {
  const module = model.modules.get(owner.ref.slice(0, owner.ref.lastIndexOf(".")));
  if (module?.group?.configuration === true || module?.numbers[owner.name]?.offWire) return;
  const named = (one: TypeExpr): TypeExpr => {
    const found = isRef(one) ? findType(model, one) : undefined;
    return found?.form === "alias" && !found.message ? named(found.is) : one;
  };
  const [outer, entry] = typeof type === "object" ? ["list" in type ? "list" : "map", named(entryOf(type))] : [""];
  if (entry === undefined || typeof entry !== "object") return;
  diagnostics.report("nested-entries", at, { outer: outer!, inner: "list" in entry ? "list" : "map" });
}

function entryOf(type: TypeExpr & object): TypeExpr {
  return "list" in type ? type.list : type.map;
}

function checkSet({ model, diagnostics }: CheckContext, { at }: ValueSite, item: TypeExpr): void {
  const real = unalias(model, item);
  if (!isScalar(real)) diagnostics.report("set-items", at, { type: describeType(item) });
  else if (REWRITTEN.has(real))
    diagnostics.report("list-key-rewritten", at, { what: "an item of the set", type: real });
}

/** Scalars that are stored in canonical form. An apply identifies list entries by the values that it sends, which may differ from the stored ones. */
const REWRITTEN: ReadonlySet<string> = new Set(["quantity", "time", "microTime", "duration"]);

function checkKeys(context: CheckContext, site: ValueSite, item: TypeExpr, keys: readonly string[]): void {
  const { model, diagnostics } = context;
  const { at, field: list } = site;
  const struct = structOf(model, item);
  if (struct === undefined) {
    diagnostics.report("list-items", at, { type: describeType(item) });
    return;
  }
  const fields = jsonFields(model, struct);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) diagnostics.report("marker-twice", at, { marker: `the key ${twice}` });
  const isTolerated = list?.optionalKeys === true && isOfKubernetes(model, site.owner);
  for (const key of keys) {
    const field = fields.find(({ name }) => name === key);
    const parameters = { key, type: struct.name };
    const real = field && unalias(model, field.type);
    if (field === undefined) {
      const names = fields.map(({ name }) => name);
      diagnostics.report("list-key-missing", at, parameters, closest(key, names));
    } else if (!isScalar(real!)) {
      diagnostics.report("list-key-not-scalar", at, parameters);
    } else if (REWRITTEN.has(real)) {
      diagnostics.report("list-key-rewritten", at, { what: `list key ${key} of ${struct.name}`, type: real });
    } else if (mayBeMissing(model, field) && !isTolerated) {
      diagnostics.report("list-key-optional", at, parameters);
    }
  }
}

function mayBeMissing(model: Model, { optional, markers, type }: FieldModel): boolean {
  return optional && markers.default === undefined && defaultOfType(model, type) === undefined;
}

/** Rejects `OptionalKeys` if all keys are required: it would hide that a key becomes optional later. */
function checkOptionalKeys({ model, diagnostics }: CheckContext, { at, type, markers, field }: ValueSite): void {
  if (field?.optionalKeys !== true) return;
  const real = unalias(model, type);
  const struct = typeof real === "object" && "list" in real ? structOf(model, real.list) : undefined;
  const keys = markers.listMapKeys ?? [markers.patchMergeKey];
  const isNeeded =
    struct && jsonFields(model, struct).some((key) => keys.includes(key.name) && mayBeMissing(model, key));
  if (isNeeded !== true) diagnostics.report("optional-keys-needless", at, { name: field.name });
}

function isOfKubernetes({ modules }: Model, owner: TypeModel): boolean {
  const module = modules.get(owner.ref.slice(0, owner.ref.lastIndexOf(".")));
  return module?.group?.kubernetes === true;
}
