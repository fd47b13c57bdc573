import type { ApiObject } from "../contract/api-object.ts";
import { hasReason } from "../contract/status.ts";
import { withMeta } from "../kinds/change-meta.ts";
import type { LiveObject, StoredObject } from "../kinds/object-store.ts";
import { registryKey } from "../kinds/registry-key.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { atOnce, inTurns, LARGE_BYTES, rest as nextTurns, restAfter } from "../lib/in-turns.ts";
import { CasFailedError, isTooLarge, TooLargeError } from "../store/errors.ts";
import { conflict, invalid, MODIFIED_MEANWHILE, notFound } from "../values/status-errors.ts";
import { admitValidating, admitWritten } from "./admit.ts";
import { createByUpdate, encodeLarge } from "./create-object.ts";
import { encodeChanged } from "./encode-changed.ts";
import { keepOwnerTimesSteps } from "./keep-owner-times.ts";
import { objectVersion, settleNamespace } from "./object-meta.ts";
import { prepareForUpdate } from "./prepare.ts";
import { validateChange } from "./validate-object.ts";
import { hookContext, type WriteEnvironment, type WriteRequest } from "./write-request.ts";

export interface UpdateParameters {
  readonly name: string;
  /**
   * Makes the new object, with managedFields, from the live one (undefined if there is none). Takes several turns of the event loop if the
   * object is large. Must not change its argument. Called again if another write comes first.
   */
  readonly change: (live: ApiObject | undefined, isLarge: boolean) => ApiObject | Promise<ApiObject>;
  readonly createIfAbsent?: boolean;
  /** The uid that the object must have; empty accepts any. */
  readonly uid?: string | undefined;
  /**
   * Converts the object to the one that admission receives, for a subresource with its own object (Scale). `change` has then already run
   * mutating admission.
   */
  readonly shown?: (object: ApiObject) => ApiObject;
  /** The object as it was when the request was read. No other object shares its parts. */
  readonly peeked?: LiveObject | undefined;
}

export interface UpdateResult {
  readonly live: LiveObject;
  readonly created: boolean;
}

/**
 * The core of update, patch, apply and writes to subresources: compare-and-set with retries. As in Kubernetes, managedFields are dropped
 * from an object that is too large for the store, except for an apply.
 */
export async function updateObject(
  request: WriteRequest,
  parameters: UpdateParameters,
  environment: WriteEnvironment,
): Promise<UpdateResult> {
  try {
    return await changeObject(request, parameters, environment, (object) => object);
  } catch (error) {
    if (request.verb === "apply" || !isTooLarge(error)) throw error;
    if (error instanceof TooLargeError && error.withoutOwners !== undefined) throw error.withoutOwners;
    return changeObject(request, parameters, environment, (object) => withMeta(object, { managedFields: undefined }));
  }
}

async function changeObject(
  request: WriteRequest,
  parameters: UpdateParameters,
  environment: WriteEnvironment,
  settleOwners: (object: ApiObject) => ApiObject,
): Promise<UpdateResult> {
  const { stored, groupResource } = request.resource;
  const key = registryKey(stored.prefix, request.namespace, parameters.name);
  let { peeked } = parameters;
  for (;;) {
    const live = await stored.objects.get(key, peeked);
    peeked = undefined;
    if (live === undefined) {
      checkUid(request, parameters, key, undefined);
      if (parameters.createIfAbsent !== true) {
        throw notFound(groupResource, parameters.name);
      }
      const created = await createAbsent(request, parameters, environment, settleOwners);
      if (created === undefined) {
        continue;
      }
      return { live: created, created: true };
    }
    let began = performance.now();
    checkUid(request, parameters, key, live.object);
    let rest = restAfter(began);
    if (rest !== undefined) await rest;
    began = performance.now();
    const isLarge = live.json.length >= LARGE_BYTES;
    const candidate = settleNamespace(await parameters.change(live.object, isLarge), request);
    rest = restAfter(began);
    if (rest !== undefined) await rest;
    const admitted =
      parameters.shown === undefined
        ? await admitWritten(request, parameters.name, candidate, live.object, environment)
        : candidate;
    const next = settleOwners(settleNamespace(settleVersion(request, parameters.name, admitted, live), request));
    const result = await writeChange(request, key, next, live, environment, parameters.shown);
    if (result !== undefined) {
      return { live: result, created: false };
    }
  }
}

/** Creates the object. Returns undefined if another request created it first: then it must be updated. */
async function createAbsent(
  request: WriteRequest,
  parameters: UpdateParameters,
  environment: WriteEnvironment,
  settleOwners: (object: ApiObject) => ApiObject,
): Promise<LiveObject | undefined> {
  const settled = settleOwners(settleNamespace(await parameters.change(undefined, false), request));
  try {
    const creation = { ...request, options: { ...request.options, kind: "CreateOptions" } };
    return await createByUpdate(creation, settled, environment, () =>
      environment.authorizeCreation(request, parameters.name),
    );
  } catch (error) {
    if (hasReason(error, "AlreadyExists") && error.status.details?.name === parameters.name) {
      return undefined;
    }
    throw error;
  }
}

/** Throws a conflict if the uid in the request does not match the live object, or if there is none. */
function checkUid(request: WriteRequest, parameters: UpdateParameters, key: string, live: ApiObject | undefined): void {
  const problem = preconditionProblem(key, { uid: parameters.uid }, live?.metadata ?? {}, request.dryRun);
  if (problem !== undefined) throw conflict(request.resource.groupResource, parameters.name, problem);
}

