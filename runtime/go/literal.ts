import type { LabelSelectorObject } from "../contract/selector.ts";
import { compareUtf8 } from "../lib/compare-utf8.ts";
import { goQuantityText, printed, readGoQuantity } from "./quantity.ts";
import { goQuote } from "./quote.ts";
import { asGiven } from "./source-notes.ts";
import { Verbatim } from "./verbatim.ts";

/**
 * Prints a struct like Go's `%#v`, the notation of Kubernetes' messages for values that are neither strings nor numbers. Members are given as Go
 * text. `value.ts` prints whole structs by their types.
 */
export function goStruct(type: string, members: Readonly<Record<string, string>>): string {
  const shown = Object.entries(members).map(([name, value]) => `${name}:${value}`);
  return `${type}{${shown.join(", ")}}`;
}

export function goList(type: string, items: readonly string[] | undefined | null): string {
  return items === undefined || items === null ? `[]${type}(nil)` : `[]${type}{${items.join(", ")}}`;
}

export function goText(value: string | undefined): string {
  return goQuote(value ?? "");
}

export function goTexts(texts: readonly string[] | undefined | null): string {
  return goList("string", texts?.map(goQuote));
}

export function goTextMap(map: Readonly<Record<string, string>> | undefined | null): string {
  if (map === undefined || map === null) return "map[string]string(nil)";
  const members = Object.keys(map).sort(compareUtf8);
  return `map[string]string{${members.map((key) => `${goQuote(key)}:${goText(map[key])}`).join(", ")}}`;
}

export function goIntOrString(value: number | string): string {
  const isText = typeof value === "string";
  return goStruct("intstr.IntOrString", {
    Type: isText ? "1" : "0",
    IntVal: isText ? "0" : String(value),
    StrVal: isText ? goQuote(value) : '""',
  });
}

export function goLabelSelector(selector: LabelSelectorObject): string {
  const requirements = asGiven(selector, "matchExpressions")?.map((requirement) =>
    goStruct("v1.LabelSelectorRequirement", {
      Key: goText(requirement.key),
      Operator: goText(requirement.operator),
      Values: goTexts(asGiven(requirement, "values")),
    }),
  );
  return goStruct("v1.LabelSelector", {
    MatchLabels: goTextMap(asGiven(selector, "matchLabels")),
    MatchExpressions: goList("v1.LabelSelectorRequirement", requirements),
  });
}

/** Prints the quantity at `key` of `holder`, in its original form. */
export function goQuantity<K extends string>(holder: { readonly [k in K]?: string }, key: K): string {
  return goQuantityText(readGoQuantity(holder, key, holder[key]));
}

/** Prints a quantity that Go has already printed once, and whose text it therefore knows. */
export function goPrintedQuantity<K extends string>(holder: { readonly [k in K]?: string }, key: K): string {
  const text = holder[key] ?? "0";
  return goQuantityText(printed(readGoQuantity(holder, key, text), text));
}

/** Returns a value that field errors show as this text. */
export function shown(text: string): Verbatim {
  return new Verbatim(text);
}
