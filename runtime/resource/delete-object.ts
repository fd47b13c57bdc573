import type { ApiObject } from "../contract/api-object.ts";
import { StatusError } from "../contract/status.ts";
import { withMeta } from "../kinds/change-meta.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import { registryKey } from "../kinds/registry-key.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { equalJson } from "../lib/equal-json.ts";
import { LARGE_BYTES } from "../lib/in-turns.ts";
import { CasFailedError, CorruptError } from "../store/errors.ts";
import { conflict, notFound } from "../values/status-errors.ts";
import { formatTime } from "../values/times.ts";
import { admitMutating, admitValidating } from "./admit.ts";
import { encodeLarge } from "./create-object.ts";
import type { DeleteOptions } from "./delete-options.ts";
import { encodeChanged } from "./encode-changed.ts";
import type { WriteEnvironment, WriteRequest } from "./write-request.ts";

export interface DeleteResult {
  /** The last state of the object, or the state with a deletionTimestamp. */
  readonly object: ApiObject;
  /** The marked object as written, if it was only marked. */
  readonly marked?: LiveObject;
  /** Whether the object was removed. */
  readonly removed: boolean;
}

const ORPHAN = "orphan";
const FOREGROUND = "foregroundDeletion";

/**
 * Deletes one object. Marks it with a deletionTimestamp while a grace period or a finalizer keeps it; otherwise removes it. Options must be
 * valid.
 */
export async function deleteObject(
  request: WriteRequest,
  name: string,
  options: DeleteOptions,
  environment: WriteEnvironment,
): Promise<DeleteResult> {
  const { stored, groupResource } = request.resource;
  const key = registryKey(stored.prefix, request.namespace, name);
  // For the deletion of a collection, admission receives no name, and the options as the client sent them.
  const isOfCollection = request.verb === "deletecollection";
  const admitted = isOfCollection ? "" : name;
  for (const warning of stored.hooks.lifecycle?.deletionWarnings?.(options) ?? []) {
    request.warn(warning);
  }
  for (;;) {
    const live = await readOrForce(request, key, options, environment);
    if (live === undefined) {
      throw notFound(groupResource, name);
    }
    if ("forced" in live) {
      return { object: { metadata: { name } }, removed: true };
    }
    checkPreconditions(request, live.object, options);
    // As in Kubernetes: a deletion that changes nothing is not admitted.
    if (isUnderWay(stored, live.object, options)) return { object: live.object, removed: false };
    const seen = isOfCollection ? request : withEffectiveOptions(request, live.object, options);
    const deletion = { operation: "DELETE", name: admitted, old: live.object } as const;
    await admitMutating(seen, deletion, environment);
    await admitValidating(seen, deletion, environment);
    const result = await attempt(request, key, live, options, environment);
    if (result !== undefined) {
      return result;
    }
  }
}

/** The request with the options that admission receives, including those that Kubernetes sets before admission. */
function withEffectiveOptions(request: WriteRequest, object: ApiObject, options: DeleteOptions): WriteRequest {
  const { hooks } = request.resource.stored;
  const { deletionTimestamp, deletionGracePeriodSeconds, uid } = object.metadata;
  const asked = requestedGrace(options);
  const grace =
    deletionTimestamp === undefined
      ? (hooks.lifecycle?.gracePeriod?.(object, asked) ?? asked)
      : (asked ?? (hooks.lifecycle?.gracePeriod && (deletionGracePeriodSeconds || undefined)));
  const isOwn = hooks.compatibility?.ownDeletion === true;
  if (grace === options.gracePeriodSeconds && !isOwn) return request;
  const { gracePeriodSeconds: _, preconditions, ...others } = request.options;
  return {
    ...request,
    options: {
      ...others,
      ...(grace !== undefined && { gracePeriodSeconds: grace }),
      ...((isOwn || preconditions !== undefined) && {
        preconditions: { ...(isOwn && { uid }), ...(preconditions as object | undefined) },
      }),
    },
  };
}

/** The requested grace period. Negative values become one second. */
function requestedGrace({ gracePeriodSeconds: asked }: DeleteOptions): number | undefined {
  return asked !== undefined && asked < 0 ? 1 : asked;
}