/** Error message of Kubernetes' store if an object does not have the expected uid or resourceVersion; empty accepts any. */
export function preconditionProblem(
  key: string,
  wanted: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined },
  actual: { readonly uid?: string; readonly resourceVersion?: string },
  dryRun: boolean,
): string | undefined {
  const checks = [
    ["UID", wanted.uid, actual.uid],
    ["ResourceVersion", wanted.resourceVersion, actual.resourceVersion],
  ] as const;
  const failed = checks.find(([, expected = "", found = ""]) => expected !== "" && expected !== found);
  if (failed === undefined) return undefined;
  const [what, expected, found = ""] = failed;
  // In Kubernetes, dry runs are checked before the store adds the key prefix.
  const shown = dryRun ? key.replace(/^\/[^/]+/, "") : key;
  return `StorageError: invalid object, Code: 4, Key: ${shown}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${expected}, ${what} in object meta: ${found}`;
}

/** Compares the resourceVersion with the live one. Sets the live one if it is empty and the kind allows that. */
function settleVersion(request: WriteRequest, name: string, object: ApiObject, live: LiveObject): ApiObject {
  const { stored, groupResource } = request.resource;
  const version = objectVersion(object.metadata.resourceVersion);
  if (version === 0n) {
    if (stored.requiresResourceVersion) {
      throw invalid({ group: groupResource.group, kind: groupResource.resource }, name, [
        {
          field: "metadata.resourceVersion",
          reason: "FieldValueInvalid",
          message: "Invalid value: 0x0: must be specified for an update",
        },
      ]);
    }
    return withMeta(object, { resourceVersion: String(live.revision) });
  }
  if (version !== BigInt(live.revision)) {
    throw conflict(groupResource, name, MODIFIED_MEANWHILE);
  }
  return object;
}

/** Makes one attempt. Returns undefined if another write came first. */
async function writeChange(
  request: WriteRequest,
  key: string,
  candidate: ApiObject,
  live: StoredObject,
  environment: WriteEnvironment,
  shown: (object: ApiObject) => ApiObject = (object) => object,
): Promise<LiveObject | undefined> {
  const { stored } = request.resource;
  const context = hookContext(request, environment, live.object);
  const isLarge = request.isLarge || live.json.length >= LARGE_BYTES;
  const began = performance.now();
  const prepared = prepareForUpdate(stored, candidate, live.object, context);
  const keeping = keepOwnerTimesSteps(prepared instanceof Promise ? await prepared : prepared, live.object);
  const next = isLarge ? await inTurns(keeping) : atOnce(keeping);
  let rest = restAfter(began);
  if (rest !== undefined) await rest;
  const allocation = await environment.allocate(request, next, live.object);
  try {
    const validated = validateChange(request.resource, next, live.object, context, isLarge);
    if (validated !== undefined) await validated;
    rest = restAfter(began);
    if (rest !== undefined) await rest;
    const warned = stored.hooks.warn?.(next, context) ?? [];
    for (const warning of warned instanceof Promise ? await warned : warned) {
      request.warn(warning);
    }
    if (isLarge) await nextTurns();
    const name = live.object.metadata.name ?? "";
    const update = { operation: "UPDATE", name, object: shown(next), old: shown(live.object) } as const;
    await admitValidating(request, update, environment);
    // `selfLink` is not stored, but a dry run returns it as sent.
    const hasLink = !request.dryRun && next.metadata.selfLink !== undefined;
    const written = hasLink ? withMeta(next, { selfLink: undefined }) : next;
    if (isLarge) await nextTurns();
    const value = isLarge ? await encodeLarge(stored, key, written) : encodeChanged(stored, key, written, live);
    if (request.dryRun) {
      allocation?.release();
      return stored.objects.previewEncoded(key, value, live.revision);
    }
    let result: LiveObject = live;
    if (isFinished(request, written, live.object)) {
      await stored.objects.delete(key, live.revision);
      (await environment.allocate(request, undefined, written))?.commit();
      result = stored.objects.previewEncoded(key, value, live.revision);
    } else if (live.stale === true || isIncomplete(stored, live) || !stored.objects.holds(key, live, value)) {
      result = await stored.objects.putEncoded(key, value, live.revision, { ttlSeconds: stored.ttlSeconds, live });
    }
    allocation?.commit();
    if (result !== live) environment.recorder?.()?.(request, "update", result.object);
    return result;
  } catch (error) {
    allocation?.release();
    if (error instanceof CasFailedError) {
      return undefined;
    }
    throw error;
  }
}

function isIncomplete({ hooks }: StoredKind, live: StoredObject): boolean {
  return live.fresh === true && hooks.compatibility?.completedOnReading?.(live.object) === true;
}

/** Whether this update removes the last reason to keep a deleted object. */
function isFinished(request: WriteRequest, next: ApiObject, old: ApiObject): boolean {
  const { hooks } = request.resource.stored;
  return (
    old.metadata.deletionTimestamp !== undefined &&
    (old.metadata.deletionGracePeriodSeconds ?? 0) === 0 &&
    (next.metadata.finalizers ?? []).length === 0 &&
    hooks.lifecycle?.holdsDeletion?.(next) !== true
  );
}
