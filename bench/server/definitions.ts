import { percentile } from "../measurement.ts";
import { Client, load } from "./load.ts";
import type { Report } from "./measure-server.ts";
import { cpuMs, residentMiB, type Target } from "./server-process.ts";

const DEFINITIONS = 1000;
const CHANGES = 100;
const DEFINITIONS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const MERGE_PATCH = { "content-type": "application/merge-patch+json" };

/** Documents that describe all kinds. */
const DOCUMENTS = {
  "/openapi/v2": { path: "/openapi/v2", accept: "application/json" },
  "/openapi/v2 as protobuf": {
    path: "/openapi/v2",
    accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
  },
  "/openapi/v3": { path: "/openapi/v3", accept: "application/json" },
  "/apis": { path: "/apis", accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" },
} as const;

/** Definitions of 2 KB: their size, the number that exist before, the number per second, and the duration in seconds. */
const SMALL = { fields: 10, groups: 500 };
const BEFORE = 5000;
const PER_SECOND = 100;
const RATE_SECONDS = 10;
/** Maximum p99 of writes. A write of a definition should be as fast as any other, and its kind should be served soon after. */
const RATE_P99_MS = 1000;
const IN_FLIGHT = 8;
const LOOK_EVERY_MS = 20;
const ESTABLISH_LIMIT_MS = 120_000;

/** Measures the last hundred definitions compared with an early hundred: the cost should not grow. The first hundred do not count. */
export async function measureDefinitions(target: Target, report: Report): Promise<void> {
  const client = new Client(target);
  const hundred = async (from: number): Promise<number> => {
    const before = cpuMs(target.pids);
    for (let index = from; index < from + 100; index++)
      await client.send({ method: "POST", path: DEFINITIONS_PATH, body: definitionOf(index) });
    return (cpuMs(target.pids) - before) / 100;
  };
  await hundred(0);
  const memory = residentMiB(target.pids);
  const first = await hundred(100);
  let last = first;
  for (let from = 200; from < DEFINITIONS; from += 100) last = await hundred(from);
  report({
    name: `definition of 30 KB beside ${DEFINITIONS - 100} others`,
    value: last,
    unit: "CPU ms",
    baseline: { name: "beside 100 others", value: first },
    bar: { atMost: 2 },
  });
  report({
    name: "memory for each definition of 30 KB",
    value: (residentMiB(target.pids) - memory) / (DEFINITIONS - 100),
    unit: "MiB",
  });
  const changing = cpuMs(target.pids);
  for (let change = 0; change < CHANGES; change++) {
    await client.send({
      method: "PATCH",
      path: `${DEFINITIONS_PATH}/things0.group0.example.com`,
      body: `{"spec":{"names":{"shortNames":["t${change}"]}}}`,
      headers: MERGE_PATCH,
    });
  }
  report({
    name: `change of a definition beside ${DEFINITIONS - 1} others`,
    value: (cpuMs(target.pids) - changing) / CHANGES,
    unit: "CPU ms",
  });
  for (const [name, { path, accept }] of Object.entries(DOCUMENTS)) {
    await target.eventLoopDelay?.();
    const before = cpuMs(target.pids);
    await client.send({ path, headers: { accept } });
    const cost = cpuMs(target.pids) - before;
    const delay = await target.eventLoopDelay?.();
    report({ name: `${name} with ${DEFINITIONS} definitions`, value: cost, unit: "CPU ms" });
    if (delay !== undefined)
      report({ name: `longest turn of the event loop for ${name}`, value: delay.longest, unit: "ms" });
  }
  client.close();
}

/** Measures definitions that are created, changed and deleted at a steady rate, with thousands of others. */
export async function measureDefinitionRate(target: Target, report: Report): Promise<void> {
  const client = new Client(target);
  const create = (index: number) =>
    client.send({ method: "POST", path: DEFINITIONS_PATH, body: definitionOf(index, SMALL) });
  const path = (index: number) => `${DEFINITIONS_PATH}/things${index}.group${index % SMALL.groups}.example.com`;
  await load(client, BEFORE, IN_FLIGHT, create);
  for (let index = 0; index < BEFORE; index++) await untilServed(client, index);
  const measured: Record<string, (index: number) => Promise<unknown>> = {
    create: (index) => create(BEFORE + index),
    change: (index) =>
      client.send({
        method: "PATCH",
        path: path(index),
        body: definitionOf(index, { ...SMALL, maxLength: 65 }),
        headers: MERGE_PATCH,
      }),
    delete: (index) => client.send({ method: "DELETE", path: path(index) }),
  };
  const served: Promise<number>[] = [];
  for (const [verb, write] of Object.entries(measured)) {
    const before = cpuMs(target.pids);
    const delays = await atRate(async (index) => {
      const began = performance.now();
      await write(index);
      if (verb === "create") served.push(untilServed(client, BEFORE + index).then((now) => now - began));
    });
    const servedAfter = await Promise.all(served.splice(0));
    const name = `${verb} ${PER_SECOND} definitions of 2 KB a second beside ${BEFORE} others`;
    report({ name, value: (cpuMs(target.pids) - before) / delays.length, unit: "CPU ms" });
    report({ name: `${name}, p99`, value: percentile(delays, 0.99), unit: "ms", bar: { atMost: RATE_P99_MS } });
    if (servedAfter.length === 0) continue;
    const value = percentile(servedAfter, 0.99);
    report({ name: `${name}, p99 until the kind is served`, value, unit: "ms", bar: { atMost: RATE_P99_MS } });
  }
  client.close();
}

/** Returns the duration of each write, from the time at which it was due. */
async function atRate(write: (index: number) => Promise<void>): Promise<number[]> {
  const began = performance.now();
  const delays: Promise<number>[] = [];
  for (let index = 0; index < PER_SECOND * RATE_SECONDS; index++) {
    const due = began + (index * 1000) / PER_SECOND;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    delays.push(write(index).then(() => performance.now() - due));
  }
  return Promise.all(delays);
}

/** Returns the time at which objects of a kind can be listed. */
async function untilServed(client: Client, index: number): Promise<number> {
  const path = `/apis/group${index % SMALL.groups}.example.com/v1/things${index}`;
  const limit = performance.now() + ESTABLISH_LIMIT_MS;
  for (;;) {
    try {
      await client.send({ path });
      return performance.now();
    } catch (error) {
      if (performance.now() > limit) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

/** Returns a definition with this number of fields (180 make 30 KB). A change modifies their `maxLength`. */
function definitionOf(index: number, { fields: count = 180, groups = 50, maxLength = 64 } = {}): string {
  const fields = Array.from({ length: count }, (_, field) => [
    `field${field}`,
    {
      type: "string",
      maxLength,
      description: `Setting ${field} of kind ${index}. ${"Said at some length. ".repeat(4)}`,
    },
  ]);
  const spec = { type: "object", properties: Object.fromEntries(fields) };
  const group = `group${index % groups}.example.com`;
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things${index}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: `things${index}`, kind: `Thing${index}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  });
}
