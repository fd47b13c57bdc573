import type { TypeExpr } from "../../model/contract.ts";
import type { FieldModel, Model } from "../../model/model.ts";
import { isRef, jsonFields, structOf, unalias } from "../../model/type-walk.ts";

/**
 * Returns the paths at which two types differ in JSON: fields that only one has, or fields of different types. Empty if no conversion is
 * needed. With `presence`, also fields of which only one side distinguishes unset from zero.
 */
export function compareShapes(
  model: Model,
  from: TypeExpr,
  to: TypeExpr,
  { presence = false }: { readonly presence?: boolean } = {},
): readonly string[] {
  const [mine, theirs] = [structOf(model, from), structOf(model, to)];
  if (mine === undefined || theirs === undefined) return differencesOf(model, from, to, presence);
  const known = model.memory.of(`differences ${presence}`, mine, () => new WeakMap<object, readonly string[]>());
  const found = known.get(theirs) ?? differencesOf(model, from, to, presence);
  known.set(theirs, found);
  return found;
}

function differencesOf(model: Model, from: TypeExpr, to: TypeExpr, presence: boolean): string[] {
  const seen = new Set<string>();
  const differences: string[] = [];

  function compare(a: TypeExpr, b: TypeExpr, path: string): void {
    const [left, right] = [unalias(model, a), unalias(model, b)];
    if (typeof left === "object" && typeof right === "object") {
      if ("list" in left && "list" in right) compare(left.list, right.list, `${path}[]`);
      else if ("map" in left && "map" in right) compare(left.map, right.map, `${path}[]`);
      else differences.push(path);
      return;
    }
    if (left === right) return;
    if (typeof left === "object" || typeof right === "object" || !isRef(left) || !isRef(right)) {
      differences.push(path);
      return;
    }
    const pair = `${left} ${right}`;
    if (seen.has(pair)) return;
    seen.add(pair);
    compareStructs(left, right, path);
  }

  function compareStructs(left: TypeExpr, right: TypeExpr, path: string): void {
    const [a, b] = [structOf(model, left), structOf(model, right)];
    if (a === undefined || b === undefined) {
      differences.push(path);
      return;
    }
    const mine = new Map(jsonFields(model, a).map((field) => [field.name, field]));
    const theirs = new Map(jsonFields(model, b).map((field) => [field.name, field]));
    for (const [name, field] of mine) {
      const other = theirs.get(name);
      const at = path === "" ? name : `${path}.${name}`;
      if (other === undefined || (presence && tellsUnset(field) !== tellsUnset(other))) differences.push(at);
      else compare(field.type, other.type, at);
    }
    for (const name of theirs.keys()) if (!mine.has(name)) differences.push(path === "" ? name : `${path}.${name}`);
  }

  compare(from, to, "");
  return differences;
}

/** Differences within a renamed field, without those that are renames of its own parts. */
export function unrenamed(
  differences: readonly string[],
  from: string,
  to: string,
  rename: { readonly [from: string]: string },
): readonly string[] {
  const [left, right] = [new Set(Object.keys(rename)), new Set(Object.values(rename))];
  return differences.filter((path) => {
    const rest = path === "" || path.startsWith("[") ? path : `.${path}`;
    return path === "" || !(left.has(from + rest) || right.has(to + rest));
  });
}

/** Whether an unset field differs from a zero one. */
export function tellsUnset({ optional, presence }: FieldModel): boolean {
  return presence === "nullable" || (optional && presence === undefined);
}
