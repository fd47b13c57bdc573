import { compareUtf8 } from "../lib/compare-utf8.ts";
import { type GoQuantity, goQuantityText, readGoQuantity } from "./quantity.ts";
import { goQuote } from "./quote.ts";
import { asGiven, isNotGiven } from "./source-notes.ts";
import { goDate } from "./time.ts";
import type { GoType } from "./types.ts";

/** A value of a Go type, read from JSON. Absent members have the value that they have in Go. */
export type GoValue =
  | { readonly kind: "scalar"; readonly type: GoType; readonly value: string | number | bigint | boolean }
  | {
      readonly kind: "special";
      readonly type: GoType;
      readonly value: string | number | undefined;
      readonly quantity?: GoQuantity;
    }
  | { readonly kind: "list"; readonly type: GoType; readonly items: readonly GoValue[] | undefined }
  | { readonly kind: "map"; readonly type: GoType; readonly entries: readonly GoEntry[] | undefined }
  | { readonly kind: "pointer"; readonly type: GoType; readonly target: GoValue | undefined }
  | { readonly kind: "struct"; readonly type: GoType; readonly fields: readonly GoMember[] };

export interface GoEntry {
  readonly key: string;
  readonly value: GoValue;
}

export interface GoMember {
  readonly name: string;
  readonly value: GoValue;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a value from JSON. `holder` is the object that contains `json` at `key`, unless it is a list. */
export function readGoValue(type: GoType, json: unknown, holder: JsonObject = {}, key = ""): GoValue {
  const value = json ?? undefined;
  switch (type.kind) {
    case "scalar":
      return { kind: "scalar", type, value: (value as string | undefined) ?? type.zero };
    case "special":
      return readSpecial(type, value as string | number | undefined, holder, key);
    case "list":
      return {
        kind: "list",
        type,
        items: (value as unknown[] | undefined)?.map((item) => readGoValue(type.item, item)),
      };
    case "map": {
      const map = (value ?? {}) as JsonObject;
      const keys = value === undefined ? undefined : Object.keys(map).sort(compareUtf8);
      const entries = keys?.map((key) => ({ key, value: readGoValue(type.value, map[key], map, key) }));
      return { kind: "map", type, entries };
    }
    case "pointer": {
      const isNil = value === undefined && !type.isAlways;
      return { kind: "pointer", type, target: isNil ? undefined : readGoValue(type.to, value, holder, key) };
    }
    case "struct": {
      const object = (value ?? {}) as JsonObject;
      const fields = type.fields().map(({ name, type: fieldType, source }) => {
        if (source.from === "embedded") return { name, value: readGoValue(fieldType, object, holder) };
        const container = source.from === "holder" ? holder : object;
        const given = isNotGiven(container, source.key) ? undefined : asGiven(container, source.key);
        return { name, value: readGoValue(fieldType, given, object, source.key) };
      });
      return { kind: "struct", type, fields };
    }
  }
}

function readSpecial(
  type: Extract<GoType, { kind: "special" }>,
  value: string | number | undefined,
  holder: JsonObject,
  key: string,
): GoValue {
  if (type.name === "intstr.IntOrString") return intOrString(value ?? 0);
  if (type.name !== "resource.Quantity") return { kind: "special", type, value };
  const quantity = readGoQuantity(holder, key, value === undefined ? undefined : String(value));
  return { kind: "special", type, value, quantity };
}

const INT_OR_STRING: GoType = { kind: "struct", name: "intstr.IntOrString", fields: () => [] };

/** Creates an IntOrString: a struct in Go, with a field for the number and one for the string. */
function intOrString(value: string | number): GoValue {
  const isText = typeof value === "string";
  const fields = [
    member("Type", "intstr.Type", isText ? 1 : 0),
    member("IntVal", "int32", isText ? 0 : value),
    member("StrVal", "string", isText ? value : ""),
  ];
  return { kind: "struct", type: INT_OR_STRING, fields };
}

/** Formats a value like Go's `%#v`. Addresses of pointers are invented. */
export function goValueText(value: GoValue): string {
  const { name } = value.type;
  switch (value.kind) {
    case "scalar":
      return typeof value.value === "string" ? goQuote(value.value) : String(value.value);
    case "special":
      return value.quantity === undefined ? goDate(value.value, "Local") : goQuantityText(value.quantity);
    case "list":
      return value.items === undefined ? `${name}(nil)` : `${name}{${value.items.map(goValueText).join(", ")}}`;
    case "map": {
      const entries = value.entries?.map((entry) => `${goQuote(entry.key)}:${goValueText(entry.value)}`);
      return entries === undefined ? `${name}(nil)` : `${name}{${entries.join(", ")}}`;
    }
    case "pointer":
      // Times have their own notation, also behind a pointer.
      if (value.type.kind === "pointer" && isTime(value.type.to.name))
        return value.target === undefined ? "<nil>" : goValueText(value.target);
      return `(${name})(${value.target === undefined ? "nil" : "0xc000000000"})`;
    case "struct":
      return `${name}{${value.fields.map((field) => `${field.name}:${goValueText(field.value)}`).join(", ")}}`;
  }
}

/** Whether a value is the zero value, which Go uses for unset fields. */
export function isZeroValue(value: GoValue): boolean {
  switch (value.kind) {
    case "scalar":
      return value.value === "" || value.value === 0 || value.value === false;
    case "special":
      return value.value === undefined;
    case "list":
      return value.items === undefined;
    case "map":
      return value.entries === undefined;
    case "pointer":
      return value.target === undefined;
    case "struct":
      return value.fields.every((field) => isZeroValue(field.value));
  }
}

/** Returns the fields of a struct, or of a value that JSON represents in a different form. */
export function membersOf(value: Extract<GoValue, { kind: "struct" | "special" }>): readonly GoMember[] {
  if (value.kind === "struct") return value.fields;
  if (value.value === undefined) return [];
  if (value.quantity !== undefined) {
    const { value: number, scale, text, format } = value.quantity;
    const amount = [member("value", "int64", Number(number)), member("scale", "resource.Scale", scale)];
    const amountType = { kind: "struct", name: "resource.int64Amount", fields: () => [] } as const;
    return [
      { name: "i", value: { kind: "struct", type: amountType, fields: amount } },
      member("s", "string", text),
      member("Format", "resource.Format", format),
    ];
  }
  return [];
}

function member(name: string, type: string, value: string | number): GoMember {
  const zero = typeof value === "string" ? "" : 0;
  return { name, value: { kind: "scalar", type: { kind: "scalar", name: type, zero, isNamed: true }, value } };
}

function isTime(name: string): boolean {
  return name === "v1.Time" || name === "v1.MicroTime";
}
