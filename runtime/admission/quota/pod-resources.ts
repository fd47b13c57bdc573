import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { type Amounts, addAmounts, onlyNames, raiseTo, readAmounts, writeAmounts } from "../../values/amounts.ts";
import { containerAmounts } from "../../values/container-amounts.ts";
import type { Quantity } from "../../values/quantity.ts";
import type { Pod } from "../pod-shape.ts";

const POD_LEVEL = ["cpu", "memory"];

/** Returns the requests or limits of a pod: pod-level ones take precedence over the sum of its containers. */
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
 * Returns the spec of a pod with the actual resources: each long-running container has the largest of its requested, allocated and actual quantities.
 * Requested quantities do not count while a resize is infeasible.
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
