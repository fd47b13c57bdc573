/** The side that a text belongs to: removed (`-`), inserted (`+`), or neither. */
export type Side = "" | "-" | "+";

/** Structured text. Parts that fit are printed on one line, others on several indented lines. */
export type Text =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "wrap"; readonly prefix: string; readonly value: Text; readonly suffix: string }
  | { readonly kind: "list"; readonly records: readonly TextRecord[] };

export interface TextRecord {
  readonly side?: Side;
  readonly key?: string;
  readonly value: Text;
  /** Printed after the record as a `//` comment. */
  readonly comment?: string;
  readonly isEllipsis?: true;
}

const MAX_COLUMNS = 80;

export const line = (text: string): Text => ({ kind: "line", text });
export const wrap = (prefix: string, value: Text, suffix = ""): Text => ({ kind: "wrap", prefix, value, suffix });
export const NIL = line("nil");

/** Stands for omitted records; `comment` describes them. */
export function ellipsis(comment?: string): TextRecord {
  return { value: line("..."), isEllipsis: true, ...(comment !== undefined && { comment }) };
}

export function isNilText(text: Text): boolean {
  return text.kind === "line" && text.text === "nil";
}

/** The text as lines, each with a two-column prefix for its side. */
export function renderText(text: Text): string {
  return `  ${expand(compact(text, "").text, "", 0)}\n`;
}

/** Replaces parts by single lines where possible. `flat` is the whole text on one line. */
function compact(text: Text, side: Side): { readonly text: Text; readonly flat: string } {
  switch (text.kind) {
    case "line":
      return { text, flat: text.text };
    case "wrap": {
      const inner = compact(text.value, side);
      const flat = text.prefix + inner.flat + text.suffix;
      return { text: inner.text.kind === "line" ? line(flat) : { ...text, value: inner.text }, flat };
    }
    case "list": {
      const records = text.records.map((record) => ({ record, inner: compact(record.value, record.side || side) }));
      const flat = records.map(({ record, inner }) => `${record.key ? `${record.key}: ` : ""}${inner.flat}`).join(", ");
      const isTooLong = side !== "" && Buffer.byteLength(flat) > MAX_COLUMNS;
      const isTall = records.some(
        ({ record, inner }) => record.side || record.comment !== undefined || inner.text.kind !== "line",
      );
      if (!isTooLong && !isTall) return { text: line(flat), flat };
      return {
        text: { kind: "list", records: records.map(({ record, inner }) => ({ ...record, value: inner.text })) },
        flat,
      };
    }
  }
}

function expand(text: Text, side: Side, depth: number): string {
  switch (text.kind) {
    case "line":
      return text.text;
    case "wrap":
      return text.prefix + expand(text.value, side, depth) + text.suffix;
    case "list":
      return expandList(text.records, side, depth);
  }
}

function expandList(records: readonly TextRecord[], side: Side, depth: number): string {
  const end = `\n${indent(side, depth)}`;
  const isPlain = records.every(
    ({ side: own, key, value, comment }) => !own && !key && value.kind === "line" && comment === undefined,
  );
  if (isPlain)
    return `${batches(records)
      .map((batch) => `\n${indent(side, depth + 1)}${batch}`)
      .join("")}${end}`;
  const padding = keyPadding(records);
  const lines = records.map((record, index) => {
    const own = record.side || side;
    const key = record.key ? `${record.key}: ` : "";
    const value = expand(record.value, own, depth + 1);
    const behind = `${record.isEllipsis ? "" : ","}${record.comment === undefined ? "" : ` // ${record.comment}`}`;
    return `\n${indent(own, depth + 1)}${key}${" ".repeat(padding[index] ?? 0)}${value}${behind}`;
  });
  return `${lines.join("")}${end}`;
}

function indent(side: Side, depth: number): string {
  return `${side || " "} ${"\t".repeat(depth)}`;
}

/** Joins items without keys into lines of limited length. */
function batches(records: readonly TextRecord[]): string[] {
  const lines: string[] = [];
  let batch = "";
  for (const { value } of records) {
    const text = value.kind === "line" ? value.text : "";
    if (Buffer.byteLength(batch) + Buffer.byteLength(text) + 2 > MAX_COLUMNS && batch !== "") {
      lines.push(batch.trimEnd());
      batch = "";
    }
    batch += `${text}, `;
  }
  if (batch !== "") lines.push(batch.trimEnd());
  return lines;
}

/** Padding after each key that aligns the values of adjacent single-line records. */
function keyPadding(records: readonly TextRecord[]): number[] {
  const padding = records.map(() => 0);
  let start = 0;
  const align = (end: number) => {
    const lengths = records.slice(start, end).map(({ key = "" }) => [...key].length);
    const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
    for (const [offset, length] of lengths.entries()) padding[start + offset] = longest - length;
    start = end + 1;
  };
  for (const [index, { key, value }] of records.entries()) if (!key || value.kind !== "line") align(index);
  align(records.length);
  return padding;
}