async function attempt(
  request: WriteRequest,
  key: string,
  live: LiveObject,
  options: DeleteOptions,
  environment: WriteEnvironment,
): Promise<DeleteResult | undefined> {
  const { stored } = request.resource;
  const plan = planDeletion(stored, live.object, options, environment.now(), environment.collectsGarbage);
  const rewrite = async (ttlSeconds?: number): Promise<LiveObject> => {
    const value =
      live.json.length < LARGE_BYTES
        ? encodeChanged(stored, key, plan.object, live)
        : await encodeLarge(stored, key, plan.object);
    return stored.objects.rewriteEncoded(key, value, live.revision, ttlSeconds);
  };
  const canonical = () => stored.schema.canonicalize(plan.object);
  try {
    if (plan.remove) {
      if (request.dryRun) {
        return { object: plan.object, removed: true };
      }
      const marked = plan.object === live.object ? live : await rewrite(stored.ttlSeconds);
      const revision = await stored.objects.delete(key, marked.revision);
      (await environment.allocate(request, undefined, live.object))?.commit();
      const object = withMeta(plan.object, { resourceVersion: String(revision) });
      environment.recorder?.()?.(request, "delete", object);
      return { object, removed: true };
    }
    if (equalJson(plan.object, live.object)) {
      return { object: live.object, removed: false };
    }
    if (request.dryRun)
      return { object: stored.objects.preview(key, canonical(), live.revision).object, removed: false };
    const marked = await rewrite();
    environment.recorder?.()?.(request, "delete", marked.object);
    return {
      get object() {
        return marked.object;
      },
      marked,
      removed: false,
    };
  } catch (error) {
    if (error instanceof CasFailedError) {
      return undefined;
    }
    throw error;
  }
}

interface DeletionPlan {
  /** The object to write, even if it is removed right afterwards, so that watchers receive the marked state. */
  readonly object: ApiObject;
  readonly remove: boolean;
}

/** Decides whether a deletion marks or removes the object. */
export function planDeletion(
  kind: StoredKind,
  object: ApiObject,
  options: DeleteOptions,
  now: Date,
  collectsGarbage = true,
): DeletionPlan {
  if (isUnderWay(kind, object, options)) return { object, remove: false };
  const held = kind.hooks.lifecycle?.holdsDeletion?.(object) === true;
  const finalizers = collectsGarbage ? deletionFinalizers(kind, object, options) : (object.metadata.finalizers ?? []);
  const kept = finalizers.length > 0;
  const graceful = planGrace(kind, object, options, now);
  let next = graceful ?? object;
  if (!equalJson(finalizers, object.metadata.finalizers ?? [])) {
    next = withMeta(next, { finalizers: kept ? finalizers : undefined });
  }
  if (graceful === undefined && !kept && !held) {
    return { object, remove: true };
  }
  next = markDeleting(kind, next, now);
  const grace = next.metadata.deletionGracePeriodSeconds ?? 0;
  return { object: next, remove: !kept && !held && grace === 0 };
}

/** Whether an earlier deletion has already done everything that this one can: the object waits for whatever holds it, or for an earlier deadline. */
function isUnderWay(kind: StoredKind, object: ApiObject, options: DeleteOptions): boolean {
  const { lifecycle } = kind.hooks;
  const { deletionTimestamp, deletionGracePeriodSeconds: current = 0 } = object.metadata;
  if (deletionTimestamp === undefined) return false;
  if (lifecycle?.holdsDeletion?.(object) === true) return true;
  const requested = requestedGrace(options);
  return lifecycle?.gracePeriod !== undefined && current > 0 && (requested === undefined || requested >= current);
}

/** The object with its new deadline; undefined if there is no grace period (left). Only for deletions that are not in progress yet. */
function planGrace(kind: StoredKind, object: ApiObject, options: DeleteOptions, now: Date): ApiObject | undefined {
  const requested = requestedGrace(options);
  if (kind.hooks.lifecycle?.gracePeriod === undefined) {
    return undefined;
  }
  const { deletionTimestamp, deletionGracePeriodSeconds: current = 0 } = object.metadata;
  if (deletionTimestamp !== undefined) {
    if (current === 0 || requested === undefined) {
      return undefined;
    }
    const start = Date.parse(deletionTimestamp) - current * 1000;
    const deadline = start + requested * 1000;
    const late = deadline < now.getTime();
    return withMeta(object, {
      deletionTimestamp: formatTime(late ? now : new Date(deadline)),
      deletionGracePeriodSeconds: late && requested !== 0 ? 1 : requested,
    });
  }
  const grace = kind.hooks.lifecycle?.gracePeriod(object, requested);
  if (grace === undefined) {
    return undefined;
  }
  const { generation } = object.metadata;
  return withMeta(object, {
    deletionTimestamp: formatTime(new Date(now.getTime() + grace * 1000)),
    deletionGracePeriodSeconds: grace,
    ...(generation !== undefined && generation > 0 && { generation: generation + 1 }),
  });
}

