import type { StatusError } from "../../contract/status.ts";
import { invalidField } from "../../values/field-errors.ts";
import { internalError, invalid, plainFailure } from "../../values/status-errors.ts";
import {
  isGivenNodePorts,
  needsHealthCheckPort,
  needsNodePort,
  type Service,
  type ServicePort,
} from "./service-shape.ts";

/** Allocates ports. Both functions record their allocations, so that a failed write can release them. */
export interface PortSource {
  /** Allocates this port, or returns the reason why that is impossible. */
  take(port: number): Promise<{ readonly refused?: string }>;
  /** Allocates any free port. Throws a Status error that contains `what` if there is none. */
  takeAny(what: string): Promise<number>;
}

/** Allocates the missing node ports of a service before it is stored. */
export async function takeNodePorts(next: Service, old: Service | undefined, source: PortSource): Promise<void> {
  if (needsNodePort(next.spec)) {
    if (old === undefined) await takeForNew(next, source);
    else await takeForChanged(next, old, source);
  }
  const needed = old !== undefined && needsHealthCheckPort(old.spec);
  if (needsHealthCheckPort(next.spec) && !needed) await takeHealthCheckPort(next, source);
}

/** In a new Service, entries with the same port and different protocols share a node port, unless they request different ones. */
async function takeForNew(next: Service, source: PortSource): Promise<void> {
  const given = new Map<number, number>();
  const requested = firstRequested(next.spec.ports ?? []);
  for (const [index, port] of portsToFill(next)) {
    const shared = given.get(port.port);
    if (shared !== undefined) {
      if (port.nodePort && port.nodePort !== shared) await takeAsked(next, index, port.nodePort, source);
      port.nodePort ||= shared;
      continue;
    }
    const asked = requested.get(port.port);
    if (asked) await takeAsked(next, index, asked, source);
    port.nodePort = asked || (await source.takeAny("failed to allocate a nodePort"));
    given.set(port.port, port.nodePort);
  }
}

/** Returns, for each port, the first requested node port. */
function firstRequested(ports: readonly ServicePort[]): Map<number, number> {
  const requested = new Map<number, number>();
  for (const { port, nodePort } of ports) if (nodePort && !requested.has(port)) requested.set(port, nodePort);
  return requested;
}

/** In an updated Service, entries share a node port only if they request it, each with a different protocol. */
async function takeForChanged(next: Service, old: Service, source: PortSource): Promise<void> {
  const held = new Set((old.spec.ports ?? []).map(({ nodePort }) => nodePort));
  const seen = new Set<string>();
  for (const [index, port] of portsToFill(next)) {
    if (!port.nodePort) port.nodePort = await source.takeAny("failed to allocate a nodePort");
    else if (!held.has(port.nodePort)) {
      await takeAsked(next, index, port.nodePort, source);
      held.add(port.nodePort);
    }
    const shown = `{${port.protocol ?? ""} ${port.nodePort}}`;
    if (seen.has(shown)) throw plainFailure(`duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
}

function portsToFill({ spec }: Service): [number, ServicePort][] {
  const automatic = isGivenNodePorts(spec);
  return [...(spec.ports ?? []).entries()].filter(([, port]) => port.nodePort || automatic);
}

async function takeAsked(next: Service, index: number, port: number, source: PortSource): Promise<void> {
  const { refused } = await source.take(port);
  if (refused !== undefined) throw invalidService(next, [invalidField(`spec.ports[${index}].nodePort`, port, refused)]);
}

async function takeHealthCheckPort({ spec }: Service, source: PortSource): Promise<void> {
  const port = spec.healthCheckNodePort;
  if (!port) {
    spec.healthCheckNodePort = await source.takeAny("failed to allocate a HealthCheck NodePort 0");
    return;
  }
  const { refused } = await source.take(port);
  if (refused !== undefined)
    throw internalError(`failed to allocate requested HealthCheck NodePort ${port}: ${refused}`);
}

export function invalidService(service: Service, problems: Parameters<typeof invalid>[2]): StatusError {
  return invalid({ group: "", kind: "Service" }, service.metadata.name ?? "", problems);
}
