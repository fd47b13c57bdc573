import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { manualClock, type Plane, startPlane } from "typeplane";
import { type Client, connect, isNotFound } from "typeplane/client";
import { type Manager, manager } from "typeplane/controller";
import { configMap } from "typeplane/kubernetes/core/v1";
import { book } from "../api-definitions/library/v1/book.ts";
import { lending } from "../api-definitions/library/v1/lending.ts";
import { books } from "../controllers/books.ts";
import { lendings } from "../controllers/lendings.ts";
import { registry } from "../generated/registry.ts";

const clock = manualClock("2030-01-01T00:00:00Z");
const log = () => undefined;
let plane: Plane;
let client: Client;
let running: Manager;

before(async () => {
  plane = await startPlane({ kinds: registry, listen: false, clock });
  await plane.ready;
  client = await connect({ plane, fieldManager: "tests" });
  running = manager({ client, controllers: [books, lendings], log });
  await running.start();
  await plane.settled();
});
after(async () => {
  await running.stop();
  await plane.stop();
});

const moby = { namespace: "default", name: "moby-dick" };

test("a Book keeps a ConfigMap with its card", async () => {
  const record = plane.record();
  await client.of(book).create({ metadata: moby, spec: { title: "Moby-Dick", author: "Melville" } });
  await plane.settled();
  assert.deepEqual((await client.of(configMap).get(moby)).data, { title: "Moby-Dick", author: "Melville" });
  assert.deepEqual(
    record.writes.map(({ verb, resource, subresource, manager }) => [verb, resource, subresource, manager]),
    [
      ["create", "books", "", "tests"],
      ["apply", "configmaps", "", "book-controller"],
      ["apply", "books", "status", "book-controller"],
    ],
  );
  record.stop();
});

test("the card is restored, and deleted with the Book", async () => {
  await client.of(configMap).delete(moby);
  await plane.settled();
  assert.equal((await client.of(configMap).get(moby)).data?.title, "Moby-Dick");
  await client.of(book).delete(moby);
  await plane.settled();
  await assert.rejects(client.of(configMap).get(moby), isNotFound);
});

test("a Lending is overdue when its hours have passed", async () => {
  const key = { namespace: "default", name: "ahab" };
  await client.of(lending).create({ metadata: key, spec: { book: "moby-dick", reader: "Ahab", hours: 1 } });
  await clock.advance("59m");
  assert.deepEqual((await client.of(lending).get(key)).status, { dueAt: "2030-01-01T01:00:00Z", overdue: false });
  await clock.advance("1m");
  assert.equal((await client.of(lending).get(key)).status?.overdue, true);
});

test("the same controllers work over TLS", async () => {
  const remote = await startPlane({ kinds: registry });
  await remote.ready;
  const over = await connect({ kubeconfigText: remote.kubeconfig });
  const there = manager({ client: over, controllers: [books, lendings], log });
  await there.start();
  await over.of(book).create({ metadata: moby, spec: { title: "Moby-Dick" } });
  await there.idle();
  assert.equal((await over.of(configMap).get(moby)).data?.author, "anonymous");
  await there.stop();
  over.close();
  await remote.stop();
});
