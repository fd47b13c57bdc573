import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource } from "../../contract/object-access.ts";
import type { LabelSelectorObject } from "../../contract/selector.ts";
import { hasReason, type StatusError } from "../../contract/status.ts";
import { labelSelectorMatches } from "../../values/format-label-selector.ts";
import { forbidden, notFound, plainFailure, timeoutError, tooManyRequests } from "../../values/status-errors.ts";
import { formatTime } from "../../values/times.ts";
import { type Condition, type PodStatus, replaceCondition } from "./pod-conditions.ts";
import type { SubresourceContext } from "./subresource-context.ts";

const BUDGETS: GroupResource = { group: "policy", resource: "poddisruptionbudgets" };
const DOES_NOT_FIT = "Cannot evict pod as it would violate the pod's disruption budget.";
/** Maximum number of evictions of a budget that the disruption controller has not confirmed. */
const MOST_DISRUPTED = 2000;
/** Maximum number of attempts in case of conflicts. */
export const ATTEMPTS = 20;

interface Budget extends ApiObject {
  readonly spec?: { readonly selector?: LabelSelectorObject; readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly disruptedPods?: Readonly<Record<string, string>>;
    readonly conditions?: readonly Condition[];
  };
}

function isReady(pod: ApiObject): boolean {
  const { conditions = [] } = (pod.status ?? {}) as PodStatus;
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

/** Whether a pod that is not ready may be evicted without counting as a disruption. */
function allowsEvictionOfUnreadyPods({ spec, status = {} }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/**
 * Counts the disruption in the pod's budget. Throws 429 if the budget does not allow it. Returns the name of the budget if it does not
 * count the pod because the pod is not ready.
 */
export async function takeDisruption(
  pod: ApiObject,
  { objects, now }: SubresourceContext,
  dryRun: boolean,
): Promise<string | undefined> {
  const namespace = pod.metadata.namespace ?? "";
  const all = (await objects.list(BUDGETS, namespace)) as readonly Budget[];
  const matching = all.filter(
    ({ spec }) => spec?.selector !== undefined && labelSelectorMatches(spec.selector, pod.metadata.labels ?? {}),
  );
  const [budget] = matching;
  if (budget === undefined) {
    return undefined;
  }
  if (matching.length > 1) {
    throw plainFailure(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const name = budget.metadata.name ?? "";
  if (!isReady(pod) && allowsEvictionOfUnreadyPods(budget)) return name;
  let current: Budget | undefined = budget;
  for (let attempt = 1; current !== undefined; attempt += 1) {
    checkBudget(current);
    if (dryRun) return undefined;
    try {
      await objects.update(BUDGETS, withDisruption(current, pod.metadata.name ?? "", now()), "status");
      return undefined;
    } catch (error) {
      if (!hasReason(error, "Conflict")) throw error;
      if (attempt === ATTEMPTS)
        throw timeoutError(`couldn't update PodDisruptionBudget "${name}" due to conflicts`, 10);
    }
    current = (await objects.get(BUDGETS, namespace, name)) as Budget | undefined;
  }
  throw notFound(BUDGETS, name);
}

function withDisruption(budget: Budget, podName: string, now: Date): Budget {
  const { status = {} } = budget;
  const disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
  const usedUp = {
    type: "DisruptionAllowed",
    status: "False",
    observedGeneration: status.observedGeneration ?? 0,
    lastTransitionTime: formatTime(now),
    reason: "InsufficientPods",
    message: "",
  };
  return {
    ...budget,
    status: {
      ...status,
      disruptionsAllowed,
      disruptedPods: { ...status.disruptedPods, [podName]: formatTime(now) },
      ...(disruptionsAllowed === 0 && { conditions: replaceCondition(status.conditions, usedUp) }),
    },
  };
}

export function stillProcessed(budget: string): StatusError {
  const message = `The disruption budget ${budget} is still being processed by the server.`;
  return tooManyRequests(DOES_NOT_FIT, 10, [{ reason: "DisruptionBudget", message }]);
}

function checkBudget({ metadata, status = {} }: Budget): void {
  const { name = "" } = metadata;
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw stillProcessed(name);
  }
  const allowed = status.disruptionsAllowed ?? 0;
  if (allowed < 0) {
    throw forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, "pdb disruptions allowed is negative");
  }
  if (Object.keys(status.disruptedPods ?? {}).length > MOST_DISRUPTED) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, why);
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
