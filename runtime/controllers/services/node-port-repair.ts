import type { ObjectReader } from "../../contract/object-access.ts";
import type { Controller, ControllerParts } from "../controller.ts";
import { createPeriodicController } from "../periodic-controller.ts";
import type { PortRecord } from "./port-record.ts";
import { nodePortsOf, type Service } from "./service-shape.ts";

export interface NodePortRepairParts extends Pick<ControllerParts, "delay" | "onProblem"> {
  readonly reader: ObjectReader;
  readonly record: PortRecord;
}

const INTERVAL_MS = 3 * 60 * 1000;
/** A marked port without a Service may belong to a Service that is being written. It is released after more checks than this. */
const LOOKS_BEFORE_LOST = 3;

/** Repairs the record of node ports from the Services: a server may stop between the two writes of an allocation. */
export function createNodePortRepair(parts: NodePortRepairParts): Controller {
  const unused = new Map<number, number>();
  const work = {
    name: "node-port-repair",
    subject: "node ports",
    intervalMs: INTERVAL_MS,
    round: () => repair(parts, unused),
  };
  return createPeriodicController(work, parts);
}

async function repair({ reader, record }: NodePortRepairParts, unused: Map<number, number>): Promise<void> {
  // Reads the record before the Services, so that a port that is marked in between is not considered unused.
  const marked = (await record.read()) ?? new Set<number>();
  const services = (await reader.list({ group: "", resource: "services" })) as readonly Service[];
  const used = new Set(services.flatMap(({ spec }) => nodePortsOf(spec)));
  for (const port of unused.keys()) if (used.has(port) || !marked.has(port)) unused.delete(port);
  const lost = new Set<number>();
  for (const port of marked) {
    if (used.has(port)) continue;
    const looks = (unused.get(port) ?? 0) + 1;
    unused.set(port, looks);
    if (looks > LOOKS_BEFORE_LOST) lost.add(port);
  }
  const missing = [...used].filter((port) => !marked.has(port));
  if (missing.length === 0 && lost.size === 0 && marked.size > 0) return;
  await record.update((current) => {
    const kept = [...(current ?? [])].filter((port) => !lost.has(port));
    const next = new Set([...kept, ...missing]);
    return current !== undefined && next.size === current.size && kept.length === current.size ? undefined : next;
  });
  for (const port of lost) unused.delete(port);
}
