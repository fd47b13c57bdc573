import type { TypeExpr } from "../../model/contract.ts";
import type { Model } from "../../model/model.ts";
import { isRef, jsonFields, structOf, unalias } from "../../model/type-walk.ts";

/** Paths at which two types differ in JSON: a field one lacks, or fields of different types. Empty when converting is free. */
export function compareShapes(model: Model, from: TypeExpr, to: TypeExpr): string[] {
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
    const mine = new Map(jsonFields(model, a).map((field) => [field.name, field.type]));
    const theirs = new Map(jsonFields(model, b).map((field) => [field.name, field.type]));
    for (const [name, type] of mine) {
      const other = theirs.get(name);
      const at = path === "" ? name : `${path}.${name}`;
      if (other === undefined) differences.push(at);
      else compare(type, other, at);
    }
    for (const name of theirs.keys()) if (!mine.has(name)) differences.push(path === "" ? name : `${path}.${name}`);
  }

  compare(from, to, "");
  return differences;
}
