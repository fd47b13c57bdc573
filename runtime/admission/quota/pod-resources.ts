import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { type Amounts, addAmounts, onlyNames, raiseTo, readAmounts, writeAmounts } from "../../values/amounts.ts";
import { containerAmounts } from "../../values/container-amounts.ts";
import type { Quantity } from "../../values/quantity.ts";
import type { Pod } from "../pod-shape.ts";

const POD_LEVEL = ["cpu", "memory"];

/** The requests or limits of a whole pod: those of its containers, unless the pod has its own. */
export function podAmounts(
  spec: PodSpec,
  which: "requests" | "limits",
  options: { readonly overhead: boolean },
): Amounts {
  const own = onlyNames(readAmounts(spec.resources?.[which]), POD_LEVEL);
  const total = new Map([...containerAmounts(spec, which), ...own]);
  if (!options.overhead) return total;
  const overhead = readAmounts(spec.overhead);
  return addAmounts(total, which === "requests" ? overhead : onlyNames(overhead, total.keys()));
}

/**
 * The spec of a pod, in which every container that keeps running has the largest of the amounts that it asks for, was allocated and
 * has. While a resize is infeasible, what it asks for does not count.
 */
export function withActual({ spec, status }: Pod, which: "requests" | "limits"): PodSpec {
  const statuses = new Map(
    [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map((one) => [one.name, one]),
  );
  const pending = status?.conditions?.find(({ type }) => type === "PodResizePending");
  const actual = (container: Container): Container => {
    const known = statuses.get(container.name);
    if (known?.resources === undefined) return container;
    const largest = new Map<string, Quantity>();
    if (pending?.reason !== "Infeasible") raiseTo(largest, readAmounts(container.resources?.[which]));
    raiseTo(largest, readAmounts(known.resources[which]));
    if (which === "requests") raiseTo(largest, readAmounts(known.allocatedResources));
    return { ...container, resources: { ...container.resources, [which]: writeAmounts(largest) } };
  };
  return {
    ...spec,
    containers: spec.containers.map(actual),
    ...(spec.initContainers && {
      initContainers: spec.initContainers.map((one) => (one.restartPolicy === "Always" ? actual(one) : one)),
    }),
  };
}
