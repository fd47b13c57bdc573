import type { ComputedKind } from "../contract/computed-kind.ts";
import type { Verb } from "../contract/resource-descriptor.ts";
import type { TypeRef } from "../contract/type-table.ts";
import type { VirtualKind } from "../contract/virtual-kind.ts";
import type { ServedResource } from "../kinds/served-resource.ts";
import { computedGetHandler, computedListHandler } from "./computed.ts";
import { createHandler } from "./create.ts";
import { deleteHandler } from "./delete.ts";
import { type DeleteCollectionContext, deleteCollectionHandler } from "./delete-collection.ts";
import { getHandler } from "./get.ts";
import type { FindHandler, Handler } from "./handler.ts";
import { listHandler } from "./list.ts";
import { patchHandler } from "./patch/patch.ts";
import { bindingHandler } from "./subresources/binding.ts";
import type { SubresourceContext } from "./subresources/subresource-context.ts";
import { subresourceHandlers } from "./subresources/subresource-handlers.ts";
import { updateHandler } from "./update.ts";
import { virtualHandler } from "./virtual.ts";
import { type WatchLimits, watchHandler } from "./watch.ts";

export interface HandlerContext extends DeleteCollectionContext, SubresourceContext {
  readonly watchLimits: WatchLimits;
  /** Handlers of virtual kinds, by type. */
  readonly virtualKinds: ReadonlyMap<TypeRef, VirtualKind>;
  /** Handlers of kinds that are computed when they are read, by type. */
  readonly computedKinds: ReadonlyMap<TypeRef, ComputedKind>;
  readonly loadResource: (group: string, version: string, resource: string) => Promise<ServedResource>;
}

/** Returns one handler per verb. Virtual kinds, computed kinds and subresources have their own. */
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
