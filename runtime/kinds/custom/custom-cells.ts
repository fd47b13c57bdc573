import type { ApiObject } from "../../contract/api-object.ts";
import type { ColumnDescriptor } from "../../contract/resource-descriptor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { since } from "../../values/human-duration.ts";
import { compilePath, type Effort, JsonPathError, type PathFinder } from "../../values/json-path.ts";
import { isTime } from "../../values/times.ts";

type Cells = (object: ApiObject, context: { readonly now: () => Date }) => { readonly [column: string]: unknown };

/**
 * Limits for all cells of a row, in search steps and in characters: a definition can have thousands of columns, and each could search or
 * print all of a large object. Cells beyond the limits are null.
 */
const ROW_EFFORT = 500_000;
const ROW_TEXT = 2 * 1024 * 1024;

/** Creates the function that computes the cells of a custom kind's table: the value at a column's path, in the column's type, or null. */
export function customCells(columns: readonly ColumnDescriptor[]): Cells {
  const readers = columns.map((column) => ({ column, find: finder(column.path ?? "") }));
  return (object, { now }) => {
    const effort: Effort = { left: ROW_EFFORT };
    let text = 0;
    return Object.fromEntries(
      readers.map(({ column, find }) => {
        const cell = text > ROW_TEXT ? null : cellOf(column.type, find(object, effort)[0], now);
        if (typeof cell === "string") text += cell.length;
        return [column.name, text > ROW_TEXT ? null : cell];
      }),
    );
  };
}

/** Compiles a path. An invalid path finds nothing. */
function finder(path: string): PathFinder {
  try {
    return compilePath(path);
  } catch (error) {
    if (error instanceof JsonPathError) return () => [];
    throw error;
  }
}

function cellOf(type: string, value: unknown, now: () => Date): unknown {
  // Kubernetes prints string cells, and no others, with a template, which prints `<no value>` for null.
  if (value === null && type === "string") return "<no value>";
  if (value === undefined || value === null) return null;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  switch (type) {
    case "string":
      return typeof value === "object" ? stringifyJson(value) : String(value);
    case "integer":
      return isNumber ? integerOf(value) : null;
    case "number":
      return isNumber ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      if (typeof value !== "string") return null;
      return value === "null" ? since("", now) : value === "" || isTime(value) ? since(value, now) : "<invalid>";
    default:
      return null;
  }
}

const INTEGER_END = 2 ** 63;

/** Converts a number to an int64 as Go does: the result is the minimum if the value is out of range. */
function integerOf(value: number | bigint): number | bigint {
  if (value >= INTEGER_END || value < -INTEGER_END) return -(2n ** 63n);
  return typeof value === "number" ? Math.trunc(value) : value;
}
