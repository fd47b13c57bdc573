import { splitEntries } from "../../runtime/lib/split-entries.ts";
import { compareShapes, unrenamed } from "../emitters/converters/compare-shapes.ts";
import { conversionRows } from "../emitters/converters/emit-converters.ts";
import { kindName } from "../evolution/compare-kinds.ts";
import { placeOf } from "../model/build-groups.ts";
import { hubOf } from "../model/hub.ts";
import { describeType, typeAt } from "../model/type-walk.ts";
import type { CheckContext } from "./check-context.ts";

/** Maximum number of differing fields that a message names. */
const SHOWN = 8;

/** Checks that declared renames name fields of both versions, and that versions of different shapes declare a conversion. */
export function checkConversions(context: CheckContext): void {
  const { model, diagnostics } = context;
  checkTargets(context);
  for (const group of model.ownGroups) {
    for (const { from, to, rename, at, declaration } of group.conversions) {
      for (const [old, hub] of Object.entries(rename)) {
        const place = placeOf(declaration, `rename.${old}`, at);
        if (typeAt(model, from, old) === undefined)
          diagnostics.report("conversion-unknown", place, { path: old, type: from });
        if (typeAt(model, to, hub) === undefined)
          diagnostics.report("conversion-unknown", place, { path: hub, type: to });
        const misplaced = problemOfEntries(old, hub, rename);
        if (misplaced !== undefined)
          diagnostics.report("conversion-type", place, { from: old, type: from, to: hub, hub: to, problem: misplaced });
        const [mine, theirs] = [typeAt(model, from, old), typeAt(model, to, hub)];
        if (mine === undefined || theirs === undefined) continue;
        const [difference] = unrenamed(compareShapes(model, mine, theirs), old, hub, rename);
        if (difference === undefined) continue;
        const [one, other] = [describeType(mine), describeType(theirs)];
        const problem = difference === "" ? `one is ${one}, the other ${other}` : `they differ at ${difference}`;
        diagnostics.report("conversion-type", place, { from: old, type: from, to: hub, hub: to, problem });
      }
    }
  }
  const kinds = [...model.modules.values()].flatMap((module) => module.kinds);
  for (const { from, hub, how } of conversionRows(model)) {
    const [kind, stored] = [from, hub].map((type) => kinds.find((one) => one.type === type && !one.unserved));
    if (how !== "missing" || kind === undefined || stored === undefined) continue;
    const paths = compareShapes(model, from, hub);
    const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
    diagnostics.report("conversion-missing", kind.at, {
      where: kindName(kind),
      hub: stored.group === kind.group ? stored.version : kindName(stored),
      paths: `${paths.slice(0, SHOWN).join(", ")}${more}`,
      file: `${kind.file.split("/").slice(0, 2).join("/")}/conversions.ts`,
    });
  }
}

/** Fields of the entries of a list or map stay in the same entries; the list or map itself may be renamed. */
function problemOfEntries(from: string, to: string, rename: { readonly [from: string]: string }): string | undefined {
  if (/\[[^\]]/.test(from + to) || /\[\]$/.test(from) || /\[\]$/.test(to))
    return "only whole lists and maps can be renamed, or fields of all entries (`parts[].name`)";
  const [inside, outside] = [entriesOf(from), entriesOf(to)];
  if (inside === outside) return undefined;
  if (inside === undefined || outside === undefined) return "one is a field of entries, the other is not";
  if (rename[inside] === outside) return undefined;
  const inner = inside.includes("[]") && outside.includes("[]") ? problemOfEntries(inside, outside, rename) : "";
  const isKept = inner === undefined && splitEntries(inside).field === splitEntries(outside).field;
  return isKept ? undefined : `${inside} is not ${outside}: rename it as well, or name fields of the same entries`;
}

/** The list or map whose entries have the field: `spec.parts` for `spec.parts[].name`. */
function entriesOf(path: string): string | undefined {
  const { entries } = splitEntries(path);
  return entries === "" ? undefined : entries.slice(0, -2);
}

/** Checks that each conversion is from a version of a kind to its stored version. Any other would be called with objects of other types, or never. */
function checkTargets({ model, diagnostics }: CheckContext): void {
  const kinds = new Map([...model.modules.values()].flatMap((module) => module.kinds).map((kind) => [kind.type, kind]));
  for (const group of model.ownGroups) {
    const seen = new Set<string>();
    for (const { from, to, at } of group.conversions) {
      const kind = kinds.get(from);
      const hub = kind && hubOf(model, kind);
      const problem =
        hub === undefined
          ? "is not one of a kind, but of a type"
          : seen.has(from)
            ? "is declared twice"
            : hub.type === from
              ? "has no effect: objects are stored in this version"
              : hub.type === to
                ? undefined
                : `leads to ${to}, but objects are stored as ${hub.type}`;
      seen.add(from);
      const expected = "one conversion of each version to the stored one: conversion<Kind, StoredKind>({ … })";
      if (problem !== undefined) diagnostics.report("conversion-target", at, { from, problem, expected });
    }
  }
}
