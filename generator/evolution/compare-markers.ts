import type { Markers } from "../model/contract.ts";
import type { ChangeCode } from "./api-change.ts";
import { limitChange, propertyChange } from "./wording.ts";

export type Report = (code: ChangeCode, where: string, text: string) => void;

/** Limits that become stricter when they are raised, and those that become stricter when they are lowered. */
const LOWER = ["minimum", "minLength", "minItems", "minProperties"] as const;
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
const FIXED = ["pattern", "format"] as const;
/** Markers that determine how apply and strategic merge patches merge lists and maps. */
const MERGING = ["listType", "listMapKeys", "mapType", "patchStrategy", "patchMergeKey"] as const;

/** Reports changes of the markers of a type or field. */
export function compareMarkers(where: string, before: Markers, after: Markers, report: Report): void {
  const tell = (code: Parameters<Report>[0], text: string | undefined): void => {
    if (text !== undefined) report(code, where, text);
  };
  const validation = (isTighter: boolean) => (isTighter ? "validation-tightened" : "validation-loosened");
  for (const name of LOWER)
    tell(
      validation((after[name] ?? -Infinity) > (before[name] ?? -Infinity)),
      limitChange(name, before[name], after[name]),
    );
  for (const name of UPPER)
    tell(
      validation((after[name] ?? Infinity) < (before[name] ?? Infinity)),
      limitChange(name, before[name], after[name]),
    );
  for (const name of FIXED)
    tell(validation(after[name] !== undefined), propertyChange(name, before[name], after[name]));
  tell(
    validation(after.schema !== undefined),
    propertyChange("schema", jsonText(before.schema), jsonText(after.schema)),
  );
  if ((before.immutable === true) !== (after.immutable === true))
    tell(validation(after.immutable === true), `became ${after.immutable === true ? "immutable" : "mutable"}`);
  for (const name of MERGING)
    tell("merge-changed", propertyChange(name, listText(before[name]), listText(after[name])));
  compareRules(where, before, after, report);
  compareEnums(where, before, after, report);
  tell("default-changed", propertyChange("default", jsonText(before.default), jsonText(after.default)));
  tell("field-noted", propertyChange("gate", before.gate, after.gate));
  if ((before.deprecated === undefined) !== (after.deprecated === undefined))
    tell("field-noted", after.deprecated === undefined ? "is no longer deprecated" : "became deprecated");
}

function listText(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === "string" ? value : value.join(",");
}

function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function compareRules(where: string, before: Markers, after: Markers, report: Report): void {
  const old = new Map((before.rules ?? []).map((rule) => [rule.rule, rule.message]));
  const now = new Map((after.rules ?? []).map((rule) => [rule.rule, rule.message]));
  for (const [rule, message] of now) {
    if (!old.has(rule)) report("validation-tightened", where, `has the new rule ${rule}`);
    else if (old.get(rule) !== message) {
      const said = propertyChange("message", jsonText(old.get(rule)), jsonText(message));
      report("field-noted", where, `${said} of the rule ${rule}`);
    }
  }
  for (const rule of old.keys())
    if (!now.has(rule)) report("validation-loosened", where, `no longer has the rule ${rule}`);
}

function compareEnums(where: string, before: Markers, after: Markers, report: Report): void {
  const values = ({ enum: known = [] }: Markers): string => known.join(", ");
  if (before.closed !== true && after.closed === true)
    report("validation-tightened", where, `now accepts only ${values(after)}`);
  if (before.closed === true && after.closed !== true)
    report("validation-loosened", where, `now accepts other values than ${values(before)}`);
  if (before.enum === undefined || after.enum === undefined) return;
  const [old, now] = [new Set(before.enum), new Set(after.enum)];
  for (const value of old) if (!now.has(value)) report("enum-dropped", where, `no longer allows the value ${value}`);
  for (const value of now) if (!old.has(value)) report("enum-added", where, `now allows the value ${value}`);
}
