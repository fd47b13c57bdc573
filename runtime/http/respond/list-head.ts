import type { ServedResource } from "../../kinds/served-resource.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { EncodingContext } from "./encode-object.ts";
import { hasDefaultTable, type IncludeObject, tableShape } from "./table.ts";

/** A resource and the representation of its objects. */
export interface Shown {
  readonly resource: ServedResource;
  readonly representation: Representation;
  /** What each row of a Table contains of its object. */
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

/** Members of custom lists are sorted and always include `continue`. */
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

/** Name of the member of a list that contains its items. */
export function itemsMember({ transform }: Representation): "items" | "rows" {
  return transform?.kind === "Table" ? "rows" : "items";
}

/** Whether the items are `null`: in empty lists of metadata and in an empty default Table, as in Kubernetes. */
export function saysNull({ list, resource, representation: { transform } }: ShownList): boolean {
  if (list.items.length > 0 || transform === undefined) return false;
  return transform.kind !== "Table" || hasDefaultTable(resource);
}

/** The other members of a list: those before its items and those after them in JSON. */
export interface ListFrame {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Members of custom lists are sorted, like those of their objects. In other lists, the items come last. */
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
