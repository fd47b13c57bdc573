import type { ServedResource } from "../../kinds/served-resource.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { EncodingContext } from "./encode-object.ts";
import { hasDefaultTable, type IncludeObject, tableShape } from "./table.ts";

/** Objects of a resource, and how they are shown. */
export interface Shown {
  readonly resource: ServedResource;
  readonly representation: Representation;
  /** What the rows of a table have of their objects. */
  readonly include: IncludeObject;
  readonly context: EncodingContext;
}

export interface ShownList extends Shown {
  readonly list: ListResult;
}

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Lists of objects that are not stored have no resourceVersion. */
export function listMeta(list: ListResult): ListMeta {
  return {
    ...(list.resourceVersion > 0 && { resourceVersion: String(list.resourceVersion) }),
    ...(list.continue && { continue: list.continue }),
    ...(list.remainingItemCount !== undefined && { remainingItemCount: list.remainingItemCount }),
  };
}

/** Lists of custom kinds are sorted, and always have `continue`. */
function customListMeta(list: ListResult): ListMeta {
  const { resourceVersion, remainingItemCount } = listMeta(list);
  return {
    continue: list.continue ?? "",
    ...(remainingItemCount !== undefined && { remainingItemCount }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

export function metaApiVersion(representation: Representation, context: EncodingContext): string {
  return `${context.types.metaGroup}/${representation.transform?.version ?? "v1"}`;
}

/** The member of a list that holds its items. */
export function itemsMember({ transform }: Representation): "items" | "rows" {
  return transform?.kind === "Table" ? "rows" : "items";
}

/** Empty lists of metadata, and the default table, have `null` for their items, as in Kubernetes. */
export function saysNull({ list, resource, representation: { transform } }: ShownList): boolean {
  if (list.items.length > 0 || transform === undefined) return false;
  return transform.kind !== "Table" || hasDefaultTable(resource);
}

/** The other members of a list: in JSON, those before its items and those after them. */
export interface ListFrame {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Lists of custom kinds are sorted, as their objects are; the items of others come last. */
export function listFrame({ list, resource, representation, context }: ShownList): ListFrame {
  const { transform } = representation;
  const { descriptor, apiVersion } = resource;
  if (transform === undefined && descriptor.custom !== undefined)
    return { before: { apiVersion }, after: { kind: descriptor.listKind, metadata: customListMeta(list) } };
  if (transform === undefined)
    return { before: { kind: descriptor.listKind, apiVersion, metadata: listMeta(list) }, after: {} };
  const isTable = transform.kind === "Table";
  const before = {
    kind: isTable ? "Table" : "PartialObjectMetadataList",
    apiVersion: metaApiVersion(representation, context),
    metadata: listMeta(list),
    ...(isTable && { columnDefinitions: tableShape(resource).columnDefinitions }),
  };
  return { before, after: {} };
}
