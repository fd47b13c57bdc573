import { describe, it } from "vitest";
import { createNaming } from "../../runtime/contract/naming.ts";
import { AddressRange } from "../../runtime/controllers/services/address-range.ts";
import { ServiceAllocator } from "../../runtime/controllers/services/service-allocator.ts";
import type { Service, ServicePort } from "../../runtime/controllers/services/service-shape.ts";
import { expectLinear } from "./growth.ts";

const makeAllocator = (last: number) =>
  new ServiceAllocator({
    naming: createNaming({ domain: "k8s.io", vendor: "kubernetes" }),
    ranges: [new AddressRange("10.0.0.0/16")],
    nodePorts: { first: 1, last },
    featureEnabled: () => false,
    random: Math.random,
  });

function makeService(size: number, more: (port: number) => Partial<ServicePort>): Service {
  const ports = Array.from({ length: size }, (_, index) => {
    const port = index + 1;
    return { name: `p${port}`, port, protocol: "TCP" as const, ...more(port) };
  });
  return { metadata: { name: "a", namespace: "web" }, spec: { type: "NodePort", ports } };
}

/* A Service may have every port there is, in a body of 3 MiB. */
describe("node ports of a service with many ports are allocated in linear time", () => {
  it.each<[string, number, boolean, (port: number) => Partial<ServicePort>]>([
    ["where the range has too few", 1000, false, () => ({})],
    ["where the range has enough", 100_000, false, () => ({})],
    ["where each port requests its own", 100_000, false, (port) => ({ nodePort: port })],
    ["in a dry run", 1000, true, () => ({})],
    ["in a dry run of requested ports", 1000, true, (port) => ({ nodePort: port })],
  ])("%s", async (_, last, dryRun, more) => {
    await expectLinear(
      (size) => makeService(size, more),
      async (service) => {
        const spec = { ...service.spec, ports: service.spec.ports?.map((port) => ({ ...port })) ?? [] };
        const allocation = await makeAllocator(last).allocate({ ...service, spec }, undefined, { dryRun });
        allocation.release();
      },
      { size: 15_000, boundMs: 1500 },
    );
  });
});
