import { type Metric, NumberMetric } from "./metric.ts";

interface Counts {
  readonly allocated: number;
  readonly available: number;
}

/** Metrics of the addresses and ports of Services. Updated when they are read. */
export class ServiceMetrics {
  readonly #allocatedIps = new NumberMetric(
    "gauge",
    "kube_apiserver_clusterip_allocator_allocated_ips",
    "Number of allocated cluster IPs, by range.",
    ["cidr"],
  );
  readonly #availableIps = new NumberMetric(
    "gauge",
    "kube_apiserver_clusterip_allocator_available_ips",
    "Number of available cluster IPs, by range.",
    ["cidr"],
  );
  readonly #allocatedPorts = new NumberMetric(
    "gauge",
    "kube_apiserver_nodeport_allocator_allocated_ports",
    "Number of allocated node ports.",
  );
  readonly #availablePorts = new NumberMetric(
    "gauge",
    "kube_apiserver_nodeport_allocator_available_ports",
    "Number of available node ports.",
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
    this.#allocatedIps.clear();
    this.#availableIps.clear();
    for (const { cidr, allocated, available } of addresses) {
      this.#allocatedIps.set(allocated, cidr);
      this.#availableIps.set(available, cidr);
    }
    this.#allocatedPorts.set(ports.allocated);
    this.#availablePorts.set(ports.available);
  }
}
