import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createNaming } from "../../runtime/contract/naming.ts";
import { AddressRange } from "../../runtime/controllers/services/address-range.ts";
import { ServiceAllocator } from "../../runtime/controllers/services/service-allocator.ts";
import type { Service, ServicePort, ServiceSpec } from "../../runtime/controllers/services/service-shape.ts";
import { formatIp, ipBytes } from "../../runtime/values/ip-address.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";

const naming = createNaming({ domain: "k8s.io", vendor: "kubernetes" });
const services = { group: "", resource: "services" };
let objects: InMemoryObjects;
beforeEach(() => {
  objects = new InMemoryObjects();
});

function makeAllocator(ranges = ["10.0.0.0/16"], random = Math.random, nodePorts = { first: 30000, last: 32767 }) {
  return new ServiceAllocator({
    naming,
    ranges: ranges.map((range) => new AddressRange(range)),
    nodePorts,
    featureEnabled: () => false,
    random,
    writer: objects,
  });
}

let count = 0;
const service = (name: string, spec: ServiceSpec): Service => ({
  metadata: { name, namespace: "web", uid: `uid-${++count}` },
  spec: { type: "ClusterIP", ports: [{ port: 80, protocol: "TCP" }], ...spec },
});

/** Allocates and stores, like the write path. */
async function store(allocator: ServiceAllocator, next: Service, old?: Service): Promise<Service> {
  const allocation = await allocator.allocate(next, old, { dryRun: false });
  await objects.seed(services, next);
  allocation.commit();
  return next;
}

describe("ranges of addresses", () => {
  it("leave out network and broadcast addresses", () => {
    const range = new AddressRange("10.0.0.7/24");
    expect([range.text, range.size, range.at(0n), range.at(range.size - 1n)]).toEqual([
      "10.0.0.0/24",
      254n,
      "10.0.0.1",
      "10.0.0.254",
    ]);
    expect(range.contains("10.0.0.255")).toBe(false);
    const six = new AddressRange("fd00:1::/112");
    expect([six.at(0n), six.at(six.size - 1n), six.contains("10.0.0.1")]).toEqual(["fd00:1::1", "fd00:1::ffff", false]);
    expect(() => new AddressRange("10.0.0.0/33")).toThrow("invalid CIDR address: 10.0.0.0/33");
  });

  it("read and write addresses alike", () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const bytes = ipBytes(address);
        expect([...ipBytes(formatIp(bytes))]).toEqual([...bytes]);
      }),
    );
    expect(formatIp(ipBytes("2001:db8:0:0:1:0:0:1"))).toBe("2001:db8::1:0:0:1");
    expect(formatIp(ipBytes("::ffff:1.2.3.4"))).toBe("::ffff:102:304");
  });
});

