import { type Metric, NumberMetric } from "./metric.ts";

interface Counts {
  readonly allocated: number;
  readonly available: number;
}

/** The addresses and ports of services in numbers, as they are when metrics are read. */
export class ServiceMetrics {
  readonly #allocatedIps = new NumberMetric(
    "gauge",
    "kube_apiserver_clusterip_allocator_allocated_ips",
    "Addresses that services have, by range.",
    ["cidr"],
  );
  readonly #availableIps = new NumberMetric(
    "gauge",
    "kube_apiserver_clusterip_allocator_available_ips",
    "Addresses that are left, by range.",
    ["cidr"],
  );
  readonly #allocatedPorts = new NumberMetric(
    "gauge",
    "kube_apiserver_nodeport_allocator_allocated_ports",
    "Node ports that services have.",
  );
  readonly #availablePorts = new NumberMetric(
    "gauge",
    "kube_apiserver_nodeport_allocator_available_ports",
    "Node ports that are left.",
  );

  get families(): readonly Metric[] {
    return [this.#allocatedIps, this.#availableIps, this.#allocatedPorts, this.#availablePorts];
  }

  collect({
    addresses,
    ports,
  }: {
    readonly addresses: readonly (Counts & { readonly cidr: string })[];
    readonly ports: Counts;
  }): void {
    for (const { cidr, allocated, available } of addresses) {
      this.#allocatedIps.set(allocated, cidr);
      this.#availableIps.set(available, cidr);
    }
    this.#allocatedPorts.set(ports.allocated);
    this.#availablePorts.set(ports.available);
  }
}
