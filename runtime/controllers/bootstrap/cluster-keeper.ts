import type { Controller, ControllerParts } from "../controller.ts";
import { createPeriodicController } from "../periodic-controller.ts";
import { type BootstrapParts, restoreCluster } from "./bootstrap-cluster.ts";

const INTERVAL_MS = 60_000;

/** Restores deleted bootstrap objects every minute. */
export function createClusterKeeper(
  cluster: BootstrapParts,
  parts: Pick<ControllerParts, "delay" | "onProblem">,
): Controller {
  const work = {
    name: "cluster-keeper",
    subject: "what every cluster has",
    intervalMs: INTERVAL_MS,
    waitsFirst: true,
    round: () => restoreCluster(cluster),
  };
  return createPeriodicController(work, parts);
}
