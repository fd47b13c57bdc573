/** `make cluster NODES=5000`: measures a server under the load of a whole cluster and compares it with Kubernetes' service level objectives. */
import { existsSync } from "node:fs";
import { formatMeasurement, type Measurement, meetsBar } from "../measurement.ts";
import { measureCluster } from "./measure-cluster.ts";

const nodes = Number(process.argv[2] ?? 500);
if (!Number.isInteger(nodes) || nodes < 1) {
  console.error(
    "usage: make cluster [NODES=500] [DATA=<directory, kept and used again>] [CONTROLLER_MANAGER=<kube-controller-manager>]",
  );
  process.exit(2);
}
const controllerManager = process.env.CONTROLLER_MANAGER || undefined;
if (controllerManager !== undefined && !existsSync(controllerManager)) {
  console.error(`CONTROLLER_MANAGER=${controllerManager}: there is no such file`);
  process.exit(2);
}
const missed: Measurement[] = [];
await measureCluster(
  (measurement) => {
    console.log(formatMeasurement(measurement));
    if (!meetsBar(measurement)) missed.push(measurement);
  },
  nodes,
  process.argv[3] || undefined,
  controllerManager,
);
console.log(missed.length === 0 ? "every objective is met" : `missed: ${missed.map(({ name }) => name).join("; ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;
