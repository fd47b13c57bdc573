import type { Artifact } from "../../artifact.ts";
import type { TypeRef } from "../../model/contract.ts";
import { hubOf } from "../../model/hub.ts";
import type { ConversionModel, KindModel, Model } from "../../model/model.ts";
import { compareShapes } from "./compare-shapes.ts";

export interface ConversionRow {
  readonly from: TypeRef;
  readonly hub: TypeRef;
  readonly how: "identical" | "declared" | "missing";
  readonly rename?: { readonly [from: string]: string };
  readonly toHub?: true;
  readonly fromHub?: true;
}

/** `generated/conversions.json`: how each version of each stored kind becomes its stored version, one per line. */
export function emitConverters(model: Model): Artifact[] {
  const rows = conversionRows(model);
  const text = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`;
  return [{ path: "generated/conversions.json", text }];
}

export function conversionRows(model: Model): ConversionRow[] {
  const declared = new Map(model.groups.flatMap((group) => group.conversions).map((one) => [one.from, one]));
  return storedKinds(model)
    .flatMap((kind) => {
      const hub = hubOf(model, kind);
      return hub.type === kind.type ? [] : [conversionRow(model, kind, hub, declared.get(kind.type))];
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1));
}

function storedKinds(model: Model): KindModel[] {
  return [...model.modules.values()]
    .flatMap((module) => module.kinds)
    .filter((kind) => !kind.unserved && !kind.virtual);
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
    };
  }
  return { ...base, how: compareShapes(model, kind.type, hub.type).length === 0 ? "identical" : "missing" };
}
