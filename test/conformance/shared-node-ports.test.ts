import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const title = "node ports of two servers over one etcd";
const etcdTool = findTool("etcd");
if (etcdTool === undefined) console.warn(`${title}: ${skipMessage("etcd")}`);

const SERVICES = "/api/v1/namespaces/default/services";
const PORTS = 24;

const service = (name: string, nodePort?: number) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name },
  spec: { type: "NodePort", ports: [{ port: 80, ...(nodePort && { nodePort }) }] },
});

describe.runIf(etcdTool !== undefined)(title, () => {
  let etcd: EtcdProcess;
  let planes: readonly Plane[] = [];
  let calls: readonly ReturnType<typeof createClient>[] = [];

  beforeAll(async () => {
    etcd = await EtcdProcess.start();
    const flags = {
      controllers: "false",
      "etcd-servers": etcd.endpoint,
      "service-node-port-range": `30000-${30_000 + PORTS - 1}`,
    };
    planes = await Promise.all([startPlane({ flags }), startPlane({ flags })]);
    await Promise.all(planes.map(({ ready }) => ready));
    calls = planes.map(createClient);
  });

  afterAll(async () => {
    await Promise.all(planes.map((plane) => plane.stop()));
    await etcd?.stop();
  });

  it("are allocated once each until none is left, and again when they are released", async () => {
    const create = (n: number) => calls[n % 2]?.("POST", SERVICES, { body: service(`s${n}`) });
    const created = await Promise.all(Array.from({ length: PORTS }, (_, n) => create(n)));
    expect(created.map((answer) => answer?.status)).toEqual(created.map(() => 201));
    const ports = created.map((answer) => answer?.body.spec.ports[0].nodePort as number);
    expect(new Set(ports).size).toBe(PORTS);
    for (const call of calls) {
      const full = await call("POST", SERVICES, { body: service("late") });
      expect(full.body).toMatchObject({ code: 500, message: expect.stringContaining("range is full") });
    }

    // A port that one server releases can be allocated by the other.
    const [freed = 0] = ports;
    await calls[0]?.("DELETE", `${SERVICES}/s0`);
    await expect
      .poll(async () => (await calls[1]?.("POST", SERVICES, { body: service("again", freed) }))?.status)
      .toBe(201);
  });

  it("that one service requests are refused to another one, on any server", async () => {
    await calls[0]?.("DELETE", `${SERVICES}/s2`);
    await calls[0]?.("DELETE", `${SERVICES}/s4`);
    const free = await expect
      .poll(async () => {
        const { body } = (await calls[1]?.("GET", SERVICES)) ?? {};
        return body.items.filter(({ metadata }: { metadata: { name: string } }) => /^s[24]$/.test(metadata.name))
          .length;
      })
      .toBe(0)
      .then(async () => (await calls[0]?.("POST", SERVICES, { body: service("probe") }))?.body.spec.ports[0].nodePort);
    await calls[0]?.("DELETE", `${SERVICES}/probe`);
    const race = await Promise.all(
      [0, 1, 0, 1, 0, 1].map((n, at) => calls[n]?.("POST", SERVICES, { body: service(`racer-${at}`, free) })),
    );
    expect(race.filter((answer) => answer?.status === 201).length).toBeLessThanOrEqual(1);
    for (const lost of race.filter((answer) => answer?.status !== 201)) {
      expect(lost?.body).toMatchObject({
        code: 422,
        details: {
          causes: [
            { field: "spec.ports[0].nodePort", message: expect.stringContaining("provided port is already allocated") },
          ],
        },
      });
    }
  });
});
