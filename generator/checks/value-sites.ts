import type { Markers, TypeExpr } from "../model/contract.ts";
import type { FieldModel, Model, TypeModel } from "../model/model.ts";
import type { Location } from "../reader/syntax.ts";

/** Something that has a value and may have markers: a field or a named type. */
export interface ValueSite {
  readonly type: TypeExpr;
  readonly markers: Markers;
  readonly at: Location;
  readonly owner: TypeModel;
  readonly field?: FieldModel;
}

/** Returns the sites of all types that no earlier run has checked. */
export function* valueSites(model: Model): Iterable<ValueSite> {
  for (const module of model.ownModules) {
    for (const owner of module.types.values()) {
      if (owner.implied || model.memory.isSound(owner)) continue;
      if (owner.form === "alias") yield { type: owner.is, markers: owner.markers, at: owner.at, owner };
      else {
        if (Object.keys(owner.markers).length > 0) {
          yield { type: owner.ref, markers: owner.markers, at: owner.at, owner };
        }
        for (const field of owner.fields)
          yield { type: field.type, markers: field.markers, at: field.at, owner, field };
      }
    }
  }
}
