import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lease } from "../../api-definitions/coordination/v1/lease.ts";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { namespace as namespaces } from "../../api-definitions/core/v1/namespace.ts";
import { event } from "../../api-definitions/events/v1/event.ts";
import "../../generated/resources/coordination.v1.ts";
import "../../generated/resources/core.v1.ts";
import "../../generated/resources/events.v1.ts";
import { type Client, connect, isNotFound } from "../../runtime/client.ts";
import { controller, generationChanged, type ManagerOptions, manager } from "../../runtime/controller.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { disposed } from "../tools/disposed.ts";
import { book, serveBooks } from "./library.ts";

let plane: Plane;
let client: Client;
beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  client = await connect({ plane });
  await serveBooks(client);
});
afterAll(() => plane.stop());

const SOON = { timeout: 30_000 };

async function newNamespace(name: string, labels: Record<string, string> = {}): Promise<string> {
  await client.of(namespaces).create({ metadata: { name, labels } });
  return name;
}

const newBook = (namespace: string) =>
  client.of(book).create({ metadata: { namespace, name: "dune" }, spec: { title: "dune" } });

function run(options: Omit<ManagerOptions, "client"> & { readonly client?: Client }) {
  const lines: string[] = [];
  const running = manager({ client, log: (level, message) => lines.push(`${level} ${message}`), ...options });
  return Object.assign(running, { lines });
}

/** A connection with a manual clock, whose requests can be modified. */
async function connectWith(clock: HandClock, fetch: typeof globalThis.fetch): Promise<Client> {
  return connect({ plane: { fetch }, clock });
}

