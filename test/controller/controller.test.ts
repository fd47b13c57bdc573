import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { secret } from "../../api-definitions/core/v1/secret.ts";
import { event } from "../../api-definitions/events/v1/event.ts";
import "../../generated/resources/core.v1.ts";
import "../../generated/resources/events.v1.ts";
import { type Client, connect, isNotFound, type Stored } from "../../runtime/client.ts";
import {
  type Controller,
  controller,
  manager,
  OwnerError,
  StaleCacheError,
  TerminalError,
} from "../../runtime/controller.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { disposed } from "../tools/disposed.ts";
import { books as guideBooks } from "./guide-example.ts";
import { type Book, book, serveBooks } from "./library.ts";

let plane: Plane;
let client: Client;
beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  client = await connect({ plane });
  await serveBooks(client);
});
afterAll(() => plane.stop());

let namespaces = 0;
/** Creates a separate namespace, so that tests do not see each other's books. */
async function library(): Promise<string> {
  const name = `library-${++namespaces}`;
  await client.request({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name } } });
  return name;
}

function run(namespace: string, ...controllers: Controller[]) {
  const lines: string[] = [];
  const running = manager({
    client,
    controllers,
    namespace,
    log: (level, message) => lines.push(`${level} ${message}`),
  });
  return Object.assign(running, { lines });
}

const books = () => client.of(book);
const newBook = (namespace: string, name: string, spec: Partial<Book["spec"]> = {}) =>
  books().create({ metadata: { namespace, name }, spec: { title: name, ...spec } });

