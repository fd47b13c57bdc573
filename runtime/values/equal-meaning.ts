import { isQuantity } from "../go/source-notes.ts";
import { equalJson } from "../lib/equal-json.ts";
import { isJsonObject } from "../lib/json-object.ts";
import { compareQuantities, parseQuantity } from "./quantity.ts";

/**
 * Whether two parts of objects have the same meaning to Kubernetes. Like `equalJson`, but quantities are compared by value, regardless of
 * notation (`1Gi` equals `1073741824`). One side must be as it was decoded from a request, or a copy that carries its notes.
 */
export function equalMeaning(a: unknown, b: unknown): boolean {
  if (equalJson(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => equalMeaning(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => {
    const [one, other] = [a[key], b[key]];
    if (typeof one === "string" && typeof other === "string")
      return one === other || ((isQuantity(a, key) || isQuantity(b, key)) && equalQuantities(one, other));
    return equalMeaning(one, other);
  });
}

function equalQuantities(one: string, other: string): boolean {
  try {
    return compareQuantities(parseQuantity(one), parseQuantity(other)) === 0;
  } catch {
    return false;
  }
}
