import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import { type Amounts, addAmounts, onlyNames, readAmounts } from "../../values/amounts.ts";
import { containerAmounts } from "../../values/container-amounts.ts";

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
