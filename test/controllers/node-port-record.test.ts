import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNodePortRepair } from "../../runtime/controllers/services/node-port-repair.ts";
import { decodeBitmap, encodeBitmap, type PortRecord } from "../../runtime/controllers/services/port-record.ts";
import { ServiceAllocator } from "../../runtime/controllers/services/service-allocator.ts";
import type { Service } from "../../runtime/controllers/services/service-shape.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { controllerParts, naming } from "./controller-parts.ts";

const range = { first: 30_000, last: 30_019 };
const services = { group: "", resource: "services" };

/** A record that allows other writes between a read and a write, as a store does. */
class SharedRecord implements PortRecord {
  marked: ReadonlySet<number> | undefined;
  #version = 0;

  async read() {
    return this.marked;
  }

  async update(change: Parameters<PortRecord["update"]>[0]): Promise<void> {
    for (;;) {
      const seen = this.#version;
      const next = change(this.marked);
      if (next === undefined) return;
      await new Promise((resolve) => setImmediate(resolve));
      if (seen !== this.#version) continue;
      this.#version += 1;
      this.marked = next;
      return;
    }
  }
}

const service = (name: string, nodePort?: number): Service => ({
  metadata: { name, namespace: "web", uid: name },
  spec: { type: "NodePort", clusterIP: "None", ports: [{ port: 80, protocol: "TCP", ...(nodePort && { nodePort }) }] },
});
const portOf = ({ spec }: Service) => spec.ports?.[0]?.nodePort;
const sorted = (record: SharedRecord) => [...(record.marked ?? [])].toSorted();

/** A separate server, which knows about others only through the record. */
const server = (portRecord: PortRecord, random = Math.random) =>
  new ServiceAllocator({ naming, ranges: [], nodePorts: range, featureEnabled: () => false, random, portRecord });

describe("bitmaps", () => {
  it("are written as Kubernetes writes them: one number, the highest byte first", () => {
    expect(encodeBitmap([], range)).toEqual(Buffer.alloc(0));
    expect(encodeBitmap([30_000, 30_009], range)).toEqual(Buffer.from([0b10, 0b1]));
    expect([...decodeBitmap(Buffer.from([0b10, 0b1]), range)]).toEqual([30_000, 30_009]);
  });

  it("contain the ports that were added", () => {
    const ports = fc.uniqueArray(fc.integer({ min: range.first, max: range.last }));
    fc.assert(
      fc.property(ports, (some) => {
        expect(decodeBitmap(encodeBitmap(some, range), range)).toEqual(new Set(some));
      }),
    );
  });
});

describe("servers over one store", () => {
  it("never allocate a port twice when they run concurrently", async () => {
    const record = new SharedRecord();
    // Both search for free ports in the same order.
    const servers = [server(record, () => 0), server(record, () => 0)];
    const made = Array.from({ length: 20 }, (_, n) => service(`s${n}`));
    const allocations = await Promise.all(
      made.map((one, n) => servers[n % 2]?.allocate(one, undefined, { dryRun: false })),
    );
    expect(new Set(made.map(portOf)).size).toBe(20);
    await expect(servers[0]?.allocate(service("late"), undefined, { dryRun: false })).rejects.toThrow("range is full");
    for (const allocation of allocations) allocation?.commit();
    expect(record.marked?.size).toBe(20);
  });

  it("refuse a port that another service has, and allocate it after it is released", async () => {
    const record = new SharedRecord();
    const [one, other] = [server(record), server(record)];
    const first = service("first", 30_007);
    (await one.allocate(first, undefined, { dryRun: false })).commit();
    await expect(other.allocate(service("second", 30_007), undefined, { dryRun: false })).rejects.toThrow(
      "spec.ports[0].nodePort: Invalid value: 30007: provided port is already allocated",
    );
    (await one.allocate(undefined, first, { dryRun: false })).commit();
    await expect.poll(() => sorted(record)).toEqual([]);
    await other.allocate(service("second", 30_007), undefined, { dryRun: false });
    expect(sorted(record)).toEqual([30_007]);
  });

  it("release ports of failed writes and of services that no longer use them", async () => {
    const record = new SharedRecord();
    const one = server(record);
    const before = service("web", 30_001);
    (await one.allocate(before, undefined, { dryRun: false })).commit();
    (await one.allocate(service("failed", 30_002), undefined, { dryRun: false })).release();
    await expect.poll(() => sorted(record)).toEqual([30_001]);
    (await one.allocate(service("web", 30_003), before, { dryRun: false })).commit();
    await expect.poll(() => sorted(record)).toEqual([30_003]);
  });

  it("record nothing in a dry run", async () => {
    const record = new SharedRecord();
    await server(record).allocate(service("web"), undefined, { dryRun: true });
    expect(record.marked).toBeUndefined();
  });
});

describe("repair", () => {
  /** Runs repairs one after another, each when the test triggers it. */
  const repairing = (objects: InMemoryObjects, record: PortRecord) => {
    let again: () => void = () => undefined;
    const delay = (_ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        again = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    const controller = createNodePortRepair({ ...controllerParts(objects), record, delay });
    const look = async () => {
      again();
      await new Promise((resolve) => setImmediate(resolve));
      await controller.settled();
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { controller, look };
  };

  it("creates a record, adds ports of services, and frees ports that no service has used for a while", async () => {
    const objects = new InMemoryObjects();
    const record = new SharedRecord();
    const { controller, look } = repairing(objects, record);
    await controller.start();
    expect(sorted(record)).toEqual([]);
    await objects.seed(services, service("web", 30_001));
    record.marked = new Set([30_002]);
    for (let looks = 1; looks <= 3; looks += 1) {
      await look();
      expect(sorted(record)).toEqual([30_001, 30_002]);
    }
    await look();
    expect(sorted(record)).toEqual([30_001]);
    await controller.stop();
  });
});
