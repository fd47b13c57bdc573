import type { FieldNumbers, TypeNumbers } from "./model.ts";

/** Parses `field-numbers.json`; a version that has none yet starts with nothing. */
export function readFieldNumbers(text: string | undefined): FieldNumbers {
  if (text === undefined) return {};
  return JSON.parse(text) as { [type: string]: TypeNumbers };
}

/** Writes it back: types by name, one line for each of their parts, so that a diff shows what was added or reserved. */
export function writeFieldNumbers(numbers: FieldNumbers): string {
  const types = Object.keys(numbers)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: {\n${parts(numbers[name]!).join(",\n")}\n  }`);
  return types.length === 0 ? "{}\n" : `{\n${types.join(",\n")}\n}\n`;
}

function parts(numbers: TypeNumbers): string[] {
  return Object.entries(numbers).map(([key, value]) => `    ${JSON.stringify(key)}: ${spaced(value)}`);
}

/** JSON on one line with air in it: `{ "name": 1, "other": 2 }`. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${spaced(child)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
