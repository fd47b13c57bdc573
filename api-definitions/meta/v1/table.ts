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

export interface Table extends TypeMeta {
  metadata?: ListMeta & Always;
  columnDefinitions: ListAtomic<TableColumnDefinition>;
  rows: ListAtomic<TableRow>;
}

export interface TableColumnDefinition {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: Int32;
}

export interface TableRow {
  cells: ListAtomic<Json>;
  conditions?: ListAtomic<TableRowCondition>;
  object?: RawObject & Always;
}

export interface TableRowCondition {
  type: RowConditionType;
  status: ConditionStatus;
  reason?: string & OmitZero;
  message?: string & OmitZero;
}

export type RowConditionType = Open<"Completed">;

export interface TableOptions extends TypeMeta {
  includeObject?: IncludeObjectPolicy & OmitZero;
}

export type IncludeObjectPolicy = Open<"None" | "Metadata" | "Object">;

export const table = kind<Table>({ unserved: true });

export const tableOptions = kind<TableOptions>({ unserved: true });
