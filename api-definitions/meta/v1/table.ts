import {
  type Always,
  type Int32,
  type Json,
  kind,
  type ListAtomic,
  type OmitZero,
  type Open,
  type RawObject,
} from "../../vocabulary.ts";
import type { ConditionStatus } from "./condition.ts";
import type { ListMeta, TypeMeta } from "./type-meta.ts";

/** Objects as rows for people to read. */
export interface Table extends TypeMeta {
  /** What is known of the list as a whole. */
  metadata?: ListMeta & Always;
  /** The columns. */
  columnDefinitions: ListAtomic<TableColumnDefinition>;
  /** The rows. */
  rows: ListAtomic<TableRow>;
}

/** A column of a table. */
export interface TableColumnDefinition {
  /** Heading of the column. */
  name: string;
  /** Type of its cells. */
  type: string;
  /** What the cells mean, such as `name`. */
  format: string;
  /** What the column shows. */
  description: string;
  /** 0 is always shown, higher numbers only in wide output. */
  priority: Int32;
}

/** An object as a row. */
export interface TableRow {
  /** One cell per column. */
  cells: ListAtomic<Json>;
  /** Findings about the row, such as that the object is done. */
  conditions?: ListAtomic<TableRowCondition>;
  /** The object, or as much of it as was asked for. */
  object?: RawObject & Always;
}

/** One finding about a row. */
export interface TableRowCondition {
  /** What the finding is about. */
  type: RowConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type RowConditionType = Open<"Completed">;

/** Options of a request for a table. */
export interface TableOptions extends TypeMeta {
  /** How much of each object comes with its row. */
  includeObject?: IncludeObjectPolicy & OmitZero;
}

export type IncludeObjectPolicy = Open<"None" | "Metadata" | "Object">;

export const table = kind<Table>({ unserved: true });

export const tableOptions = kind<TableOptions>({ unserved: true });
