import type { TypeExpr } from "../model/contract.ts";
import type { TypeModel } from "../model/model.ts";
import { findType, isRef } from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";

/** Minimum number of words of a description: fewer cannot explain what a field does. */
const FEWEST_WORDS = 4;

function isPlain(type: TypeExpr): boolean {
  return type === "string" || type === "boolean" || type === "int32" || type === "int64" || type === "double";
}

/**
 * Checks that everything that `kubectl explain` shows has a description of its own: kinds, structs and fields. A union of strings needs none:
 * the descriptions of its fields and values explain it.
 */
export function checkDescriptions({ model, diagnostics }: CheckContext): void {
  for (const module of model.ownModules) {
    if (module.group?.imported) continue;
    for (const type of module.types.values()) {
      if (type.implied || type.form === "alias" || model.memory.isSound(type)) continue;
      check(type.description, type.name, type.at);
      for (const field of type.fields) {
        if (field.name === "" || field.at.file.split("/").slice(1, -1).join("/") !== module.name) continue;
        const name = `${type.name}.${field.name}`;
        // Kubernetes publishes a few references without a description. OpenAPI v3 requires a wrapper around a reference with one.
        const isBareReference = module.group?.kubernetes === true && field.description === "" && !isPlain(field.type);
        if (!isBareReference) check(field.description, name, field.at);
        const of = typeOf(field.type);
        if (of !== undefined && field.description !== "" && field.description === of.description)
          diagnostics.report("description-repeated", field.at, { name, type: of.name });
      }
    }
  }

  function check(description: string, name: string, at: TypeModel["at"]): void {
    if (description === "") diagnostics.report("description-missing", at, { name });
    else if (description.split(/\s+/).length < FEWEST_WORDS)
      diagnostics.report("description-short", at, { name, description });
  }

  function typeOf(type: TypeExpr): TypeModel | undefined {
    if (typeof type === "object") return typeOf("list" in type ? type.list : type.map);
    return isRef(type) ? findType(model, type) : undefined;
  }
}
