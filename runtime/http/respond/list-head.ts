import type { ServedResource } from "../../kinds/served-resource.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import type { EncodingContext } from "./encode-object.ts";
import { hasDefaultTable, tableShape } from "./table.ts";

export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/** Lists of custom kinds always have `continue`; lists of objects that are not stored have no resourceVersion. */
export function listMeta(list: ListResult, isCustom = false): ListMeta {
  return {
    ...(list.resourceVersion > 0 && { resourceVersion: String(list.resourceVersion) }),
    ...((list.continue || isCustom) && { continue: list.continue ?? "" }),
    ...(list.remainingItemCount !== undefined && { remainingItemCount: list.remainingItemCount }),
  };
}

export function metaApiVersion(representation: Representation, context: EncodingContext): string {
  return `${context.types.metaGroup}/${representation.transform?.version ?? "v1"}`;
}

/** The member of a list that holds its items; the last one in JSON. */
export function itemsMember({ transform }: Representation): "items" | "rows" {
  return transform?.kind === "Table" ? "rows" : "items";
}

/** Empty lists of metadata, and the default table, have `null` for their items, as in Kubernetes. */
export function saysNull(list: ListResult, resource: ServedResource, { transform }: Representation): boolean {
  if (list.items.length > 0 || transform === undefined) return false;
  return transform.kind !== "Table" || hasDefaultTable(resource);
}

/** A list without its items. */
export function listHead(
  list: ListResult,
  resource: ServedResource,
  representation: Representation,
  context: EncodingContext,
): Record<string, unknown> {
  if (representation.transform === undefined) {
    const { descriptor, apiVersion } = resource;
    return { kind: descriptor.listKind, apiVersion, metadata: listMeta(list, descriptor.custom !== undefined) };
  }
  const isTable = representation.transform?.kind === "Table";
  return {
    kind: isTable ? "Table" : "PartialObjectMetadataList",
    apiVersion: metaApiVersion(representation, context),
    metadata: listMeta(list),
    ...(isTable && { columnDefinitions: tableShape(resource).columnDefinitions }),
  };
}