describe("a controller", () => {
  it("reconciles new and changed objects, what they own, and what leads to them", async () => {
    const namespace = await library();
    const seen: string[] = [];
    const described = controller(book, { indexes: { secret: ({ spec }) => spec.secret } })
      .owns(configMap)
      .watches(secret, ({ metadata }, all) => {
        expectTypeOf(all.list()).toEqualTypeOf<Stored<Book>[]>();
        return all.byIndex("secret", metadata.name).map((found) => found.metadata);
      })
      .reconcile(async ({ metadata, spec }, { client, own, owned, cache, status }) => {
        expectTypeOf(spec.title).toEqualTypeOf<string>();
        const { namespace, name } = metadata;
        const found = spec.secret && cache.of(secret).get({ namespace, name: spec.secret });
        seen.push(`${name}:${spec.title}:${owned(configMap).length}:${found ? "secret" : ""}`);
        await client.of(configMap).apply(own({ metadata: { namespace, name }, data: { title: spec.title } }));
        await status({ observed: spec.title });
      });
    await newBook(namespace, "dune", { secret: "key" });
    const running = disposed(run(namespace, described));
    await running.start();
    await running.idle();
    const key = { namespace, name: "dune" };
    expect(await client.of(configMap).get(key)).toMatchObject({
      data: { title: "dune" },
      metadata: { ownerReferences: [{ kind: "Book", name: "dune", controller: true }] },
    });
    const { status, metadata } = await books().get(key);
    expect(status).toEqual({ observed: "dune" });
    expect(metadata.managedFields?.find(({ subresource }) => subresource === "status")).toMatchObject({
      manager: "book-controller",
      operation: "Apply",
    });
    expect([seen[0], seen.at(-1)]).toEqual(["dune:dune:0:", "dune:dune:1:"]);

    await client.of(configMap).delete(key);
    await running.idle();
    expect((await client.of(configMap).get(key)).data).toEqual({ title: "dune" });

    await client.of(secret).create({ metadata: { namespace, name: "key" } });
    await running.idle();
    expect(seen.at(-1)).toBe("dune:dune:1:secret");
    await books().patch(key, { merge: { spec: { title: "Dune" } } });
    await running.idle();
    expect((await books().get(key)).status).toEqual({ observed: "Dune" });
    expect(running.lines).toEqual([]);
    expect(running.metrics()).toMatch(
      /controller_runtime_reconcile_total\{controller="book-controller",result="success"\} [1-9]/,
    );
  });

  it("retries what fails, but not a TerminalError, and repeats after requeueAfter", async () => {
    const namespace = await library();
    const attempts: Record<string, number> = { flaky: 0, hopeless: 0, repeated: 0 };
    const described = controller(book).reconcile(({ metadata: { name } }) => {
      const attempt = ++attempts[name]!;
      if (name === "flaky" && attempt < 4) throw new Error("not yet");
      if (name === "hopeless") throw new TerminalError("never");
      if (name === "repeated" && attempt < 4) return { requeueAfter: "10ms" };
      return undefined;
    });
    for (const name of Object.keys(attempts)) await newBook(namespace, name);
    const running = disposed(run(namespace, described));
    await running.start();
    await expect.poll(() => attempts).toEqual({ flaky: 4, hopeless: 1, repeated: 4 });
    await running.idle();
    expect(attempts).toEqual({ flaky: 4, hopeless: 1, repeated: 4 });
    expect(running.lines.filter((line) => line.includes("hopeless"))).toEqual([
      `error book-controller: Book ${namespace}/hopeless failed and is not retried: never`,
    ]);
    const metrics = running.metrics();
    expect(metrics).toContain('controller_runtime_reconcile_errors_total{controller="book-controller"} 4\n');
    expect(metrics).toContain('controller_runtime_terminal_reconcile_errors_total{controller="book-controller"} 1\n');
    expect(metrics).toContain(
      'controller_runtime_reconcile_total{controller="book-controller",result="requeue_after"} 3\n',
    );
  });

  it("adds its finalizer before the first reconcile, cleans up after a deletion, and then lets the object go", async () => {
    const namespace = await library();
    const log: string[] = [];
    let isReady = false;
    const described = controller(book)
      .finalizer("library.example.com/loan", ({ metadata: { name } }) => {
        log.push(`clean ${name}`);
        if (isReady) return;
        isReady = true;
        return { requeueAfter: 1 };
      })
      .deleted(({ namespace, name }) => void log.push(`deleted ${namespace}/${name}`))
      .reconcile(({ metadata }) => void log.push(`reconcile ${metadata.finalizers}`));
    const key = (await newBook(namespace, "dune")).metadata;
    const running = disposed(run(namespace, described));
    await running.idle();
    expect(new Set(log.splice(0))).toEqual(new Set(["reconcile library.example.com/loan"]));
    expect(await books().delete(key)).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
    await expect
      .poll(() =>
        books()
          .get(key)
          .then(() => false, isNotFound),
      )
      .toBe(true);
    await running.idle();
    expect(log).toEqual(["clean dune", "clean dune", `deleted ${namespace}/dune`]);
  });

  it("sees its own writes before it reconciles an object again", async () => {
    const namespace = await library();
    const counts: (number | undefined)[] = [];
    const described = controller(book).reconcile(async ({ status: before }, { status }) => {
      counts.push(before?.count);
      const count = (before?.count ?? 0) + 1;
      await status({ count });
      return count < 20 ? { requeueAfter: 0 } : undefined;
    });
    await newBook(namespace, "dune");
    const running = disposed(run(namespace, described));
    await running.start();
    await expect
      .poll(() =>
        books()
          .get({ namespace, name: "dune" })
          .then(({ status }) => status?.count),
      )
      .toBeGreaterThan(19);
    const seen = counts.filter((count) => count !== undefined);
    expect(seen).toEqual(seen.map((_, index) => index + 1));
  });

  it("is told that an update would overwrite a newer object than its cache has", async () => {
    const namespace = await library();
    const errors: unknown[] = [];
    const described = controller(book).reconcile(async ({ metadata, spec }, { client, signal }) => {
      if (spec.title === "changed") return;
      await books().patch(metadata, { merge: { spec: { title: "changed" } } }, { signal });
      const { namespace, name } = metadata;
      const overwrite = client.of(book).update({ metadata: { namespace, name }, spec: { title: "old" } });
      await overwrite.catch((error: unknown) => errors.push(error));
    });
    await newBook(namespace, "dune");
    const running = disposed(run(namespace, described));
    await running.idle();
    expect((await books().get({ namespace, name: "dune" })).spec.title).toBe("changed");
    expect(errors).toEqual([expect.any(StaleCacheError)]);
    expect((errors[0] as Error).message).toMatch(
      /^the update of Book library-\d+\/dune was refused because the cache is old/,
    );
  });

  it("refuses owners in other namespaces, and objects that another controls", async () => {
    const namespace = await library();
    const errors: unknown[] = [];
    const described = controller(book).reconcile(({ metadata }, { own }) => {
      const other = { apiVersion: "v1", kind: "Pod", name: "p", uid: "1", controller: true };
      const children = [
        { name: "a", namespace: "default" },
        { name: "b" },
        { name: "c", namespace: metadata.namespace, ownerReferences: [other] },
      ];
      for (const child of children) {
        try {
          own({ metadata: child });
        } catch (error) {
          errors.push(error instanceof OwnerError ? error.message : error);
        }
      }
    });
    await newBook(namespace, "dune");
    const running = disposed(run(namespace, described));
    await running.idle();
    const whose = `Book "dune" of namespace "${namespace}"`;
    expect(errors).toEqual([
      `"a" is in namespace "default" and cannot be owned by ${whose}`,
      `"b" is in no namespace and cannot be owned by ${whose}`,
      '"c" cannot be owned by Book "dune": its controller is Pod "p"',
    ]);
  });

  it("records Events, of which repetitions become one series", async () => {
    const namespace = await library();
    const described = controller(book, { name: "librarian" }).reconcile((_book, { events }) => {
      events.normal("Lent", "to Ada", { action: "Lend" });
      for (const reader of ["Ada", "Bob", "Eve"]) events.warning("Late", `${reader} has not returned it`);
    });
    await newBook(namespace, "dune");
    const running = run(namespace, described);
    await running.idle();
    await running.stop();
    const found = await client.of(event).list({ namespace }).all();
    const shown = found.map(({ type, reason, action, note, reportingController, regarding, series }) => ({
      type,
      reason,
      action,
      note,
      reportingController,
      object: `${regarding?.kind} ${regarding?.name}`,
      count: series?.count,
    }));
    const reported = { reportingController: "librarian", object: "Book dune" };
    expect(shown).toEqual([
      { ...reported, type: "Normal", reason: "Lent", action: "Lend", note: "to Ada", count: undefined },
      { ...reported, type: "Warning", reason: "Late", action: "Reconcile", note: "Ada has not returned it", count: 3 },
    ]);
    expect(running.lines).toEqual([]);
  });

  it("names what it needs to be allowed to do", () => {
    const described = controller(book)
      .owns(configMap)
      .watches(secret, () => undefined)
      .uses(configMap, ["deletecollection"])
      .finalizer("a.example.com/b", () => undefined)
      .reconcile(() => undefined);
    const one = manager({ client, controllers: [described], leaderElection: { name: "books" } });
    expect(one.permissions).toEqual([
      {
        group: "",
        resource: "configmaps",
        verbs: ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"],
      },
      { group: "", resource: "secrets", verbs: ["get", "list", "watch"] },
      { group: "coordination.k8s.io", resource: "leases", verbs: ["get", "create", "update"] },
      { group: "events.k8s.io", resource: "events", verbs: ["create", "patch"] },
      { group: "library.example.com", resource: "books", verbs: ["get", "list", "watch", "patch"] },
      { group: "library.example.com", resource: "books/finalizers", verbs: ["update"] },
      { group: "library.example.com", resource: "books/status", verbs: ["patch"] },
    ]);
  });

  it("works as the guide shows it", async () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
    const definition = /export const books = [\s\S]*?\n {2}\}\);\n(?=\n|$)/;
    const [shown] = definition.exec(read("../../docs/guides/controllers.md")) ?? [];
    expect(definition.exec(read("./guide-example.ts"))?.[0]).toBe(shown);
    const namespace = await library();
    const running = disposed(run(namespace, guideBooks));
    const { metadata: key } = await newBook(namespace, "dune", { title: "Dune" });
    await running.idle();
    expect((await client.of(configMap).get(key)).data).toEqual({ label: "Dune" });
    await books().delete(key);
    await running.idle();
    expect(running.lines).toEqual(["info the label of dune was taken off"]);
  });
});
