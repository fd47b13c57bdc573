import type { ComputedKind } from "../contract/computed-kind.ts";
import type { Verb } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { VirtualKind } from "../contract/virtual-kind.ts";
import { computedGetHandler, computedListHandler } from "../handlers/computed.ts";
import { createHandler } from "../handlers/create.ts";
import { type DeleteContext, deleteHandler } from "../handlers/delete.ts";
import { deleteCollectionHandler } from "../handlers/delete-collection.ts";
import { getHandler } from "../handlers/get.ts";
import { listHandler } from "../handlers/list.ts";
import { type PatchContext, patchHandler } from "../handlers/patch.ts";
import { bindingHandler } from "../handlers/subresources/binding.ts";
import { type SubresourceContext, subresourceHandlers } from "../handlers/subresources/subresource-handlers.ts";
import { updateHandler } from "../handlers/update.ts";
import { virtualHandler } from "../handlers/virtual.ts";
import { type WatchLimits, watchHandler } from "../handlers/watch.ts";
import type { FindHandler, Handler } from "../http/pipeline/dispatch.ts";
import type { ServedResource } from "../resource/served-resource.ts";

export interface HandlerContext extends PatchContext, DeleteContext, SubresourceContext {
  readonly watchLimits: WatchLimits;
  /** Functions that answer virtual kinds, by type. */
  readonly virtualKinds: ReadonlyMap<TypeRef, VirtualKind>;
  /** What is worked out when it is read, by type. */
  readonly computedKinds: ReadonlyMap<TypeRef, ComputedKind>;
  readonly loadResource: (group: string, version: string, resource: string) => Promise<ServedResource>;
}

/** One function per verb, and what virtual kinds and subresources have instead. */
export function createFindHandler(context: HandlerContext): FindHandler {
  const verbs: Readonly<Record<Verb, Handler>> = {
    get: getHandler,
    list: listHandler,
    watch: watchHandler(context.watchLimits),
    create: createHandler(context),
    update: updateHandler(context),
    patch: patchHandler(context),
    delete: deleteHandler(context),
    deletecollection: deleteCollectionHandler(context),
  };
  const virtual = new Map<TypeRef, Partial<Record<Verb, Handler>>>();
  for (const [type, answer] of context.virtualKinds) {
    virtual.set(type, { create: virtualHandler(answer, context) });
  }
  for (const [type, kind] of context.computedKinds) {
    virtual.set(type, { get: computedGetHandler(kind), list: computedListHandler(kind) });
  }
  virtual.set("core/v1.Binding", {
    create: bindingHandler(context, () => context.loadResource("", "v1", "pods")),
  });
  const subresources = subresourceHandlers(context, verbs);
  return ({ entry, subresource, verb }) => {
    if (subresource !== undefined) {
      return subresources(subresource, verb);
    }
    return entry.descriptor.virtual ? virtual.get(entry.descriptor.type)?.[verb] : verbs[verb];
  };
}
