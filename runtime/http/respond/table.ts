import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import { fieldErrorText } from "../../contract/field-error.ts";
import type { RequestQuery } from "../../contract/request-info.ts";
import type { ColumnDescriptor } from "../../contract/resource-descriptor.ts";
import { inPrintingOrder } from "../../kinds/change-meta.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { invalidField } from "../../values/field-errors.ts";
import { since } from "../../values/human-duration.ts";
import { compileGetter } from "../../values/json-path.ts";
import { badRequest } from "../../values/status-errors.ts";
import type { RowObject } from "./row-object.ts";

/** Whether a kind uses the default Table. */
export function hasDefaultTable({ descriptor }: ServedResource): boolean {
  return descriptor.columns.length === 0 && descriptor.custom === undefined;
}

export type IncludeObject = "None" | "Metadata" | "Object";

/** Describes how objects of one resource are shown as rows. */
export interface TableShape {
  readonly columnDefinitions: readonly Omit<ColumnDescriptor, "path">[];
  /** Index of the column with the age of the object; -1 if there is none. */
  readonly agePlace: number;
  /** Whether other cells also depend on the time. */
  readonly hasTimes: boolean;
  /** Computes the cells. Hooks read the stored version of the object, paths the served one. */
  cells(row: RowObject, now: () => Date): unknown[];
  /** The cells that a hook computes, by column name. The hook calls `now` only if they depend on the time. */
  hookCells(row: RowObject, now: () => Date): Readonly<Record<string, unknown>>;
  /** The cells of all columns, given those that the hook has computed. */
  allCells(row: RowObject, made: Readonly<Record<string, unknown>>, now: () => Date): unknown[];
  conditions(row: RowObject): readonly unknown[];
}

const CREATED = ".metadata.creationTimestamp";

/** Whether this is the column with the age of an object. */
function isAge({ name, path = CREATED }: ColumnDescriptor): boolean {
  return name === "Age" && path === CREATED;
}

const shapes = new WeakMap<ServedResource, TableShape>();

/** The Table of a resource, compiled once. */
export function tableShape(resource: ServedResource): TableShape {
  let shape = shapes.get(resource);
  if (shape === undefined) {
    shape = compileShape(resource);
    shapes.set(resource, shape);
  }
  return shape;
}

/** Columns of the default Table, for kinds that declare none. */
const DEFAULT_COLUMNS: readonly ColumnDescriptor[] = [
  {
    name: "Name",
    type: "string",
    format: "name",
    description: "The name of the object.",
    priority: 0,
    path: ".metadata.name",
  },
  {
    name: "Created At",
    type: "date",
    format: "",
    description: "When the object was created.",
    priority: 0,
    path: CREATED,
  },
];

function compileShape(resource: ServedResource): TableShape {
  const declared = resource.descriptor.columns;
  const columns = declared.length === 0 ? DEFAULT_COLUMNS : declared;
  // The hook of custom kinds computes all cells: their column paths may not be compilable here.
  const isCustom = resource.descriptor.custom !== undefined;
  const isTime = (column: ColumnDescriptor) => column.type === "date" && declared.length > 0 && !isAge(column);
  const times = columns.map(isTime);
  const readers = columns.map(({ path }) => (path === undefined || isCustom ? undefined : compileGetter(path)));
  const moreCells = resource.stored.hooks.compatibility?.moreCells;
  const hookCells: TableShape["hookCells"] = (row, now) =>
    row.read((stored) => resource.stored.hooks.cells?.(stored, { now })) ?? {};
  const allCells: TableShape["allCells"] = (row, made, now) =>
    columns
      .map((column, index) =>
        Object.hasOwn(made, column.name)
          ? made[column.name]
          : readCell(column, readers[index], row, times[index] || isAge(column) ? now : undefined),
      )
      .concat(row.read((stored) => moreCells?.(stored, { now })) ?? []);
  return {
    columnDefinitions: columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    agePlace: columns.findIndex(isAge),
    hasTimes: !isCustom && times.includes(true),
    cells: (row, now) => allCells(row, hookCells(row, now), now),
    hookCells,
    allCells,
    conditions: (row) => row.read((stored) => resource.stored.hooks.table?.rowConditions?.(stored)) ?? [],
  };
}

/** `now` is passed for cells that show the time since a moment. */
function readCell(
  column: ColumnDescriptor,
  read: ((object: unknown) => unknown) | undefined,
  row: RowObject,
  now: (() => Date) | undefined,
): unknown {
  if (now !== undefined && isAge(column)) return since(row.metadata.creationTimestamp, now);
  // The value of a cell that neither a path nor a hook computes is unknown, which differs from zero.
  if (read === undefined) return column.type === "string" ? "" : null;
  const value = read(row.served);
  if (value !== undefined && value !== null) {
    return now === undefined ? value : since(String(value), now);
  }
  return column.type === "integer" || column.type === "number" ? 0 : column.type === "boolean" ? false : "";
}

/** Parses `includeObject`; the default is `Metadata`. */
export function readIncludeObject(query: RequestQuery): IncludeObject {
  const value = query.get("includeObject") ?? "";
  if (value === "") {
    return "Metadata";
  }
  if (value === "None" || value === "Metadata" || value === "Object") {
    return value;
  }
  const problem = invalidField("includeObject", value, "must be 'Metadata', 'Object', 'None', or empty");
  throw badRequest(`Unable to convert to Table as requested: ${fieldErrorText(problem)}`);
}

export interface TableOptions {
  readonly metaApiVersion: string;
  readonly include: IncludeObject;
  readonly now: () => Date;
}

export function tableRow(resource: ServedResource, row: RowObject, options: TableOptions) {
  const shape = tableShape(resource);
  const conditions = shape.conditions(row);
  return {
    cells: shape.cells(row, options.now),
    ...(conditions.length > 0 && { conditions }),
    object:
      options.include === "None"
        ? null
        : options.include === "Object"
          ? row.served
          : partialMetadata(row.served, options.metaApiVersion, resource),
  };
}

/** Reduces an object to its metadata, whose fields are in the order of their type even if those of the object are sorted. */
export function partialMetadata(
  { metadata }: Pick<ApiObject, "metadata">,
  metaApiVersion: string,
  { descriptor, hooks }: Pick<ServedResource, "descriptor" | "hooks">,
): ApiObject {
  const ordered = descriptor.custom === undefined ? metadata : inPrintingOrder(metadata);
  return {
    kind: "PartialObjectMetadata",
    apiVersion: metaApiVersion,
    metadata: withoutAnnotations(ordered, hooks.compatibility?.versionAnnotations ?? []),
  };
}

function withoutAnnotations(metadata: ObjectMeta, names: readonly string[]): ObjectMeta {
  const { annotations, ...rest } = metadata;
  if (annotations === undefined || !names.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const kept = Object.fromEntries(Object.entries(annotations).filter(([name]) => !names.includes(name)));
  return Object.keys(kept).length === 0 ? rest : { ...metadata, annotations: kept };
}
