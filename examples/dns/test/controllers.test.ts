import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { manualClock, type Plane, startPlane } from "typeplane";
import { type Client, connect, isNotFound } from "typeplane/client";
import { type Manager, manager } from "typeplane/controller";
import { hostRecord } from "../api-definitions/dns/v1/host-record.ts";
import { hostRecord as hostRecordV1beta1 } from "../api-definitions/dns/v1beta1/host-record.ts";
import { hostRecords } from "../controllers/host-records.ts";
import { registry } from "../generated/registry.ts";
import "../generated/resources/dns.v1beta1.ts";
import { startProvider } from "../provider.ts";

const clock = manualClock();
let provider: Awaited<ReturnType<typeof startProvider>>;
let plane: Plane;
let client: Client;
let running: Manager;

before(async () => {
  provider = await startProvider();
  plane = await startPlane({ kinds: registry, listen: false, clock });
  await plane.ready;
  client = await connect({ plane, fieldManager: "tests" });
  running = manager({ client, controllers: [hostRecords(provider.url)], log: () => undefined });
  await running.start();
});
after(async () => {
  // `stop` waits for running reconciliations, which use this clock.
  await Promise.all([running.stop(), clock.advance("1m")]);
  await plane.stop();
  await provider.stop();
});

const www = { namespace: "default", name: "www" };

test("a record of the older version is published, and read in both versions", async () => {
  await client.of(hostRecordV1beta1).create({ metadata: www, spec: { name: "www", address: "192.0.2.1" } });
  await plane.settled();
  assert.deepEqual(provider.zone.get("www"), ["192.0.2.1"]);
  const { spec, status } = await client.of(hostRecord).get(www);
  assert.deepEqual([spec, status], [{ host: "www", addresses: ["192.0.2.1"] }, { published: ["192.0.2.1"] }]);
});

test("a provider that fails is asked again after a while", async () => {
  provider.failures = 2;
  await client.of(hostRecord).patch(www, { merge: { spec: { addresses: ["192.0.2.1", "192.0.2.2"] } } });
  await plane.settled();
  await clock.advance("1m");
  assert.deepEqual(provider.zone.get("www"), ["192.0.2.1", "192.0.2.2"]);
  assert.equal((await client.of(hostRecordV1beta1).get(www)).spec.address, "192.0.2.1");
});

test("a deleted record stays until the provider has removed it", async () => {
  provider.failures = 1;
  await client.of(hostRecord).delete(www);
  await plane.settled();
  assert.notEqual((await client.of(hostRecord).get(www)).metadata.deletionTimestamp, undefined);
  await clock.advance("1m");
  assert.equal(provider.zone.has("www"), false);
  await assert.rejects(client.of(hostRecord).get(www), isNotFound);
});
