import type { Diagnostics } from "../diagnostics.ts";
import type { FieldNumbers, TypeNumbers } from "./model.ts";

/** Parses `field-numbers.json`. A new version has no file and starts without numbers. Reports invalid content. */
export function readFieldNumbers(text: string | undefined, file: string, diagnostics: Diagnostics): FieldNumbers {
  if (text === undefined) return {};
  const fail = (problem: string): FieldNumbers => {
    diagnostics.report("field-numbers-broken", { file, line: 1, column: 1, text: "" }, { problem });
    return {};
  };
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) return fail("it is not a JSON object");
  const broken = Object.entries(read).find(([, numbers]) => !isTypeNumbers(numbers));
  return broken === undefined ? (read as FieldNumbers) : fail(`${broken[0]} has no valid \`fields\``);
}

function isTypeNumbers(value: unknown): value is TypeNumbers {
  if (typeof value !== "object" || value === null) return false;
  const { fields, offWire } = value as { readonly fields?: unknown; readonly offWire?: unknown };
  if (fields === undefined) return offWire === true;
  return typeof fields === "object" && fields !== null && Object.values(fields).every(Number.isInteger);
}

/** Serializes the numbers: types by name, one line for each of their parts, so that a diff shows what was added or reserved. */
export function writeFieldNumbers(numbers: FieldNumbers): string {
  const types = Object.keys(numbers)
    .sort()
    .map((name) => `  ${JSON.stringify(name)}: {\n${parts(numbers[name]!).join(",\n")}\n  }`);
  return types.length === 0 ? "{}\n" : `{\n${types.join(",\n")}\n}\n`;
}

function parts(numbers: TypeNumbers): string[] {
  return Object.entries(numbers).map(([key, value]) => `    ${JSON.stringify(key)}: ${spaced(value)}`);
}

/** Formats JSON on one line with spaces: `{ "name": 1, "other": 2 }`. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}: ${spaced(child)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
