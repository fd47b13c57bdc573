import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { type Amounts, addAmounts, maxAmounts, NO_AMOUNTS, onlyNames, readAmounts } from "./amounts.ts";

const POD_LEVEL = ["cpu", "memory"];

/**
 * The requests or limits of a whole pod. Init containers run one after the other, so the largest counts; those that keep running
 * (restartPolicy Always) are added to all containers after them.
 */
export function podAmounts(
  spec: PodSpec,
  which: "requests" | "limits",
  options: { readonly overhead: boolean },
): Amounts {
  const of = (container: Pick<Container, "resources">) => readAmounts(container.resources?.[which]);
  let total = (spec.containers ?? []).map(of).reduce(addAmounts, NO_AMOUNTS);
  let sidecars = NO_AMOUNTS;
  let peak = NO_AMOUNTS;
  for (const container of spec.initContainers ?? []) {
    const own = of(container);
    if (container.restartPolicy === "Always") {
      total = addAmounts(total, own);
      sidecars = addAmounts(sidecars, own);
      peak = maxAmounts(peak, sidecars);
    } else peak = maxAmounts(peak, addAmounts(own, sidecars));
  }
  total = maxAmounts(total, peak);
  const podLevel = onlyNames(readAmounts(spec.resources?.[which]), POD_LEVEL);
  if (podLevel.size > 0) total = new Map([...total, ...podLevel]);
  if (!options.overhead) return total;
  const overhead = readAmounts(spec.overhead);
  return addAmounts(total, which === "requests" ? overhead : onlyNames(overhead, total.keys()));
}
