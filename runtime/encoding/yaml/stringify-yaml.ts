import { compareNaturally } from "./compare-naturally.ts";
import { isSimpleKey, printKey, printScalar } from "./print-scalar.ts";

type Members = { readonly [key: string]: unknown };

/** YAML as the API server prints it: keys sorted, lists not indented under their key, quotes only where needed. */
export function stringifyYaml(value: unknown): string {
  return printNode(value, 0);
}

/** A value on a line that is begun as far as `indent`. Ends with a line break. */
function printNode(value: unknown, indent: number): string {
  if (isFullList(value)) return printList(value, indent);
  return isFullMap(value) ? printMap(value, indent) : printScalar(value, indent, indent);
}

function printList(list: readonly unknown[], indent: number): string {
  return list.map((item) => `- ${printNode(item, indent + 2)}`).join(" ".repeat(indent));
}

function printMap(map: Members, indent: number): string {
  const keys = Object.keys(map).filter((key) => map[key] !== undefined);
  return keys
    .sort(compareNaturally)
    .map((key) => printMember(key, map[key], indent))
    .join(" ".repeat(indent));
}

function printMember(key: string, value: unknown, indent: number): string {
  const start = " ".repeat(indent);
  if (!isSimpleKey(key))
    return `? ${printScalar(key, indent + 2, indent + 2)}${start}: ${printNode(value, indent + 2)}`;
  const name = `${printKey(key)}:`;
  if (isFullList(value)) return `${name}\n${start}${printList(value, indent)}`;
  if (isFullMap(value)) return `${name}\n${start}  ${printMap(value, indent + 2)}`;
  return `${name} ${printScalar(value, indent + [...name].length + 1, indent + 2)}`;
}

function isFullList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/** Numbers may be objects that remember how they were written. */
function isFullMap(value: unknown): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Number) return false;
  return Object.values(value).some((member) => member !== undefined);
}
