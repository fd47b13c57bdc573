import { goQuote } from "../quote.ts";
import { quoteText } from "./format-value.ts";
import { cutIntoRuns, type Run } from "./text-runs.ts";
import { ellipsis, line, type Side, type Text, type TextRecord, wrap } from "./text-tree.ts";

/** If both strings have at least this many bytes, the difference within them is shown. */
const LONG = 32;
const BYTES_IN_A_ROW = 64;
const CONTEXT_ROWS = 2;
const MOST_ROWS = 32;
/** Strings with at least this many line breaks in total may be compared line by line, unless a line is too long. */
const MANY_LINES = 4;
const LONG_LINE = 1024;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\s]*$/u;
const PRINTABLE_LINE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \t]*$/u;

export function isLongText(x: string, y: string): boolean {
  return Buffer.byteLength(x) >= LONG && Buffer.byteLength(y) >= LONG;
}

/** The difference between two long strings: by lines, between triple quotes if the lines can be printed raw; otherwise by bytes. */
export function formatTextDifference(x: string, y: string): Text {
  if (!isLined(x, y)) return joined(rows(byteRuns(x, y), BYTES_IN_A_ROW, "byte", quoteBytes), "");
  const runs = cutIntoRuns(x.split("\n"), y.split("\n"), 0);
  const records = rows(runs, 1, "line", ([text = ""]) => text);
  return isPlain(records) ? tripleQuoted(records) : joined(records.map(quoted), "\n");
}

function isLined(x: string, y: string): boolean {
  const both = x + y;
  const lines = both.split("\n");
  const longest = lines.slice(0, -1).reduce((most, text) => Math.max(most, Buffer.byteLength(text)), 0);
  if (!PRINTABLE.test(both) || lines.length - 1 < MANY_LINES || longest > LONG_LINE) return false;
  if (Buffer.byteLength(goQuote(both)) / Buffer.byteLength(both) > 1.1) return true;
  const byLines = effort(cutIntoRuns(x.split("\n"), y.split("\n"), 0));
  return byLines < 4 * effort(cutIntoRuns([...Buffer.from(x)], [...Buffer.from(y)], 0));
}

/** The fraction of edit steps that are removals or insertions. */
function effort(runs: readonly Run<unknown>[]): number {
  let [changes, steps] = [0, 0];
  for (const { same, xs, ys } of runs) {
    const count = same ? xs.length : xs.length + ys.length;
    steps += count;
    if (!same) changes += count;
  }
  return changes / Math.max(steps, 1);
}

function byteRuns(x: string, y: string): Run<number>[] {
  return cutIntoRuns([...Buffer.from(x)], [...Buffer.from(y)], BYTES_IN_A_ROW / 4);
}

function quoteBytes(bytes: readonly number[]): string {
  return quoteText(Buffer.from(bytes).toString("utf8"));
}

function rows<T>(
  runs: readonly Run<T>[],
  size: number,
  name: string,
  show: (items: readonly T[]) => string,
): TextRecord[] {
  const records: TextRecord[] = [];
  let changed = 0;
  const add = (items: readonly T[], side: Side) => {
    for (let at = 0; at < items.length; at += size)
      records.push({ side, value: line(show(items.slice(at, at + size))) });
  };
  const leaveOut = (left: readonly Run<T>[]) => records.push(ellipsis(summary(left, name)));
  for (const [index, run] of runs.entries()) {
    if (changed >= MOST_ROWS) {
      leaveOut(runs.slice(index));
      break;
    }
    const { same, xs, ys } = run;
    if (!same) {
      const before = records.length;
      add(xs, "-");
      add(ys, "+");
      changed += records.length - before;
      continue;
    }
    const low = index === 0 ? 0 : Math.min(size * CONTEXT_ROWS, xs.length);
    let high = index === runs.length - 1 ? 0 : Math.min(size * CONTEXT_ROWS, xs.length - low);
    if (xs.length - low - high <= size) high = xs.length - low;
    add(xs.slice(0, low), "");
    const hidden = xs.slice(low, xs.length - high);
    if (hidden.length > 0) leaveOut([{ same: true, xs: hidden, ys: hidden }]);
    add(xs.slice(xs.length - high), "");
  }
  return records;
}

/** Counts of the omitted items, such as `12 identical bytes`. */
function summary(runs: readonly Run<unknown>[], name: string): string {
  const counts = { identical: 0, removed: 0, inserted: 0 };
  for (const { same, xs, ys } of runs) {
    if (same) counts.identical += xs.length;
    else {
      counts.removed += xs.length;
      counts.inserted += ys.length;
    }
  }
  const said = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`]));
  const list = said.length > 2 ? `${said.slice(0, -1).join(", ")}, and ${said.at(-1)}` : said.join(" and ");
  const total = counts.identical + counts.removed + counts.inserted;
  return `${list} ${name}${total > 1 ? "s" : ""}`;
}

function joined(records: readonly TextRecord[], delimiter: string): Text {
  return wrap("strings.Join(", wrap("{", { kind: "list", records }, "}"), `, ${goQuote(delimiter)})`);
}

function quoted(record: TextRecord): TextRecord {
  return record.isEllipsis ? record : { ...record, value: line(quoteText(textOf(record))) };
}

function textOf({ value }: TextRecord): string {
  return value.kind === "line" ? value.text : "";
}

/**
 * Whether lines can be printed without quotes: all are printable, none begins like a delimiter or an ellipsis, and no removed line
 * differs from an inserted line of the same change in white space only.
 */
function isPlain(records: readonly TextRecord[]): boolean {
  const told: Record<"-" | "+", Set<string>> = { "-": new Set(), "+": new Set() };
  for (const record of records) {
    const { side = "" } = record;
    if (side === "") for (const seen of Object.values(told)) seen.clear();
    if (record.isEllipsis) continue;
    const text = textOf(record).replace(/^\r|\r$/g, "");
    if (text.startsWith('"""') || text.startsWith("...") || !PRINTABLE_LINE.test(text)) return false;
    if (side === "") continue;
    const bare = text.replace(/\s/gu, "");
    if (told[side === "-" ? "+" : "-"].has(bare)) return false;
    told[side].add(bare);
  }
  return true;
}

function tripleQuoted(records: readonly TextRecord[]): Text {
  const mark: TextRecord = { value: line('"""'), isEllipsis: true };
  const last = records.at(-1);
  const shown = last !== undefined && !last.side && textOf(last) === "" ? records.slice(0, -1) : records;
  const lines = shown.map((record): TextRecord => ({ ...record, isEllipsis: true }));
  return wrap("(", { kind: "list", records: [mark, ...lines, mark] }, ")");
}
