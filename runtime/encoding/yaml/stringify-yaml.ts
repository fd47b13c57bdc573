import { compareNaturally } from "./compare-naturally.ts";
import { isSimpleKey, printKey, printScalar } from "./print-scalar.ts";

type Members = { readonly [key: string]: unknown };

/** YAML as the API server prints it: keys sorted, lists not indented under their key, quotes only where needed. */
export function stringifyYaml(value: unknown): string {
  const printer = new Printer();
  printer.node(value, 0);
  return printer.text;
}

/** Adds to one text. Joining the texts of parts at every level would copy what is deep inside once per level. */
class Printer {
  text = "";

  /** A value on a line that is begun as far as `indent`. Ends with a line break. */
  node(value: unknown, indent: number): void {
    if (isFullList(value)) this.#list(value, indent);
    else if (isFullMap(value)) this.#map(value, indent);
    else this.text += isSmallInteger(value) ? `${value}\n` : printScalar(value, indent, indent);
  }

  #list(list: readonly unknown[], indent: number): void {
    const start = indentation(indent);
    for (let i = 0; i < list.length; i++) {
      this.text += i === 0 ? "- " : `${start}- `;
      this.node(list[i], indent + 2);
    }
  }

  #map(map: Members, indent: number): void {
    const start = indentation(indent);
    const keys = Object.keys(map).filter((key) => map[key] !== undefined);
    keys.sort(compareNaturally);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (i > 0) this.text += start;
      this.#member(key, map[key], indent, start);
    }
  }

  #member(key: string, value: unknown, indent: number, start: string): void {
    if (!isSimpleKey(key)) {
      this.text += `? ${printScalar(key, indent + 2, indent + 2)}${start}: `;
      this.node(value, indent + 2);
      return;
    }
    const name = `${printKey(key)}:`;
    if (isFullList(value)) {
      this.text += `${name}\n${start}`;
      this.#list(value, indent);
    } else if (isFullMap(value)) {
      this.text += `${name}\n${start}  `;
      this.#map(value, indent + 2);
    } else {
      this.text += `${name} ${printScalar(value, indent + [...name].length + 1, indent + 2)}`;
    }
  }
}

/** What every notation prints alike. */
function isSmallInteger(value: unknown): boolean {
  return typeof value === "number" && (value | 0) === value && !Object.is(value, -0);
}

const SPACES: string[] = [];

function indentation(columns: number): string {
  return (SPACES[columns] ??= " ".repeat(columns));
}

function isFullList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

/** Numbers may be objects that remember how they were written. */
function isFullMap(value: unknown): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Number) return false;
  return Object.values(value).some((member) => member !== undefined);
}