describe("a controller", () => {
  it("with a timeout ends the signal and the requests of a reconcile that takes longer, and retries it", async () => {
    const namespace = await newNamespace("timeout");
    const seen: string[] = [];
    const described = controller(book, { timeout: "50ms" }).reconcile(async (_book, { client, signal }) => {
      if (seen.length > 0) return void seen.push("again");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      seen.push((signal.reason as Error).name);
      await client.of(book).list({ namespace }).all();
    });
    await newBook(namespace);
    const running = disposed(run({ controllers: [described], namespace }));
    await running.start();
    await expect.poll(() => seen, SOON).toEqual(["TimeoutError", "again"]);
    expect(running.lines[0]).toMatch(/^error .*: the reconcile of timeout\/dune took longer than 50ms$/);
  });

  it("with generationChanged ignores changes of metadata and status", async () => {
    const namespace = await newNamespace("generation");
    const seen: string[] = [];
    const described = controller(book, { when: generationChanged }).reconcile(async ({ spec }, { status }) => {
      seen.push(spec.title);
      await status({ observed: spec.title });
    });
    const { metadata } = await newBook(namespace);
    const running = disposed(run({ controllers: [described], namespace }));
    await running.idle();
    await client.of(book).patch(metadata, { merge: { metadata: { labels: { shelf: "a" } } } });
    await running.idle();
    expect(seen).toEqual(["dune"]);
    await client.of(book).patch(metadata, { merge: { spec: { title: "Dune" } } });
    await running.idle();
    expect(seen).toEqual(["dune", "Dune"]);
    expect((await client.of(book).get(metadata)).status).toEqual({ observed: "Dune" });
  });

  it("of a kind without namespaces owns objects in namespaces, and restores them", async () => {
    const name = await newNamespace("owner", { kept: "yes" });
    const described = controller(namespaces, { labelSelector: "kept=yes" })
      .owns(configMap)
      .reconcile(async ({ metadata }, { client, own }) => {
        await client.of(configMap).apply(own({ metadata: { namespace: metadata.name, name: "kept" } }));
      });
    const running = disposed(run({ controllers: [described] }));
    await running.idle();
    const key = { namespace: name, name: "kept" };
    const first = await client.of(configMap).get(key);
    expect(first.metadata.ownerReferences).toMatchObject([{ kind: "Namespace", name, controller: true }]);
    await client.of(configMap).delete(key);
    await running.idle();
    expect((await client.of(configMap).get(key)).metadata.uid).not.toBe(first.metadata.uid);
  });

  it("whose cache misses its own write asks the server after 5 seconds, and goes on if the cache is right", async () => {
    const namespace = await newNamespace("stale");
    const clock = new HandClock();
    /** Makes watches of ConfigMaps silent, as if the server were behind. */
    const silent = await connectWith(clock, async (url, init) => {
      const response = await plane.fetch(String(url), init);
      if (!/configmaps\?.*watch=true/.test(String(url)) || response.body === null) return response;
      let isInitial = true;
      const gate = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, into) => {
          if (isInitial) into.enqueue(chunk);
          if (Buffer.from(chunk).includes("initial-events-end")) isInitial = false;
        },
      });
      return new Response(response.body.pipeThrough(gate), { status: response.status, headers: response.headers });
    });
    const seen: string[] = [];
    const described = controller(book)
      .owns(configMap)
      .reconcile(async ({ spec }, { client, own }) => {
        seen.push(spec.title);
        if (seen.length === 1) await client.of(configMap).create(own({ metadata: { namespace, name: "dune" } }));
      });
    const { metadata } = await newBook(namespace);
    const running = disposed(run({ client: silent, controllers: [described], namespace }));
    await running.start();
    await expect.poll(() => seen, SOON).toEqual(["dune"]);
    await expect
      .poll(async () => client.of(configMap).delete({ namespace, name: "dune" }).catch(isNotFound), SOON)
      .not.toBe(true);
    await client.of(book).patch(metadata, { merge: { spec: { title: "Dune" } } });
    await expect.poll(() => running.metrics(), SOON).toMatch(/stale_cache_total\{controller="book-controller"\} 1/);
    await clock.move(3000);
    expect([seen, running.lines]).toEqual([["dune"], []]);
    await expect
      .poll(async () => {
        await clock.move(1000);
        return seen;
      }, SOON)
      .toEqual(["dune", "Dune"]);
    expect(running.lines[0]).toMatch(
      /^warn book-controller: the cache does not show version \d+ of ConfigMap stale\/dune yet; the next reconcile waits for it$/,
    );
  });

  it("records an Event when the server can be reached again", async () => {
    const namespace = await newNamespace("recorder");
    const clock = new HandClock();
    let attempts = 0;
    const flaky = await connectWith(clock, (url, init) =>
      String(url).includes("/events.k8s.io/") && ++attempts <= 2
        ? Promise.reject(new Error("cut"))
        : plane.fetch(String(url), init),
    );
    const described = controller(book).reconcile((_book, { events }) => events.normal("Lent", "to Ada"));
    await newBook(namespace);
    const running = disposed(run({ client: flaky, controllers: [described], namespace }));
    await running.start();
    await expect.poll(() => attempts, SOON).toBe(1);
    await clock.move(9000);
    expect(attempts).toBe(1);
    await expect
      .poll(async () => {
        await clock.move(1000);
        return (await client.of(event).list({ namespace }).all()).length;
      }, SOON)
      .toBe(1);
    expect([attempts, running.lines]).toEqual([3, []]);
  });
});

describe("run() of a manager", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("lets a reconcile end and releases the lease after %s", async (signal) => {
    const namespace = await newNamespace(`run-${signal.toLowerCase()}`);
    const log: string[] = [];
    const described = controller(book).reconcile(async (_book, { client, signal: ending }) => {
      log.push("begins");
      await new Promise((resolve) => ending.addEventListener("abort", resolve));
      await client.of(book).list({ namespace }).all();
      log.push("ends");
    });
    await newBook(namespace);
    const running = run({ controllers: [described], namespace, leaderElection: { name: "books", namespace } });
    const before = process.listenerCount(signal);
    const ended = running.run().then(() => log.push("stopped"));
    await expect.poll(() => log, SOON).toEqual(["begins"]);
    const holder = async () => (await client.of(lease).get({ namespace, name: "books" })).spec?.holderIdentity;
    expect(await holder()).toBe(running.identity);
    process.emit(signal, signal);
    await ended;
    expect(log).toEqual(["begins", "ends", "stopped"]);
    expect([await holder(), process.listenerCount(signal)]).toEqual(["", before]);
    expect(running.isLeader).toBe(false);
  });
});