function markDeleting(kind: StoredKind, object: ApiObject, now: Date): ApiObject {
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = object.metadata;
  const marked = withMeta(object, {
    ...(deletionTimestamp === undefined && {
      deletionTimestamp: formatTime(now),
      ...(generation !== undefined && generation > 0 && { generation: generation + 1 }),
    }),
    ...(deletionGracePeriodSeconds === undefined &&
      kind.hooks.lifecycle?.holdsDeletion === undefined && { deletionGracePeriodSeconds: 0 }),
  });
  kind.hooks.lifecycle?.markDeleting?.(marked);
  return marked;
}

/** The finalizers of the object, with those for dependents set as the options request. */
function deletionFinalizers(kind: StoredKind, object: ApiObject, options: DeleteOptions): string[] {
  const current = object.metadata.finalizers ?? [];
  const policy = dependentsPolicy(kind, current, options);
  const wanted = policy === "Orphan" ? ORPHAN : policy === "Foreground" ? FOREGROUND : undefined;
  // Returns the list unchanged if the set of finalizers does not change: there may be tens of thousands.
  if ([ORPHAN, FOREGROUND].every((finalizer) => current.includes(finalizer) === (finalizer === wanted))) return current;
  const others = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  return wanted === undefined ? others : [...others, wanted];
}

function dependentsPolicy(kind: StoredKind, finalizers: readonly string[], options: DeleteOptions): string {
  if (kind.hooks.lifecycle?.dependents === "unsupported") return "Background";
  if (options.orphanDependents !== undefined) {
    // `orphanDependents: false` means Foreground for kinds with their own deletion code in Kubernetes.
    return options.orphanDependents ? "Orphan" : kind.hooks.compatibility?.ownDeletion ? "Foreground" : "Background";
  }
  if (options.propagationPolicy !== undefined) {
    return options.propagationPolicy;
  }
  if (finalizers.includes(ORPHAN)) {
    return "Orphan";
  }
  if (finalizers.includes(FOREGROUND)) {
    return "Foreground";
  }
  return kind.hooks.lifecycle?.dependents === "orphan" ? "Orphan" : "Background";
}

function checkPreconditions({ resource }: WriteRequest, object: ApiObject, options: DeleteOptions): void {
  const { stored, groupResource } = resource;
  const failed = failedPrecondition(object, options);
  if (failed === undefined) {
    return;
  }
  const { what, wanted, actual, event } = failed;
  const name = object.metadata.name ?? "";
  if (stored.hooks.compatibility?.ownDeletion) {
    const problem = `Precondition failed: ${what} in precondition: ${wanted}, ${what} in object meta: ${actual}`;
    throw conflict(groupResource, name, problem);
  }
  throw conflict(
    { group: stored.gvk.group, resource: stored.gvk.kind },
    name,
    `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual}). The object might have been ${event}`,
  );
}

function failedPrecondition({ metadata }: ApiObject, { preconditions = {} }: DeleteOptions) {
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid) {
    return { what: "UID", wanted: uid, actual: metadata.uid, event: "deleted and then recreated" };
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    return {
      what: "ResourceVersion",
      wanted: resourceVersion,
      actual: metadata.resourceVersion,
      event: "modified",
    };
  }
  return undefined;
}

/**
 * Reads the object. A corrupt object is removed without decoding if the options request it and the feature gate
 * `AllowUnsafeMalformedObjectDeletion` is enabled.
 */
async function readOrForce(
  request: WriteRequest,
  key: string,
  options: DeleteOptions,
  environment: WriteEnvironment,
): Promise<LiveObject | { readonly forced: true } | undefined> {
  const { objects } = request.resource.stored;
  try {
    return await objects.get(key);
  } catch (error) {
    const insisted =
      options.ignoreStoreReadErrorWithClusterBreakingPotential === true &&
      environment.featureEnabled("AllowUnsafeMalformedObjectDeletion");
    if (!(error instanceof CorruptError) || !insisted || error instanceof StatusError) {
      throw error;
    }
    await objects.removeUnread(key);
    return { forced: true };
  }
}
