import { goQuote } from "../quote.ts";
import { goTime } from "../time.ts";
import type { GoType } from "../types.ts";
import { type GoMember, type GoValue, isZeroValue, membersOf } from "../value.ts";
import { ellipsis, isNilText, line, NIL, type Side, type Text, type TextRecord, wrap } from "./text-tree.ts";

/** How a value is shown. */
export interface Style {
  /** Whether the value is printed once for both sides or for one side only; undefined if its parts may differ between the sides. */
  readonly mode: "both" | Side | undefined;
  /** Whether the name of the type is printed: always, never, or for composite values only. */
  readonly types: "always" | "never" | "composite";
  /** Level of detail. Decreases with each level of nesting; at 0 no parts are printed. */
  readonly detail: number;
}

/** String types with a String method, whose result go-cmp prints with the prefix `s`. */
const STRINGERS = new Set(["core.ResourceName"]);

export function formatValue(value: GoValue, style: Style): Text {
  const below: Style = { ...style, detail: style.detail - 1 };
  const most = ((1 << Math.max(0, style.detail)) >> 1) << 2;
  switch (value.kind) {
    case "scalar": {
      const { value: plain, type } = value;
      if (typeof plain !== "string") return withType(type, line(String(plain)), style);
      const text = formatText(plain, style.detail);
      return STRINGERS.has(type.name) ? line(`s${text}`) : withType(type, line(text), style);
    }
    case "special":
      if (value.type.name.endsWith("Time"))
        return line(`s${quoteText(goTime(value.value === undefined ? undefined : String(value.value)))}`);
      return formatStruct(value, most, below, style);
    case "struct":
      return formatStruct(value, most, below, style);
    case "list": {
      if (value.items === undefined) return withType(value.type, NIL, style);
      const records = value.items
        .slice(0, most)
        .map((item) => ({ value: formatValue(item, { ...below, types: "never" }) }));
      return withType(value.type, braces(records, value.items.length > most), style);
    }
    case "map": {
      if (value.entries === undefined) return withType(value.type, NIL, style);
      const records = value.entries.slice(0, most).map((entry) => ({
        key: formatKey(entry.key, value.type),
        value: formatValue(entry.value, { ...below, types: "never" }),
      }));
      return withType(value.type, braces(records, value.entries.length > most), style);
    }
    case "pointer":
      if (value.target === undefined) return withType(value.type, NIL, style);
      return formatOwnText(value.target, style) ?? wrap("&", formatValue(value.target, style));
  }
}

/** The result of the String method of types that have one on their pointer; undefined for other types. */
function formatOwnText(target: GoValue, { detail }: Style): Text | undefined {
  const { kind, type } = target;
  if (kind === "special" && !type.name.endsWith("Time"))
    return line(`s${formatText(String(target.value ?? 0), detail)}`);
  if (kind !== "struct") return undefined;
  if (type.name === "intstr.IntOrString") return line(`s${formatText(intOrStringText(target), detail)}`);
  if (type.name === "v1.LabelSelector") return line(`s${formatText(selectorText(target), detail)}`);
  // A struct with ObjectMeta embedded inherits its String method, which prints the metadata only.
  const metadata = target.fields.find(({ name }) => name === "ObjectMeta")?.value;
  if (metadata?.kind === "struct") return line(`s${formatText(metadataText(metadata), detail)}`);
  return undefined;
}

/** `&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}`. */
function selectorText({ fields }: Extract<GoValue, { kind: "struct" }>): string {
  const [labels, expressions] = fields.map(({ value }) => value);
  const plain = (value: GoValue | undefined): string => {
    if (value?.kind === "list") return `[${(value.items ?? []).map(plain).join(" ")}]`;
    return value?.kind === "scalar" ? String(value.value) : "";
  };
  const pairs = labels?.kind === "map" ? (labels.entries ?? []) : [];
  const requirements = expressions?.kind === "list" ? (expressions.items ?? []) : [];
  const labelTexts = pairs.map(({ key, value }) => `${key}: ${plain(value)},`);
  const requirementTexts = requirements.map((requirement) => {
    const members = requirement.kind === "struct" ? requirement.fields : [];
    return `LabelSelectorRequirement{${members.map(({ name, value }) => `${name}:${plain(value)},`).join("")}},`;
  });
  const labelText = `MatchLabels:map[string]string{${labelTexts.join("")}},`;
  return `&LabelSelector{${labelText}MatchExpressions:[]LabelSelectorRequirement{${requirementTexts.join("")}},}`;
}

