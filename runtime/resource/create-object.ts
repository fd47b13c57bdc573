import type { ApiObject } from "../contract/api-object.ts";
import { StatusError } from "../contract/status.ts";
import { withMeta } from "../kinds/change-meta.ts";
import type { LiveObject } from "../kinds/object-store.ts";
import { registryKey } from "../kinds/registry-key.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { inTurns, rest, restAfter } from "../lib/in-turns.ts";
import { CasFailedError, isTooLarge, TooLargeError } from "../store/errors.ts";
import { alreadyExists, generateNameConflict, plainFailure } from "../values/status-errors.ts";
import { admitValidating, admitWritten } from "./admit.ts";
import {
  dedupOwnerReferences,
  initializeMeta,
  objectVersion,
  settleNamespace,
  uint64Of,
  withoutServerMeta,
} from "./object-meta.ts";
import { prepareForCreate } from "./prepare.ts";
import { validateCreation } from "./validate-object.ts";
import { hookContext, type WriteEnvironment, type WriteRequest } from "./write-request.ts";

/** Maximum number of attempts to generate an unused name. */
const NAME_ATTEMPTS = 8;
/** generateName is truncated to this length before the random suffix is appended. */
const NAME_STEM_LIMIT = 63 - 5;

/**
 * Creates an object, given in its stored version with defaults. The order is that of Kubernetes: managedFields, mutating admission,
 * preparation, validation, validating admission, allocation of addresses and ports, store.
 */
export async function createObject(
  request: WriteRequest,
  object: ApiObject,
  environment: WriteEnvironment,
): Promise<LiveObject> {
  if (request.isLarge) await rest();
  const settled = dedupOwnerReferences(settleNamespace(withoutServerMeta(object), request), request.warn, "");
  const began = performance.now();
  const owned = await environment.ownership.update(request, undefined, settled, request.isLarge);
  const resting = restAfter(began);
  if (resting !== undefined) await resting;
  const admitted = await admitWritten(request, owned.metadata.name ?? "", owned, undefined, environment);
  const candidate = settleNamespace(admitted, request);
  try {
    return await createAdmitted(request, candidate, environment);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    if (error instanceof TooLargeError && error.withoutOwners !== undefined) throw error.withoutOwners;
    // As in Kubernetes: managedFields may be what makes the object too large, and are dropped.
    return createAdmitted(request, withMeta(candidate, { managedFields: undefined }), environment);
  }
}

/** Called after validation of the object and before validating admission. Throws if creation is not allowed. */
type MayCreate = () => Promise<void>;

/**
 * Like `createObject`, for an object that an apply or a PUT creates. Its managedFields are already set. It may have a resourceVersion,
 * which only dry runs return.
 */
export async function createByUpdate(
  request: WriteRequest,
  object: ApiObject,
  environment: WriteEnvironment,
  mayCreate?: MayCreate,
): Promise<LiveObject> {
  const mutated = await admitWritten(request, object.metadata.name ?? "", object, undefined, environment);
  const admitted = settleNamespace(mutated, request);
  objectVersion(admitted.metadata.resourceVersion);
  const candidate = request.dryRun ? admitted : withMeta(admitted, { resourceVersion: undefined });
  return createAdmitted(request, candidate, environment, mayCreate);
}

async function createAdmitted(
  request: WriteRequest,
  candidate: ApiObject,
  environment: WriteEnvironment,
  mayCreate?: MayCreate,
): Promise<LiveObject> {
  const name = candidate.metadata.name ?? "";
  const generated = name === "" && (candidate.metadata.generateName ?? "") !== "";
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await writeNew(request, candidate, generated, environment, mayCreate);
    } catch (error) {
      const isTaken = error instanceof StatusError && error.status.reason === "AlreadyExists";
      // Like Kubernetes, reports a conflict of a given name like one of a generated name if generateName is also set.
      if (!isTaken || (candidate.metadata.generateName ?? "") === "") {
        throw error;
      }
      if (!generated || attempt >= NAME_ATTEMPTS) {
        throw generateNameConflict(error, 1);
      }
    }
  }
}

