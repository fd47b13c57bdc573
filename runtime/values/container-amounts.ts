import { type Amounts, addInto, raiseTo, readAmounts } from "./amounts.ts";
import { addQuantities, type Quantity } from "./quantity.ts";

interface ContainerShape {
  readonly resources?: { readonly [which in "requests" | "limits"]?: Readonly<Record<string, string>> };
  readonly restartPolicy?: string;
}

export interface ContainersShape {
  readonly containers?: readonly ContainerShape[];
  readonly initContainers?: readonly ContainerShape[];
}

/**
 * Sums the requests or limits of all containers of a pod. Init containers run sequentially, so the largest one counts; those that keep running
 * (restartPolicy Always) are added to all containers after them.
 */
export function containerAmounts(spec: ContainersShape, which: "requests" | "limits"): Amounts {
  const total = new Map<string, Quantity>();
  const running = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const { resources } of spec.containers ?? []) addInto(total, readAmounts(resources?.[which]));
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const own = readAmounts(resources?.[which]);
    // Containers that are already running were counted when they were started.
    raiseTo(
      peak,
      [...own].map(([name, amount]) => [name, plus(amount, running.get(name))]),
    );
    if (restartPolicy !== "Always") continue;
    addInto(total, own);
    addInto(running, own);
  }
  raiseTo(total, peak);
  return total;
}

function plus(amount: Quantity, other: Quantity | undefined): Quantity {
  return other === undefined ? amount : addQuantities(amount, other);
}
