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

/**
 * Objects as rows with columns for display, as requested by `as=Table` in the `Accept` header. `kubectl get` uses it.
 */
export interface Table extends TypeMeta {
  /**
   * Standard list metadata: resource version and continue token of the list, or the resource version of a single
   * object.
   */
  metadata?: ListMeta & Always;
  /** Columns of the table, in the order of the cells. In the events of a watch, only the first table contains them. */
  columnDefinitions: ListAtomic<TableColumnDefinition>;
  /** Rows of the table, one for each object. */
  rows: ListAtomic<TableRow>;
}

/** Describes a column of a table. */
export interface TableColumnDefinition {
  /** Heading of the column. */
  name: string;
  /** OpenAPI type of the cells: `string`, `integer`, `number`, `boolean` or `date`. */
  type: string;
  /** OpenAPI format that refines `type`. `name` marks the column that identifies the object. Empty if there is none. */
  format: string;
  /** Human-readable description of the column. */
  description: string;
  /**
   * Importance of the column. Columns with 0 are always shown, those with a higher number only in wide output such as
   * `kubectl get -o wide`.
   */
  priority: Int32;
}

/** An object as a row of a table. */
export interface TableRow {
  /** Values of the row, one for each column: string, number, boolean, list, map or null. */
  cells: ListAtomic<Json>;
  /** Conditions of the row. Clients may show rows with the condition `Completed` differently or hide them. */
  conditions?: ListAtomic<TableRowCondition>;
  /** The object of the row in the form that `includeObject` requests: reduced to its metadata, complete, or none. */
  object?: RawObject & Always;
}

/** A condition of a row of a table. */
export interface TableRowCondition {
  /** Type of the condition, such as `Completed`. */
  type: RowConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Machine-readable reason of the condition, in CamelCase. May be empty. */
  reason?: string & OmitZero;
  /** Human-readable details of the condition. May be empty. */
  message?: string & OmitZero;
}

export type RowConditionType = Open<
  /** The object has reached its final state, such as a pod that succeeded. */
  "Completed"
>;

/** Options of a request for a table, given as query parameters. */
export interface TableOptions extends TypeMeta {
  /** How much of each object is returned with its row. Defaults to `Metadata`. */
  includeObject?: IncludeObjectPolicy & OmitZero;
}

export type IncludeObjectPolicy = Open<
  /** Rows contain no object. */
  | "None"
  /** Rows contain the object reduced to its metadata, as a PartialObjectMetadata. */
  | "Metadata"
  /** Rows contain the complete object. */
  | "Object"
>;

export const table = kind<Table>({ unserved: true });

export const tableOptions = kind<TableOptions>({ unserved: true });
