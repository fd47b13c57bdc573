import type { CelType, StructType } from "./cel-type.ts";

/** Returns the name of a struct type in messages. */
export type StructNames = (type: StructType) => string;

/**
 * Names the struct types within a type by their paths, as Kubernetes does: `self.objs[0].a` is of the type
 * `<root>.objs.@idx.a`. Types that have a name of their own keep it. Looked up only when a message needs a name.
 */
export function pathNames(root: CelType, rootName: string): StructNames {
  let names: Map<unknown, string> | undefined;
  return (type) => {
    names ??= collectNames(root, rootName);
    return names.get(type.identity) ?? type.name;
  };
}

function collectNames(root: CelType, rootName: string): Map<unknown, string> {
  const names = new Map<unknown, string>();
  const visit = (type: CelType, path: string): void => {
    if (type.kind === "list") visit(type.element, `${path}.@idx`);
    else if (type.kind === "map") visit(type.value, `${path}.@elem`);
    else if (type.kind === "struct" && !names.has(type.identity)) {
      const name = type.isNamed === true ? type.name : path;
      names.set(type.identity, name);
      for (const { jsonName, escapedName = jsonName, type: field } of type.fields())
        visit(field, `${name}.${escapedName}`);
    }
  };
  visit(root, rootName);
  return names;
}
