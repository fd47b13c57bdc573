import type { JsonValue, ScalarName, TypeExpr, TypeRef } from "./contract.ts";
import type { FieldModel, Model, StructModel, TypeModel } from "./model.ts";

type Modules = Pick<Model, "modules">;

export function isRef(type: TypeExpr): type is TypeRef {
  return typeof type === "string" && type.includes(".");
}

export function isScalar(type: TypeExpr): type is ScalarName {
  return typeof type === "string" && !type.includes(".");
}

/** Returns the type that a reference names; undefined if it is not defined. */
export function findType({ modules }: Modules, ref: TypeRef): TypeModel | undefined {
  const dot = ref.lastIndexOf(".");
  return modules.get(ref.slice(0, dot))?.types.get(ref.slice(dot + 1));
}

/** Resolves aliases. Returns a scalar, a list, a map or a reference to a struct. */
export function unalias(model: Modules, type: TypeExpr): TypeExpr {
  let current = type;
  for (let depth = 0; depth < 20 && isRef(current); depth++) {
    const found = findType(model, current);
    if (found?.form !== "alias") return current;
    current = found.is;
  }
  return current;
}

/** Returns the default that the named type of a field declares. */
export function defaultOfType(model: Modules, type: TypeExpr): JsonValue | undefined {
  const named = isRef(type) ? findType(model, type) : undefined;
  return named?.form === "alias" ? (named.markers.default ?? defaultOfType(model, named.is)) : undefined;
}

/** Returns the struct that a type or alias is; undefined if it is none. */
export function structOf(model: Modules, type: TypeExpr): StructModel | undefined {
  const real = unalias(model, type);
  if (!isRef(real)) return undefined;
  const found = findType(model, real);
  return found?.form === "struct" ? found : undefined;
}

/** Returns all fields as in JSON, with those of embedded structs among the others. */
export function jsonFields(model: Modules, struct: StructModel): FieldModel[] {
  return struct.fields.flatMap((field) => {
    if (field.name !== "") return [field];
    const embedded = structOf(model, field.type);
    return embedded === undefined ? [] : jsonFields(model, embedded);
  });
}

/** Describes a type for messages: `list of string`, `map of Quantity`, `PodSpec`. */
export function describeType(type: TypeExpr): string {
  if (typeof type === "string") return isRef(type) ? type.slice(type.lastIndexOf(".") + 1) : type;
  return "list" in type ? `list of ${describeType(type.list)}` : `map of ${describeType(type.map)}`;
}

/**
 * Returns the type at a path such as `.spec.ports[0].name` or `spec.nodeName`; undefined if it does not exist. Brackets select items of
 * lists. Maps and free-form values have every key.
 */
export function typeAt(model: Modules, root: TypeExpr, path: string): TypeExpr | undefined {
  let current: TypeExpr | undefined = root;
  for (const step of splitPath(path)) {
    if (current === undefined) return undefined;
    current = child(model, unalias(model, current), step);
  }
  return current;
}

function child(model: Modules, type: TypeExpr, step: string): TypeExpr | undefined {
  if (typeof type === "object") {
    if ("map" in type) return type.map;
    return step.startsWith("[") ? type.list : undefined;
  }
  if (type === "json" || type === "rawObject" || type === "fieldsV1") return "json";
  const struct = structOf(model, type);
  if (struct === undefined) return undefined;
  const name = step.replace(/^\['?|'?\]$/g, "");
  return jsonFields(model, struct).find((field) => field.name === name)?.type;
}

/** Splits `.a.b[?(@.c=="d")].e['f.g']` into `a b [?(@.c=="d")] e ['f.g']`. */
function splitPath(path: string): string[] {
  return path.match(/\[[^\]]*\]|(?:\\.|[^.[\]])+/g) ?? [];
}
