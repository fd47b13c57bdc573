import type { ApiObject } from "../../contract/api-object.ts";
import { hasReason } from "../../contract/status.ts";
import { goValue } from "../../go/format.ts";
import { registryKey } from "../../kinds/registry-key.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { admitValidating, admitWritten, withoutAdmission } from "../../resource/admit.ts";
import { deleteObject } from "../../resource/delete-object.ts";
import { type DeleteOptions, validateDeleteOptions } from "../../resource/delete-options.ts";
import { modifyObject } from "../../resource/modify-object.ts";
import type { WriteRequest } from "../../resource/write-request.ts";
import { invalidField } from "../../values/field-errors.ts";
import { badRequest, conflict, invalid, notFound, plainFailure, success } from "../../values/status-errors.ts";
import { formatTime } from "../../values/times.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { writeRequest } from "../write-context.ts";
import { type PodStatus, replaceCondition } from "./pod-conditions.ts";
import { readPosted } from "./posted-object.ts";
import type { SubresourceContext } from "./subresource-context.ts";
import { ATTEMPTS, stillProcessed, takeDisruption } from "./take-disruption.ts";

/** Phases in which a pod does not count towards any budget. */
const NOT_COUNTED = new Set(["Succeeded", "Failed", "Pending"]);

/** POST to `pods/<name>/eviction`: deletes a pod after checking its disruption budget. */
export function evictionHandler(context: SubresourceContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    // Older clients send policy/v1beta1, which has the same schema.
    const posted = await readPosted(request, context, { formerly: ["policy/v1beta1"] });
    const { object, query, write } = posted;
    const admitted: ApiObject & { deleteOptions?: DeleteOptions } = await admitWritten(
      write,
      info.name,
      object,
      undefined,
      context,
    );
    const name = admitted.metadata.name ?? "";
    if (name !== info.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const options = settleOptions(admitted.deleteOptions ?? {}, query.dryRun, name);
    await admitValidating(write, { operation: "CREATE", name: info.name, object: admitted }, context);
    const dryRun = (options.dryRun ?? []).length > 0;
    await readPod(request);
    const problems = validateDeleteOptions(options);
    if (problems.length > 0) throw invalid({ group: resource.metaGroup, kind: "DeleteOptions" }, "", problems);
    await evict(request, options, context, { ...writeRequest(request, query), subresource: "", dryRun });
    return { type: "status", status: 201, body: { ...success(), code: 201 } };
  };
}

/** Deletes the pod if its budget allows it. A decision about a pod that is not ready is valid only for its resourceVersion. */
async function evict(
  request: ApiRequest,
  options: DeleteOptions,
  context: SubresourceContext,
  write: WriteRequest,
): Promise<void> {
  const isOurs = options.preconditions?.resourceVersion === undefined;
  for (let attempt = 1; ; attempt += 1) {
    const pod = await readPod(request);
    if (!isExempt(pod)) return evictCounted(pod, options, context, write);
    const watched = isOurs && isPending(pod) ? atVersionOf(pod, options) : options;
    try {
      return await markAndDelete(pod, watched, context, write);
    } catch (error) {
      if (!isOurs || !hasReason(error, "Conflict") || attempt === ATTEMPTS) throw error;
    }
  }
}

async function evictCounted(
  pod: ApiObject,
  options: DeleteOptions,
  context: SubresourceContext,
  write: WriteRequest,
): Promise<void> {
  const ignored = await takeDisruption(pod, context, write.dryRun);
  if (ignored === undefined) return markAndDelete(pod, options, context, write);
  try {
    await markAndDelete(pod, atVersionOf(pod, options), context, write);
  } catch (error) {
    if (options.preconditions?.resourceVersion !== undefined || !hasReason(error, "Conflict")) throw error;
    throw stillProcessed(ignored);
  }
}

function atVersionOf({ metadata: { resourceVersion } }: ApiObject, options: DeleteOptions): DeleteOptions {
  if (resourceVersion === undefined) return options;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}

/** Sets the DisruptionTarget condition, then deletes the pod. */
async function markAndDelete(
  { metadata: { name = "" } }: ApiObject,
  options: DeleteOptions,
  context: SubresourceContext,
  write: WriteRequest,
): Promise<void> {
  // The eviction was admitted; there is no separate admission for the deletion of the pod.
  const environment = withoutAdmission(context);
  if (write.dryRun) {
    await deleteObject(write, name, options, environment);
    return;
  }
  const mark = (live: ApiObject): ApiObject => {
    checkPreconditions(live, options);
    return withCondition(live, context.now());
  };
  const marked = await modifyObject(write, name, mark, context);
  const isVersioned = options.preconditions?.resourceVersion !== undefined;
  await deleteObject(write, name, isVersioned ? atVersionOf(marked.object, options) : options, environment);
}

function checkPreconditions({ metadata }: ApiObject, { preconditions = {} }: DeleteOptions): void {
  const fail = (what: string, wanted: string, actual: string | undefined, why: string): never => {
    throw conflict(
      { group: "", resource: "Pod" },
      metadata.name ?? "",
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${actual ?? ""}). The object might have been ${why}`,
    );
  };
  const { uid = "", resourceVersion = "" } = preconditions;
  if (uid !== "" && uid !== metadata.uid) fail("UID", uid, metadata.uid, "deleted and then recreated");
  if (resourceVersion !== "" && resourceVersion !== metadata.resourceVersion)
    fail("ResourceVersion", resourceVersion, metadata.resourceVersion, "modified");
}

function withCondition(pod: ApiObject, now: Date): ApiObject {
  const status = (pod.status ?? {}) as PodStatus;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    lastTransitionTime: formatTime(now),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  };
  return { ...pod, status: { ...status, conditions: replaceCondition(status.conditions, condition) } };
}

/** Combines the delete options of the body with `dryRun` of the query. */
function settleOptions(options: DeleteOptions, dryRun: boolean, name: string): DeleteOptions {
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) {
    const field = "deleteOptions.ignoreStoreReadErrorWithClusterBreakingPotential";
    const detail = "can not be set for pod eviction, try after removing the option";
    throw invalid({ group: "policy", kind: "Eviction" }, name, [invalidField(field, true, detail)]);
  }
  const { dryRun: given = [] } = options;
  if (!dryRun) return options;
  if (given.length > 0 && !equalJson(given, ["All"]))
    throw plainFailure(`Non-matching dry-run options in request and content: [All] and ${goValue(given)}`);
  return { ...options, dryRun: ["All"] };
}

async function readPod({ resource, info }: ApiRequest): Promise<ApiObject> {
  const live = await resource.stored.objects.get(registryKey(resource.stored.prefix, info.namespace, info.name));
  if (live === undefined) {
    throw notFound(resource.groupResource, info.name);
  }
  return live.object;
}

function isExempt(pod: ApiObject): boolean {
  const { phase = "" } = (pod.status ?? {}) as PodStatus;
  return NOT_COUNTED.has(phase) || pod.metadata.deletionTimestamp !== undefined;
}

/** A pending pod may be ready by the time it is deleted. */
function isPending(pod: ApiObject): boolean {
  return (pod.status as PodStatus | undefined)?.phase === "Pending" && pod.metadata.deletionTimestamp === undefined;
}
