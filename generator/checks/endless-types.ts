import type { TypeRef } from "../model/contract.ts";
import type { FieldModel, Model } from "../model/model.ts";
import { jsonFields, structOf } from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks that no struct contains itself in a field that is always present. */
export function checkEndlessTypes({ model, diagnostics }: CheckContext): void {
  for (const module of model.ownModules) {
    for (const type of module.types.values()) {
      if (type.form !== "struct" || model.memory.isSound(type)) continue;
      for (const field of type.fields.filter(isAlwaysThere))
        if (leadsTo(model, field, type.ref, new Set()))
          diagnostics.report("endless-type", field.at, { type: type.name, field: field.name });
    }
  }
}

function isAlwaysThere({ optional, presence }: FieldModel): boolean {
  return !optional || presence === "always";
}

function leadsTo(model: Model, field: FieldModel, target: TypeRef, passed: Set<TypeRef>): boolean {
  const struct = structOf(model, field.type);
  if (struct === undefined || passed.has(struct.ref)) return false;
  if (struct.ref === target) return true;
  passed.add(struct.ref);
  return jsonFields(model, struct).some((one) => isAlwaysThere(one) && leadsTo(model, one, target, passed));
}
