import type { Field, Markers, TypeDefinition, TypeExpr } from "../model/contract.ts";
import { describeType } from "../model/type-walk.ts";
import type { ApiChange, ChangeCode } from "./api-change.ts";

type Types = { readonly [name: string]: TypeDefinition };
type Report = (code: ChangeCode, where: string, text: string) => void;

/** What changed between two states of one module's types. */
export function compareTypes(module: string, before: Types, after: Types): ApiChange[] {
  const changes: ApiChange[] = [];
  const report: Report = (code, where, text) => void changes.push({ code, where: `${module} ${where}`, text, module });
  for (const [name, old] of Object.entries(before)) {
    const now = after[name];
    // A type that is gone shows in the fields that had it.
    if (now === undefined) continue;
    if ("fields" in old && "fields" in now) compareFields(name, old.fields, now.fields, report);
    else if (JSON.stringify(shapeOf(old)) !== JSON.stringify(shapeOf(now)))
      report("field-retyped", name, "has another type");
    compareMarkers(name, old, now, report);
  }
  for (const name of Object.keys(after)) if (before[name] === undefined) report("type-added", name, "is new");
  return changes;
}

function shapeOf(type: TypeDefinition): unknown {
  return "fields" in type ? "struct" : type.is;
}

function compareFields(type: string, before: readonly Field[], after: readonly Field[], report: Report): void {
  const now = new Map(after.map((field) => [keyOf(field), field]));
  const old = new Map(before.map((field) => [keyOf(field), field]));
  for (const [name, field] of old) {
    const where = `${type}.${name}`;
    const next = now.get(name);
    if (next === undefined) {
      report("field-removed", where, "was removed");
      continue;
    }
    if (!sameType(field.type, next.type))
      report("field-retyped", where, `was ${describeType(field.type)} and is ${describeType(next.type)}`);
    if (field.required !== true && next.required === true)
      report("field-required", where, "was optional and is required");
    if (field.required === true && next.required !== true)
      report("field-optional", where, "was required and is optional");
    if (field.number !== undefined && next.number !== undefined && field.number !== next.number)
      report("field-renumbered", where, `had number ${field.number} and has ${next.number}`);
    compareMarkers(where, field, next, report);
  }
  for (const [name, field] of now) {
    if (old.has(name)) continue;
    if (field.required === true) report("field-required", `${type}.${name}`, "is new and required");
    else report("field-added", `${type}.${name}`, `is new: ${describeType(field.type)}`);
  }
}

function keyOf({ name, type }: Field): string {
  return name === "" ? `(${describeType(type)})` : name;
}

function sameType(a: TypeExpr, b: TypeExpr): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Limits by the direction in which they tighten. */
const LOWER = ["minimum", "minLength", "minItems"] as const;
const UPPER = ["maximum", "maxLength", "maxItems", "maxProperties"] as const;
const FIXED = ["pattern", "format"] as const;

function compareMarkers(where: string, before: Markers, after: Markers, report: Report): void {
  const limit = (name: string, old: unknown, now: unknown, tighter: boolean): void => {
    if (old === now) return;
    const text = `${name} was ${old === undefined ? "none" : String(old)} and is ${now === undefined ? "none" : String(now)}`;
    report(tighter ? "validation-tightened" : "validation-loosened", where, text);
  };
  for (const name of LOWER)
    limit(name, before[name], after[name], (after[name] ?? -Infinity) > (before[name] ?? -Infinity));
  for (const name of UPPER)
    limit(name, before[name], after[name], (after[name] ?? Infinity) < (before[name] ?? Infinity));
  for (const name of FIXED) limit(name, before[name], after[name], after[name] !== undefined);
  limit("immutable", before.immutable, after.immutable, after.immutable === true);
  compareMerging(where, before, after, report);
  compareRules(where, before, after, report);
  compareEnums(where, before, after, report);
  if (JSON.stringify(before.default) !== JSON.stringify(after.default)) {
    const show = (value: unknown): string => (value === undefined ? "none" : JSON.stringify(value));
    report("default-changed", where, `default was ${show(before.default)} and is ${show(after.default)}`);
  }
}

/** How lists and maps merge, in apply and in strategic merge patches. */
const MERGING = ["listType", "listMapKeys", "mapType", "patchStrategy", "patchMergeKey"] as const;

function compareMerging(where: string, before: Markers, after: Markers, report: Report): void {
  const show = (value: string | readonly string[] | undefined): string =>
    value === undefined ? "none" : typeof value === "string" ? value : value.join(",");
  for (const name of MERGING) {
    const [old, now] = [show(before[name]), show(after[name])];
    if (old !== now) report("merge-changed", where, `${name} was ${old} and is ${now}`);
  }
}

function compareRules(where: string, before: Markers, after: Markers, report: Report): void {
  const old = new Set((before.rules ?? []).map(({ rule }) => rule));
  const now = new Set((after.rules ?? []).map(({ rule }) => rule));
  for (const rule of now) if (!old.has(rule)) report("validation-tightened", where, `has a new rule: ${rule}`);
  for (const rule of old) if (!now.has(rule)) report("validation-loosened", where, `lost a rule: ${rule}`);
}

function compareEnums(where: string, before: Markers, after: Markers, report: Report): void {
  if (before.closed !== true && after.closed === true)
    report("validation-tightened", where, "accepts only listed values");
  const [old, now] = [new Set(before.enum), new Set(after.enum)];
  if (before.enum !== undefined && after.enum !== undefined)
    for (const value of old) if (!now.has(value)) report("enum-dropped", where, `no longer knows ${value}`);
  for (const value of now)
    if (before.enum !== undefined && !old.has(value)) report("enum-added", where, `knows ${value}`);
}
