import { append } from "../../lib/append.ts";
import type { GoType } from "../types.ts";
import { type GoValue, isZeroValue } from "../value.ts";
import { type Comparison, compareValues, type Part } from "./compare-values.ts";
import { formatKey, formatValue, type Style, withType } from "./format-value.ts";
import { formatTextDifference, isLongText } from "./text-difference.ts";
import { ellipsis, renderText, type Side, type Text, type TextRecord, wrap } from "./text-tree.ts";

const CONTEXT = 2;
/** Level of detail for equal values, and for differing ones. */
const DETAIL = { both: 1, differing: 3 };
const MOST_DIFFERENCES = 16;
const MOST_PARTS = { both: 4, differing: 16 };

/**
 * The difference between two values in the notation of go-cmp's `cmp.Diff`, which Kubernetes appends to some of its messages. Empty if
 * they are equal.
 */
export function goDiff(old: GoValue, next: GoValue): string {
  const comparison = compareValues(old, next);
  if (comparison.different === 0) return "";
  return renderText(formatComparison(comparison, { mode: undefined, types: "always", detail: DETAIL.differing }));
}

function formatComparison(comparison: Comparison, asked: Style): Text {
  const style = { ...asked, detail: asked.mode === "both" ? DETAIL.both : DETAIL.differing };
  const { type, depth, parts } = comparison;
  const texts = style.mode === undefined ? longTexts(comparison) : undefined;
  if (texts !== undefined) {
    const text = formatTextDifference(...texts);
    return type.kind === "scalar" && type.isNamed ? withType(type, text, style) : text;
  }
  if (depth === 0) return formatLeaf(comparison, style);
  if (type.kind === "pointer") return wrap("&", formatComparison(parts[0]!.comparison, style));
  const below: Style = { ...style, types: type.kind === "struct" ? "composite" : "never" };
  const records = style.mode === undefined ? differingRecords(comparison, below) : shownRecords(comparison, below);
  return withType(type, wrap("{", { kind: "list", records }, "}"), style);
}

/** The two strings, if they differ and are long enough that the difference within them is shown. */
function longTexts({ x, y, different }: Comparison): [string, string] | undefined {
  if (different === 0 || x?.kind !== "scalar" || y?.kind !== "scalar") return undefined;
  const [before, after] = [x.value, y.value];
  if (typeof before !== "string" || typeof after !== "string" || !isLongText(before, after)) return undefined;
  return [before, after];
}

function formatLeaf({ type, x, y, different }: Comparison, style: Style): Text {
  if (style.mode === "-" && x !== undefined) return formatValue(x, style);
  if (style.mode === "+" && y !== undefined) return formatValue(y, style);
  if (different === 0) return shorter(x, y, style);
  const sides = [
    ["-", x],
    ["+", y],
  ] as const;
  const records = sides.flatMap(([side, value]): TextRecord[] =>
    value === undefined ? [] : [{ side, value: formatValue(value, { ...style, types: "never" }) }],
  );
  return withType(type, { kind: "list", records }, { ...style, types: "always" });
}

/** Of two values that count as equal, the one with the shorter output. */
function shorter(x: GoValue | undefined, y: GoValue | undefined, style: Style): Text {
  if (x === undefined || y === undefined) return formatValue((x ?? y)!, style);
  const [before, after] = [formatValue(x, style), formatValue(y, style)];
  return renderText(before).length < renderText(after).length ? before : after;
}

/** The parts of one side, or of both if they are equal. Zero fields of a struct are omitted. */
function shownRecords({ type, parts }: Comparison, style: Style): TextRecord[] {
  const most = style.mode === "both" ? MOST_PARTS.both : MOST_PARTS.differing;
  const isShown = ({ comparison: { x, y } }: Part) => {
    const values = style.mode === "-" ? [x] : style.mode === "+" ? [y] : [x, y];
    if (values.some((value) => value === undefined)) return false;
    return type.kind !== "struct" || !values.some((value) => isZeroValue(value!));
  };
  const records: TextRecord[] = [];
  for (const part of parts) {
    // As in go-cmp, even if only zero fields follow.
    if (records.length === most) return [...records, ellipsis()];
    if (isShown(part)) records.push(record(type, part, style));
  }
  return records;
}

function record(type: GoType, { key, comparison }: Part, style: Style, side: Side = ""): TextRecord {
  return { side, key: type.kind === "map" ? formatKey(key, type) : key, value: formatComparison(comparison, style) };
}

/** The parts that differ, each with up to `CONTEXT` equal parts before and after it. */
function differingRecords({ type, parts }: Comparison, style: Style): TextRecord[] {
  const records: TextRecord[] = [];
  const groups = groupByDifference(parts);
  const rest: Part[] = [];
  let differences = 0;
  for (const [index, group] of groups.entries()) {
    if (differences >= MOST_DIFFERENCES) append(rest, group);
    else if (group[0]!.comparison.different > 0) {
      append(
        records,
        group.flatMap((part) => changedRecords(type, part, style)),
      );
      differences += group.length;
    } else append(records, sameRecords(type, group, index > 0, index < groups.length - 1, style));
  }
  if (rest.length > 0) records.push(ellipsis(summary(type, rest)));
  return records;
}

function groupByDifference(parts: readonly Part[]): Part[][] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    const isDifferent = part.comparison.different > 0;
    if (last !== undefined && last[0]!.comparison.different > 0 === isDifferent) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

function changedRecords(type: GoType, part: Part, style: Style): TextRecord[] {
  const { x, y, below, depth } = part.comparison;
  if (longTexts(part.comparison) !== undefined) return [record(type, part, style)];
  // If no level below has more than one part, the whole value is shown twice: removed and inserted.
  if (below !== depth) return [record(type, part, style)];
  return [
    ...(x === undefined ? [] : [record(type, part, { ...style, mode: "-" }, "-")]),
    ...(y === undefined ? [] : [record(type, part, { ...style, mode: "+" }, "+")]),
  ];
}

function sameRecords(
  type: GoType,
  group: readonly Part[],
  hasBefore: boolean,
  hasAfter: boolean,
  style: Style,
): TextRecord[] {
  const low = hasBefore ? Math.min(CONTEXT, group.length) : 0;
  let high = hasAfter ? Math.min(CONTEXT, group.length - low) : 0;
  if (group.length - low - high === 1) high++;
  const show = (part: Part) => record(type, part, { ...style, mode: "both" });
  const hidden = group.slice(low, group.length - high);
  return [
    ...group.slice(0, low).map(show),
    ...(hidden.length === 0 ? [] : [ellipsis(summary(type, hidden))]),
    ...group.slice(group.length - high).map(show),
  ];
}

/** Counts of the omitted parts, such as `9 identical fields`. */
function summary(type: GoType, parts: readonly Part[]): string {
  const counts = { identical: 0, removed: 0, inserted: 0, modified: 0 };
  for (const { comparison } of parts) {
    if (comparison.different === 0) counts.identical++;
    else if (comparison.y === undefined) counts.removed++;
    else if (comparison.x === undefined) counts.inserted++;
    else counts.modified++;
  }
  const said = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  const list = said.length > 2 ? `${said.slice(0, -1).join(", ")}, and ${said.at(-1)}` : said.join(" and ");
  return `${list} ${noun(type, parts.length)}`;
}

function noun({ kind }: GoType, count: number): string {
  if (kind === "map") return count > 1 ? "entries" : "entry";
  return `${kind === "struct" ? "field" : "element"}${count > 1 ? "s" : ""}`;
}