function intOrStringText({ fields }: Extract<GoValue, { kind: "struct" }>): string {
  const [type, number, text] = fields.map(({ value }) => (value.kind === "scalar" ? value.value : ""));
  return String(type === 1 ? text : number);
}

/** The result of ObjectMeta's String method. */
function metadataText({ fields }: Extract<GoValue, { kind: "struct" }>): string {
  const shown = fields.map(({ name, value }) => `${name}:${plainText(value)},`);
  return `&ObjectMeta{${shown.join("")}}`;
}

/** A value as the generated String methods of API types print it. */
function plainText(value: GoValue): string {
  switch (value.kind) {
    case "scalar":
      return String(value.value);
    case "special":
      return goTime(value.value === undefined ? undefined : String(value.value));
    case "map":
      return `map[string]string{${(value.entries ?? []).map((entry) => `${entry.key}: ${plainText(entry.value)},`).join("")}}`;
    case "list": {
      const items = (value.items ?? []).map(plainText);
      const name = value.type.name.replace(/^\[\].*\./, "[]");
      return value.type.name === "[]string" ? `[${items.join(" ")}]` : `${name}{${items.join("")}}`;
    }
    case "pointer": {
      if (value.target !== undefined) return plainText(value.target);
      return value.type.name.endsWith("Time") ? "<nil>" : "nil";
    }
    case "struct":
      return `${value.type.name.replace(/^.*\./, "")}{${value.fields.map((field) => `${field.name}:${plainText(field.value)},`).join("")}}`;
  }
}

function formatStruct(
  value: Extract<GoValue, { kind: "struct" | "special" }>,
  most: number,
  below: Style,
  style: Style,
): Text {
  return withType(value.type, formatMembers(membersOf(value), most, { ...below, types: "composite" }), style);
}

/** Zero fields are omitted. */
function formatMembers(members: readonly GoMember[], most: number, style: Style): Text {
  const set = members.filter(({ value }) => !isZeroValue(value));
  const records = set.slice(0, most).map(({ name, value }) => ({ key: name, value: formatValue(value, style) }));
  return braces(records, set.length > most);
}

export function formatKey(key: string, map: GoType): string {
  const isStringer = map.kind === "map" && STRINGERS.has(map.key.name);
  return `${isStringer ? "s" : ""}${quoteText(key)}`;
}

function braces(records: readonly TextRecord[], isCut: boolean): Text {
  return wrap("{", { kind: "list", records: isCut ? [...records, ellipsis()] : records }, "}");
}

/** The text with the name of its type in front, if the style asks for it. */
export function withType(type: GoType, text: Text, { types, mode }: Style): Text {
  if (types === "never") return text;
  if (types === "composite") {
    const isComposite = type.kind !== "scalar" && type.kind !== "pointer";
    if (!isComposite || isNilText(text) || mode === "both") return text;
  }
  const name = type.kind === "pointer" ? `(${type.name})` : type.name;
  const hasBraces = text.kind === "wrap" && text.prefix.startsWith("{") && text.suffix.endsWith("}");
  return wrap(name, hasBraces ? text : wrap("(", text, ")"));
}

/** Quotes a string. Long strings are truncated: to 32 bytes at detail 0, doubled with each level of detail. */
function formatText(text: string, detail: number): string {
  const most = (1 << Math.max(0, detail)) << 5;
  const bytes = Buffer.from(text);
  return bytes.length > most + 3 ? `${quoteText(bytes.subarray(0, most).toString())}...` : quoteText(text);
}

/** Uses double quotes, or backquotes if double quotes would need escapes and backquotes are possible. */
export function quoteText(text: string): string {
  const quoted = goQuote(text);
  if (quoted.length === text.length + 2) return quoted;
  const isRaw = !text.includes("`") && !/[\n\p{C}\p{Zl}\p{Zp}]/u.test(text.replaceAll("\t", ""));
  return isRaw ? `\`${text}\`` : quoted;
}