describe("a new service", () => {
  it("gets an address of the cluster's IP family, recorded as an IPAddress object", async () => {
    const { spec } = await store(
      makeAllocator(["10.0.0.0/16"], () => 0),
      service("a", {}),
    );
    expect(spec).toMatchObject({
      clusterIP: "10.0.1.1",
      clusterIPs: ["10.0.1.1"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    expect(await objects.get({ group: "networking.k8s.io", resource: "ipaddresses" }, "", "10.0.1.1")).toMatchObject({
      metadata: {
        labels: {
          "ipaddress.kubernetes.io/ip-family": "IPv4",
          "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
        },
      },
      spec: { parentRef: { resource: "services", namespace: "web", name: "a" } },
    });
  });

  it("gets the requested address if that is free and in range", async () => {
    const allocator = makeAllocator();
    await store(allocator, service("a", { clusterIP: "10.0.200.200" }));
    await expect(
      allocator.allocate(service("b", { clusterIP: "10.0.200.200" }), undefined, { dryRun: false }),
    ).rejects.toMatchObject({
      status: {
        code: 422,
        details: {
          causes: [
            {
              field: "spec.clusterIPs",
              message:
                'Invalid value: []string{"10.0.200.200"}: failed to allocate IP 10.0.200.200: provided IP is already allocated',
            },
          ],
        },
      },
    });
    await expect(
      allocator.allocate(service("b", { clusterIP: "192.0.2.77" }), undefined, { dryRun: false }),
    ).rejects.toThrow(
      "failed to allocate IP 192.0.2.77: the provided IP (192.0.2.77) is not in the valid range. The range of valid IPs is 10.0.0.0/16",
    );
  });

  it("gets no address and no port if its type needs none", async () => {
    const allocator = makeAllocator();
    expect((await store(allocator, service("h", { clusterIP: "None", selector: { a: "b" } }))).spec).toMatchObject({
      clusterIP: "None",
      clusterIPs: ["None"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    expect((await store(allocator, service("x", { type: "ExternalName" }))).spec.clusterIPs).toBeUndefined();
    const plain = (await store(allocator, service("l", { clusterIP: "None" }))).spec;
    expect(plain).toMatchObject({ ipFamilies: ["IPv4", "IPv6"], ipFamilyPolicy: "RequireDualStack" });
  });

  it("gets addresses of both IP families if the cluster has both and the service requests them", async () => {
    const allocator = makeAllocator(["10.0.0.0/16", "fd00::/112"], () => 0);
    expect((await store(allocator, service("d", { ipFamilyPolicy: "PreferDualStack" }))).spec.clusterIPs).toEqual([
      "10.0.1.1",
      "fd00::101",
    ]);
    expect((await store(allocator, service("s", { ipFamilies: ["IPv6"] }))).spec.clusterIPs).toEqual(["fd00::102"]);
    const single = makeAllocator();
    expect((await store(single, service("p", { ipFamilyPolicy: "PreferDualStack" }))).spec.ipFamilies).toEqual([
      "IPv4",
    ]);
    await expect(
      single.allocate(service("r", { ipFamilyPolicy: "RequireDualStack" }), undefined, { dryRun: false }),
    ).rejects.toThrow("this cluster is not configured for dual-stack services");
    await expect(single.allocate(service("f", { ipFamilies: ["IPv6"] }), undefined, { dryRun: false })).rejects.toThrow(
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    );
  });

  it("gets node ports, one per port number; used ports and ports out of range are refused", async () => {
    const allocator = makeAllocator(["10.0.0.0/16"], () => 0);
    const ports: ServicePort[] = [{ port: 53, protocol: "UDP" }, { port: 53, protocol: "TCP" }, { port: 80 }];
    expect(
      (await store(allocator, service("n", { type: "NodePort", ports }))).spec.ports?.map((port) => port.nodePort),
    ).toEqual([30086, 30086, 30087]);
    const fixed = (name: string, nodePort: number) =>
      service(name, { type: "NodePort", ports: [{ port: 80, nodePort }] });
    await store(allocator, fixed("p1", 31999));
    await expect(allocator.allocate(fixed("p2", 31999), undefined, { dryRun: false })).rejects.toThrow(
      "spec.ports[0].nodePort: Invalid value: 31999: provided port is already allocated",
    );
    await expect(allocator.allocate(fixed("p3", 80), undefined, { dryRun: false })).rejects.toThrow(
      "provided port is not in the valid range. The range of valid ports is 30000-32767",
    );
  });
});

describe("a changed service", () => {
  it("keeps allocated values that the update omits", async () => {
    const allocator = makeAllocator();
    const old = await store(allocator, service("a", { type: "NodePort", ports: [{ name: "x", port: 80 }] }));
    const next = structuredClone(old);
    next.spec = { type: "NodePort", ports: [{ name: "x", port: 80 }] };
    expect((await store(allocator, next, old)).spec).toEqual(old.spec);
  });

  it("releases values that its new type does not use", async () => {
    const allocator = makeAllocator();
    const nodePort = await store(allocator, service("a", { type: "NodePort", ports: [{ port: 80, nodePort: 31000 }] }));
    const balanced = structuredClone(nodePort);
    Object.assign(balanced.spec, { type: "LoadBalancer", externalTrafficPolicy: "Local" });
    await store(allocator, balanced, nodePort);
    expect(balanced.spec.ports?.[0]?.nodePort).toBe(31000);
    expect(balanced.spec.healthCheckNodePort).toBeGreaterThanOrEqual(30000);
    const named = structuredClone(balanced);
    Object.assign(named.spec, { type: "ExternalName" });
    await store(allocator, named, balanced);
    expect(named.spec).toEqual({ type: "ExternalName", ports: [{ port: 80 }] });
    await store(
      allocator,
      service("b", {
        type: "NodePort",
        clusterIP: nodePort.spec.clusterIP ?? "",
        ports: [{ port: 80, nodePort: 31000 }],
      }),
    );
  });
});

describe("the addresses of a changed service", () => {
  const ranges = ["10.0.0.0/16", "fd00::/112"];
  const refusal = async (allocator: ServiceAllocator, old: Service, spec: ServiceSpec): Promise<string> => {
    const next = { ...old, spec: { ...old.spec, ...spec } };
    const refused = await allocator.allocate(next, old, { dryRun: false }).then(
      (allocation) => allocation.release(),
      ({ status }) => status.message,
    );
    return refused ?? JSON.stringify(next.spec.clusterIPs);
  };

  it("are not reduced to those of one family without policy SingleStack, whichever family remains", async () => {
    const allocator = makeAllocator(ranges);
    const old = await store(allocator, service("d", { clusterIP: "None" }));
    expect(old.spec.ipFamilies).toEqual(["IPv4", "IPv6"]);
    for (const family of ["IPv4", "IPv6"] as const)
      expect(await refusal(allocator, old, { ipFamilies: [family] })).toContain(
        "must be 'SingleStack' to release the secondary IP family",
      );
    const both = await store(allocator, service("b", { ipFamilyPolicy: "RequireDualStack" }));
    expect(await refusal(allocator, both, { clusterIP: "None", clusterIPs: ["None"] })).toContain(
      "must be 'SingleStack' to release the secondary cluster IP",
    );
  });

  it("are not allocated for a service that was headless", async () => {
    const allocator = makeAllocator(ranges);
    const old = await store(allocator, service("h", { clusterIP: "None" }));
    expect(await refusal(allocator, old, { clusterIP: "10.0.3.4", clusterIPs: ["10.0.3.4"] })).toBe('["10.0.3.4"]');
  });

  it("are shown with a place for each that the server chooses", async () => {
    const allocator = makeAllocator(ranges);
    await store(allocator, service("a", { clusterIP: "10.0.3.4" }));
    const next = service("b", { clusterIP: "10.0.3.4", ipFamilyPolicy: "PreferDualStack" });
    await expect(allocator.allocate(next, undefined, { dryRun: false })).rejects.toThrow(
      'Invalid value: []string{"10.0.3.4", ""}: failed to allocate IP 10.0.3.4',
    );
  });
});

describe("node ports of a changed service", () => {
  const ports = (...nodePorts: number[]): ServicePort[] =>
    nodePorts.map((nodePort, index) => ({ name: `p${index}`, port: 80 + index, protocol: "TCP", nodePort }));
  const stored = async (allocator: ServiceAllocator) =>
    await store(allocator, service("a", { type: "NodePort", ports: ports(31000) }));
  const changed = (old: Service, spec: ServiceSpec): Service => ({ ...old, spec: { ...old.spec, ...spec } });

  it("are refused if two of one protocol share a number, and may be shared by protocols", async () => {
    const allocator = makeAllocator();
    const old = await stored(allocator);
    const twice = changed(old, { ports: ports(31999, 31999) });
    await expect(allocator.allocate(twice, old, { dryRun: false })).rejects.toMatchObject({
      message: "duplicate nodePort: {TCP 31999}",
      status: { code: 500, message: "duplicate nodePort: {TCP 31999}" },
    });
    const [tcp, udp] = ports(31999, 31999);
    const both = changed(old, { ports: [tcp as never, { ...udp, protocol: "UDP" } as never] });
    expect((await store(allocator, both, old)).spec.ports?.map(({ nodePort }) => nodePort)).toEqual([31999, 31999]);
  });

  it("are different for each protocol, while those of a new service share one", async () => {
    const allocator = makeAllocator(["10.0.0.0/16"], () => 0);
    const old = await stored(allocator);
    const both = changed(old, {
      ports: [
        { name: "u", port: 53, protocol: "UDP" },
        { name: "t", port: 53, protocol: "TCP" },
      ],
    });
    expect((await store(allocator, both, old)).spec.ports?.map(({ nodePort }) => nodePort)).toEqual([30086, 30087]);
  });

  it("are refused if a new service requests one for two of its ports", async () => {
    const both = service("b", { type: "NodePort", ports: ports(31999, 31999) });
    for (const dryRun of [false, true])
      await expect(makeAllocator().allocate(both, undefined, { dryRun })).rejects.toThrow(
        "spec.ports[1].nodePort: Invalid value: 31999: provided port is already allocated",
      );
  });

  it("are known to be taken in a dry run", async () => {
    const allocator = makeAllocator();
    await stored(allocator);
    const other = service("b", { type: "NodePort", ports: ports(31000) });
    await expect(allocator.allocate(other, undefined, { dryRun: true })).rejects.toThrow("already allocated");
  });
});

describe("allocation", () => {
  it("releases what a failed write or a dry run allocated", async () => {
    const allocator = makeAllocator();
    const first = await allocator.allocate(service("a", { clusterIP: "10.0.0.9" }), undefined, { dryRun: false });
    first.release();
    (await allocator.allocate(service("b", { clusterIP: "10.0.0.9" }), undefined, { dryRun: true })).release();
    expect(await objects.list({ group: "networking.k8s.io", resource: "ipaddresses" })).toEqual([]);
    await store(allocator, service("c", { clusterIP: "10.0.0.9" }));
  });

  it("returns unallocated values in a dry run", async () => {
    const allocator = makeAllocator();
    await store(allocator, service("a", { clusterIP: "10.0.0.9" }));
    const ports = [{ port: 80 }, { port: 81 }, { port: 82, nodePort: 80 }];
    const next = service("b", { type: "NodePort", ports });
    (await allocator.allocate(next, undefined, { dryRun: true })).release();
    expect(next.spec.clusterIP).toBe("10.0.0.0");
    expect(next.spec.ports?.map((port) => port.nodePort)).toEqual([32769, 32770, 80]);
  });

  it("releases values of a deleted service at once", async () => {
    const allocator = makeAllocator();
    await allocator.follow(objects);
    const old = await store(allocator, service("a", { clusterIP: "10.0.0.9" }));
    (await allocator.allocate(undefined, old, { dryRun: false })).commit();
    await objects.delete(services, "web", "a");
    expect((await store(allocator, service("b", { clusterIP: "10.0.0.9" }))).spec.clusterIP).toBe("10.0.0.9");
  });

  it("records values of existing services at the start", async () => {
    await objects.seed(services, service("old", { clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9"] }));
    const allocator = makeAllocator();
    await allocator.follow(objects);
    await expect(
      allocator.allocate(service("b", { clusterIP: "10.0.0.9" }), undefined, { dryRun: false }),
    ).rejects.toThrow("already allocated");
  });

  it("never allocates a value twice, and fails with a message when none is left", async () => {
    const allocator = makeAllocator(["10.0.0.0/28"], Math.random, { first: 30000, last: 30013 });
    const made = await Promise.all(
      Array.from({ length: 14 }, (_, n) => store(allocator, service(`s${n}`, { type: "NodePort" }))),
    );
    expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).toBe(14);
    expect(new Set(made.map(({ spec }) => spec.ports?.[0]?.nodePort)).size).toBe(14);
    await expect(allocator.allocate(service("one more", {}), undefined, { dryRun: false })).rejects.toThrow(
      "Internal error occurred: failed to allocate a serviceIP: range is full",
    );
  });

  it("tries another address if another server recorded this one first", async () => {
    const allocator = makeAllocator(["10.0.0.0/16"], () => 0);
    await objects.seed({ group: "networking.k8s.io", resource: "ipaddresses" }, { metadata: { name: "10.0.1.1" } });
    expect((await store(allocator, service("a", {}))).spec.clusterIP).toBe("10.0.1.2");
  });
});
