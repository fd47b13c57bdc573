import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource, ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import {
  badRequest,
  forbidden,
  invalid,
  notFound,
  plainFailure,
  StatusError,
  success,
  tooManyRequests,
} from "../../contract/status.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { invalidField } from "../../lib/field-errors.ts";
import { type LabelSelectorObject, labelSelectorMatches } from "../../lib/format-label-selector.ts";
import { formatTime } from "../../lib/format-time.ts";
import { goValue } from "../../lib/go-format.ts";
import { decodeObject, reportProblems } from "../../resource/decode-object.ts";
import { deleteObject } from "../../resource/delete-object.ts";
import { type DeleteOptions, validateDeleteOptions } from "../../resource/delete-options.ts";
import { registryKey } from "../../resource/registry-key.ts";
import type { Answer } from "../answer.ts";
import type { ApiRequest } from "../api-request.ts";
import { noteObject } from "../note-request.ts";
import { readWriteQuery } from "../query-options.ts";
import { checkNamespaceInBody, writeRequest } from "../write-context.ts";
import type { SubresourceContext } from "./subresource-handlers.ts";
import { subresourceType } from "./subresource-type.ts";

const BUDGETS: GroupResource = { group: "policy", resource: "poddisruptionbudgets" };
const DOES_NOT_FIT = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Phases in which a pod does not count for any budget. */
const NOT_COUNTED = new Set(["Succeeded", "Failed", "Pending"]);

interface Budget extends ApiObject {
  readonly spec?: { readonly selector?: LabelSelectorObject };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
  };
}

export interface EvictionContext {
  readonly objects: ObjectReader & ObjectWriter;
}

/** POST to `pods/<name>/eviction`: a deletion that asks the disruption budgets first. */
export function evictionHandler(context: SubresourceContext) {
  return async (request: ApiRequest): Promise<Answer> => {
    const { resource, info } = request;
    const query = readWriteQuery(request.query, "CreateOptions", resource.metaGroup);
    // Clients from before policy/v1 say the same in the same words.
    const expected = { ...subresourceType(request, context), formerly: ["policy/v1beta1"] };
    const decoded = decodeObject(await request.body(), request.bodyFormat(), expected, context.parseBody);
    reportProblems(decoded.problems, query.fieldValidation, request.warn, expected);
    noteObject(request, decoded.object, expected.schema);
    const eviction = decoded.object as ApiObject & { deleteOptions?: DeleteOptions };
    checkNamespaceInBody(eviction, info.namespace);
    const name = eviction.metadata.name ?? "";
    if (name !== info.name) {
      throw badRequest("name in URL does not match name in Eviction object");
    }
    const options = settleOptions(eviction.deleteOptions ?? {}, query.dryRun, name);
    const dryRun = (options.dryRun ?? []).length > 0;
    const pod = await readPod(request);
    const problems = validateDeleteOptions(options);
    if (problems.length > 0) throw invalid({ group: resource.metaGroup, kind: "DeleteOptions" }, "", problems);
    if (!isExempt(pod)) {
      await takeDisruption(pod, context, dryRun);
    }
    await deleteObject({ ...writeRequest(request, query), subresource: "", dryRun }, info.name, options, context);
    return { type: "status", status: 201, body: { ...success(), code: 201 } };
  };
}

/** What the request and its content say together of how to delete. */
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
  const cached = await resource.stored.cache.get(registryKey(resource.stored.prefix, info.namespace, info.name));
  if (cached === undefined) {
    throw notFound(resource.groupResource, info.name);
  }
  return cached.object as unknown as ApiObject;
}

function isExempt(pod: ApiObject): boolean {
  const { phase = "" } = (pod.status ?? {}) as { phase?: string };
  return NOT_COUNTED.has(phase) || pod.metadata.deletionTimestamp !== undefined;
}

/** Counts the disruption on the pod's budget; throws 429 when the budget does not allow one. */
async function takeDisruption(pod: ApiObject, { objects, now }: SubresourceContext, dryRun: boolean): Promise<void> {
  const namespace = pod.metadata.namespace ?? "";
  const all = (await objects.list(BUDGETS, namespace)) as readonly Budget[];
  const matching = all.filter(
    ({ spec }) => spec?.selector !== undefined && labelSelectorMatches(spec.selector, pod.metadata.labels ?? {}),
  );
  const [budget] = matching;
  if (budget === undefined) {
    return;
  }
  if (matching.length > 1) {
    throw plainFailure(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  checkBudget(budget);
  if (dryRun) {
    return;
  }
  const { status = {} } = budget;
  const disruptedPods = { ...status.disruptedPods, [pod.metadata.name ?? ""]: formatTime(now()) };
  try {
    const changed = {
      ...budget,
      status: { ...status, disruptionsAllowed: (status.disruptionsAllowed ?? 0) - 1, disruptedPods },
    };
    await objects.update(BUDGETS, changed, "status");
  } catch (error) {
    if (error instanceof StatusError && error.status.reason === "Conflict") {
      throw tooManyRequests(DOES_NOT_FIT, 10);
    }
    throw error;
  }
}

function checkBudget({ metadata, status = {} }: Budget): void {
  const { name = "" } = metadata;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw tooManyRequests(DOES_NOT_FIT, 10, [
      { reason: "DisruptionBudget", message: `The disruption budget ${name} is still being processed by the server.` },
    ]);
  }
  const allowed = status.disruptionsAllowed ?? 0;
  if (allowed < 0) {
    throw forbidden({ group: "", resource: "poddisruptionbudget" }, name, "pdb disruptions allowed is negative");
  }
  if (allowed === 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = status;
    throw tooManyRequests(DOES_NOT_FIT, 0, [
      {
        reason: "DisruptionBudget",
        message: `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      },
    ]);
  }
}
