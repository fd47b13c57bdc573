import { beforeEach, describe, expect, it } from "vitest";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { AddressRange } from "../../runtime/controllers/services/address-range.ts";
import { ServiceAllocator } from "../../runtime/controllers/services/service-allocator.ts";
import { createServiceCidrs } from "../../runtime/controllers/services/service-cidrs.ts";
import type { Service, ServiceSpec } from "../../runtime/controllers/services/service-shape.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { controllerParts, naming, settle } from "./controller-parts.ts";

const CIDRS = { group: "networking.k8s.io", resource: "servicecidrs" };
const ADDRESSES = { group: "networking.k8s.io", resource: "ipaddresses" };
const FINALIZER = "networking.k8s.io/service-cidr-finalizer";
const FLAG = "10.0.0.0/30";

let objects: InMemoryObjects;
beforeEach(() => {
  objects = new InMemoryObjects();
});

const cidr = (name: string, cidrs: string[], more: object = {}): ApiObject => ({
  metadata: { name },
  spec: { cidrs },
  ...more,
});

async function makeAllocator(): Promise<ServiceAllocator> {
  const allocator = new ServiceAllocator({
    naming,
    ranges: [new AddressRange(FLAG)],
    furtherRanges: true,
    nodePorts: { first: 30000, last: 32767 },
    featureEnabled: () => false,
    random: () => 0,
    writer: objects,
  });
  await allocator.follow(objects);
  return allocator;
}

let count = 0;
async function addressOf(allocator: ServiceAllocator, spec: ServiceSpec = {}): Promise<string | undefined> {
  const service: Service = {
    metadata: { name: `s${++count}`, namespace: "web", uid: `uid-${count}` },
    spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP" }], ...spec },
  };
  const allocation = await allocator.allocate(service, undefined, { dryRun: false });
  allocation.commit();
  return service.spec.clusterIP;
}

const asking = (address: string): ServiceSpec => ({ clusterIP: address, clusterIPs: [address] });
const OUTSIDE = "the provided network does not match the current range";

describe("further ranges of service addresses", () => {
  it("are used if a service requests one of their addresses", async () => {
    const allocator = await makeAllocator();
    await expect(addressOf(allocator, asking("10.9.0.3"))).rejects.toThrow(
      `failed to allocate IP 10.9.0.3: ${OUTSIDE}`,
    );
    await objects.create(CIDRS, cidr("more", ["10.9.0.0/29", "fd00::/112"]));
    expect(await addressOf(allocator, asking("10.9.0.3"))).toBe("10.9.0.3");
    expect(await objects.get(ADDRESSES, "", "10.9.0.3")).toBeDefined();
    await expect(addressOf(allocator, asking("10.9.0.3"))).rejects.toThrow("provided IP is already allocated");
    for (const edge of ["10.9.0.0", "10.9.0.7"])
      await expect(addressOf(allocator, asking(edge))).rejects.toThrow(OUTSIDE);
  });

  it("are used when the first is full", async () => {
    const allocator = await makeAllocator();
    await objects.create(CIDRS, cidr("more", ["10.9.0.0/30"]));
    const given = [await addressOf(allocator), await addressOf(allocator), await addressOf(allocator)];
    expect(given).toEqual(["10.0.0.1", "10.0.0.2", "10.9.0.1"]);
    expect(await addressOf(allocator)).toBe("10.9.0.2");
    await expect(addressOf(allocator)).rejects.toThrow("failed to allocate a serviceIP: range is full");
  });

  it.each([
    ["not ready", { status: { conditions: [{ type: "Ready", status: "False" }] } }],
    ["being deleted", { metadata: { name: "more", deletionTimestamp: "2026-01-01T00:00:00Z" } }],
    ["of no use", { spec: { cidrs: ["10.9.0.3/32", "fd00::/32"] } }],
  ])("allocate nothing if they are %s", async (_how, state) => {
    const allocator = await makeAllocator();
    await objects.seed(CIDRS, cidr("more", ["10.9.0.0/29"], state));
    await expect(addressOf(allocator, asking("10.9.0.3"))).rejects.toThrow(OUTSIDE);
  });

  it("replace the range of the command line while that is being deleted", async () => {
    const allocator = await makeAllocator();
    const gone = { metadata: { name: "kubernetes", deletionTimestamp: "2026-01-01T00:00:00Z" } };
    await objects.seed(CIDRS, cidr("kubernetes", [FLAG], gone));
    await expect(addressOf(allocator)).rejects.toThrow(`failed to allocate a serviceIP: ${OUTSIDE}`);
    await objects.create(CIDRS, cidr("larger", ["10.0.0.0/24"]));
    expect(await addressOf(allocator)).toBe("10.0.0.1");
  });
});

describe("the controller of service ranges", () => {
  const given = { labels: { "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io" } };
  const deleted = (at: string) => ({
    metadata: { name: "more", finalizers: [FINALIZER], deletionTimestamp: at },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });

  async function run(): Promise<ApiObject | undefined> {
    const parts = controllerParts(objects);
    const controller = createServiceCidrs(parts);
    await controller.start();
    await settle(controller);
    await controller.stop();
    expect(parts.problems).toEqual([]);
    return objects.get(CIDRS, "", "more");
  }

  it("adds a finalizer to ranges and sets their condition Ready", async () => {
    await objects.create(CIDRS, cidr("more", ["10.9.0.0/29"]));
    expect(await run()).toMatchObject({
      metadata: { finalizers: [FINALIZER] },
      status: { conditions: [{ type: "Ready", status: "True", message: "Kubernetes Service CIDR is ready" }] },
    });
  });

  it("keeps deleted ranges whose addresses are in use, with a condition that says why", async () => {
    await objects.seed(CIDRS, cidr("more", ["10.9.0.0/29"], deleted("2025-12-31T00:00:00Z")));
    await objects.seed(ADDRESSES, { metadata: { name: "10.9.0.3", ...given } });
    expect(await run()).toMatchObject({
      metadata: { finalizers: [FINALIZER] },
      status: { conditions: [{ type: "Ready", status: "False", reason: "Terminating" }] },
    });
  });

  it.each<[why: string, others: ApiObject[]]>([
    ["another range has the addresses in use", [cidr("wider", ["10.9.0.0/16"])]],
    ["another range has the one address in use", [cidr("part", ["10.9.0.2/31", "10.9.0.0/30"])]],
  ])("removes the finalizer if %s", async (_why, others) => {
    await objects.seed(CIDRS, cidr("more", ["10.9.0.0/29"], deleted("2025-12-31T00:00:00Z")), ...others);
    await objects.seed(ADDRESSES, { metadata: { name: "10.9.0.2", ...given } });
    expect(await run()).toBeUndefined();
  });

  it("waits until every server has seen the deletion", async () => {
    await objects.seed(CIDRS, cidr("more", ["10.9.0.0/29"], deleted("2025-12-31T23:59:55Z")));
    expect(await run()).toMatchObject({ metadata: { finalizers: [FINALIZER] } });
    await objects.seed(CIDRS, cidr("more", ["10.9.0.0/29"], deleted("2025-12-31T23:59:50Z")));
    expect(await run()).toBeUndefined();
  });
});
