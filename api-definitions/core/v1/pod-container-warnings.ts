import { goQuote } from "../../../runtime/go/quote.ts";
import { repeats } from "../../../runtime/values/repeats.ts";
import type { ContainerPort } from "./container.ts";
import type { EnvVar } from "./environment.ts";
import { warnOfFraction } from "./fractional-bytes.ts";
import { containersWithPaths, type PlacedContainer } from "./pod-containers.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { ResourceList } from "./resources.ts";

const IN_BYTES = ["memory", "ephemeral-storage"];

/** `warnFirst` is called for each container before its other warnings are added. */
export function warnOfContainers(
  spec: PodSpec,
  path: string,
  warnings: string[],
  warnFirst: (container: PlacedContainer["container"]) => void,
): void {
  const containers = containersWithPaths(spec, path);
  for (const { container, path: at } of containers) {
    warnFirst(container);
    for (const name of IN_BYTES) {
      warnings.push(...warnOfFraction(container.resources?.limits, name, `${at}.resources.limits`));
      warnings.push(...warnOfFraction(container.resources?.requests, name, `${at}.resources.requests`));
    }
    warnOfHiddenVariables(container.env ?? [], `${at}.env`, warnings);
  }
  for (const warning of warnOfPorts(containers)) warnings.push(warning);
  warnOfPortNames(containers, warnings);
}

export function warnOfFractions(amounts: ResourceList | undefined, path: string): string[] {
  return IN_BYTES.flatMap((name) => warnOfFraction(amounts, name, path));
}

/** Warns of an environment variable that is set again, unless the later value refers to the earlier one. */
function warnOfHiddenVariables(variables: readonly EnvVar[], path: string, warnings: string[]): void {
  const isRepeated = repeats<string>();
  for (const [index, { name, value = "", valueFrom }] of variables.entries()) {
    if (!isRepeated(name)) continue;
    const reference = `$(${name})`;
    const builds = valueFrom === undefined && value !== reference && value.includes(reference);
    if (builds) continue;
    const what = `hides previous definition of ${goQuote(name)}, which may be dropped when using apply`;
    warnings.push(`${path}[${index}]: ${what}`);
  }
}

/** Maximum number of port warnings. Clients receive at most 4 KiB of warnings, so not every pair of ports needs one. */
const MOST_WARNINGS = 100;
/** Maximum number of ports with the same number and protocol that each port is compared with. */
const MOST_COMPARED = 100;

function warnOfPorts(containers: readonly PlacedContainer[]): string[] {
  const warnings: string[] = [];
  const known = new Map<string, { field: string; port: ContainerPort }[]>();
  for (const { container, path } of containers) {
    for (const [index, port] of (container.ports ?? []).entries()) {
      if (warnings.length >= MOST_WARNINGS) return warnings;
      const field = `${path}.ports[${index}]`;
      if (port.hostIP && !port.hostPort) warnings.push(`${field}: hostIP set without hostPort: ${goPort(port)}`);
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const conflict = conflictOf(port, other.port);
        if (conflict !== undefined) warnings.push(`${field}: ${conflict} port definition with ${other.field}`);
      }
      if (others.length < MOST_COMPARED) others.push({ field, port });
      known.set(key, others);
    }
  }
  return warnings;
}

function conflictOf(a: ContainerPort, b: ContainerPort): string | undefined {
  const [portA, portB, ipA, ipB] = [a.hostPort ?? 0, b.hostPort ?? 0, a.hostIP ?? "", b.hostIP ?? ""];
  if (portA === portB && ipA === ipB) return "duplicate";
  if (portA === 0 || portB === 0) return "overlapping";
  return portA === portB && (ipA === "") !== (ipB === "") ? "dangerously ambiguous" : undefined;
}

function warnOfPortNames(containers: readonly PlacedContainer[], warnings: string[]): void {
  const first = new Map<string, string>();
  for (const { container, path } of containers) {
    for (const [index, { name }] of (container.ports ?? []).entries()) {
      if (!name) continue;
      const field = `${path}.ports[${index}]`;
      const other = first.get(name);
      if (other === undefined) {
        first.set(name, field);
        continue;
      }
      const advice = `services and probes that select ports by name will use ${other}`;
      warnings.push(`${field}: duplicate port name ${goQuote(name)} with ${other}, ${advice}`);
    }
  }
}

/** A port as Go prints it. */
function goPort({ name = "", hostPort = 0, containerPort, protocol, hostIP = "" }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol ?? ""} HostIP:${hostIP}}`;
}