async function writeNew(
  request: WriteRequest,
  candidate: ApiObject,
  generated: boolean,
  environment: WriteEnvironment,
  mayCreate: MayCreate | undefined,
): Promise<LiveObject> {
  const { stored } = request.resource;
  let object = initializeMeta(candidate, environment.now(), environment.newUid());
  if (generated) {
    const { generateName = "" } = candidate.metadata;
    const isWhole = stored.hooks.compatibility?.wholeGenerateName === true;
    const name = isWhole ? generateName : `${generateName.slice(0, NAME_STEM_LIMIT)}${environment.nameSuffix()}`;
    object = withMeta(object, { name });
  }
  const prepared = prepareForCreate(stored, object, hookContext(request, environment, undefined));
  object = prepared instanceof Promise ? await prepared : prepared;
  const allocation = await environment.allocate(request, object, undefined);
  try {
    const live = await checkAndPut(request, object, environment, mayCreate);
    if (request.dryRun) {
      allocation?.release();
    } else {
      allocation?.commit();
      environment.recorder?.()?.(request, "create", live.object);
    }
    return live;
  } catch (error) {
    allocation?.release();
    throw error instanceof CasFailedError ? await taken(request, object.metadata.name ?? "", error) : error;
  }
}

async function taken(request: WriteRequest, name: string, { key, current }: CasFailedError): Promise<StatusError> {
  return refusalOf(request, name, current && (await request.resource.stored.objects.load(key, current)));
}

/** The error for a name that is in use, possibly by an object that is being deleted. */
function refusalOf({ resource }: WriteRequest, name: string, present: LiveObject | undefined): StatusError {
  const refusal = alreadyExists(resource.groupResource, name);
  if (present?.object.metadata.deletionTimestamp === undefined) return refusal;
  return new StatusError({ ...refusal.status, message: `object is being deleted: ${refusal.status.message}` });
}

async function checkAndPut(
  request: WriteRequest,
  object: ApiObject,
  environment: WriteEnvironment,
  mayCreate: MayCreate | undefined,
): Promise<LiveObject> {
  const { stored } = request.resource;
  const context = hookContext(request, environment, undefined);
  if (request.isLarge) await rest();
  const began = performance.now();
  const validated = validateCreation(request.resource, object, context, request.isLarge);
  if (validated !== undefined) await validated;
  const resting = restAfter(began);
  if (resting !== undefined) await resting;
  const warned = stored.hooks.warn?.(object, context) ?? [];
  for (const warning of warned instanceof Promise ? await warned : warned) {
    request.warn(warning);
  }
  if (request.isLarge) await rest();
  const name = object.metadata.name ?? "";
  await mayCreate?.();
  await admitValidating(request, { operation: "CREATE", name, object }, environment);
  // Values that are not numbers are ignored.
  if (!request.dryRun && uint64Of(object.metadata.resourceVersion ?? "")) {
    throw plainFailure("resourceVersion should not be set on objects to be created");
  }
  stored.hooks.compatibility?.completeNew?.(object);
  const key = registryKey(stored.prefix, object.metadata.namespace ?? "", name);
  if (request.isLarge) await rest();
  const value = request.isLarge
    ? await encodeLarge(stored, key, object)
    : stored.objects.encode(key, stored.schema.canonicalize(object, { reuses: true }));
  if (request.dryRun) return previewNew(request, key, object, value);
  return stored.objects.putEncoded(key, value, 0, { ttlSeconds: stored.ttlSeconds });
}

/** Returns the value to store for a large object. Takes several turns of the event loop. */
export async function encodeLarge(
  { schema, objects }: StoredKind,
  key: string,
  object: ApiObject,
): Promise<Uint8Array> {
  const final =
    schema.canonicalizeSteps === undefined
      ? schema.canonicalize(object, { reuses: true })
      : await inTurns(schema.canonicalizeSteps(object, { reuses: true }));
  await rest();
  return objects.encodeLarge(key, final);
}

async function previewNew(
  request: WriteRequest,
  key: string,
  object: ApiObject,
  value: Uint8Array,
): Promise<LiveObject> {
  const { objects } = request.resource.stored;
  const present = await objects.get(key);
  if (present !== undefined) throw refusalOf(request, object.metadata.name ?? "", present);
  const { object: previewed, revision, json } = objects.previewEncoded(key, value, 0);
  const { resourceVersion } = object.metadata;
  return { object: withMeta(previewed, { resourceVersion }), revision, json, unversioned: true };
}
