import { type Amounts, addAmounts, maxAmounts, NO_AMOUNTS, readAmounts } from "./amounts.ts";

interface ContainerShape {
  readonly resources?: { readonly [which in "requests" | "limits"]?: Readonly<Record<string, string>> };
  readonly restartPolicy?: string;
}

export interface ContainersShape {
  readonly containers?: readonly ContainerShape[];
  readonly initContainers?: readonly ContainerShape[];
}

/**
 * The requests or limits of all containers of a pod. Init containers run one after the other, so the largest counts; those that keep
 * running (restartPolicy Always) are added to all containers after them.
 */
export function containerAmounts(spec: ContainersShape, which: "requests" | "limits"): Amounts {
  const of = (container: ContainerShape) => readAmounts(container.resources?.[which]);
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
  return maxAmounts(total, peak);
}
