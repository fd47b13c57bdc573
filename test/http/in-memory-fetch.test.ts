import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
/** Any host: requests within the process are sent to the plane. */
const ORIGIN = "https://plane.invalid";
const JSON_TYPE = { "Content-Type": "application/json" };

const map = (name: string, data: Record<string, string> = {}) =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
});

afterAll(() => plane.stop());

/** Events of a watch, one after the other. */
async function* eventsOf(response: Response): AsyncGenerator<{ type: string; object: { metadata: { name: string } } }> {
  let rest = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

/** Collects garbage, as may happen at any time in a busy process. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

describe("fetch on a control plane that does not listen on a port", () => {
  it("creates, reads, lists, patches, replaces and deletes", async () => {
    const created = await plane.fetch(MAPS, { method: "POST", headers: JSON_TYPE, body: map("life", { a: "1" }) });
    expect(created.status).toBe(201);
    expect(created.headers.get("content-type")).toBe("application/json");
    const { metadata } = (await created.json()) as { metadata: { uid: string; resourceVersion: string } };

    const read = await plane.fetch(`${MAPS}/life`);
    expect(await read.json()).toMatchObject({ metadata: { uid: metadata.uid }, data: { a: "1" } });
    const patched = await plane.fetch(`${MAPS}/life`, {
      method: "PATCH",
      headers: { "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ data: { b: "2" } }),
    });
    expect(await patched.json()).toMatchObject({ data: { a: "1", b: "2" } });
    const replaced = await plane.fetch(`${MAPS}/life`, { method: "PUT", headers: JSON_TYPE, body: map("life") });
    expect(replaced.status).toBe(200);
    const listed = await plane.fetch(`${MAPS}?fieldSelector=metadata.name%3Dlife`);
    expect(((await listed.json()) as { items: unknown[] }).items).toHaveLength(1);
    expect((await plane.fetch(`${MAPS}/life`, { method: "DELETE" })).status).toBe(200);
    expect((await plane.fetch(`${MAPS}/life`)).status).toBe(404);
  });

  it("accepts paths, URLs and Request objects for https://kubernetes.default.svc", async () => {
    expect(plane.client.server).toBe("https://kubernetes.default.svc");
    for (const input of ["/version", new URL("/version", plane.client.server)]) {
      expect((await plane.fetch(input)).status).toBe(200);
    }
    const asked = new Request(`${plane.client.server}${MAPS}`, {
      method: "POST",
      headers: JSON_TYPE,
      body: map("asked"),
    });
    expect((await plane.fetch(asked)).status).toBe(201);
  });

  it("authenticates as the administrator unless the request has other credentials", async () => {
    const who = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
      const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
      return plane.fetch(path, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body });
    };
    expect(await (await who({})).json()).toMatchObject({ status: { userInfo: { username: "admin" } } });
    const other = await who({ "Impersonate-User": "ann" });
    expect(await other.json()).toMatchObject({ status: { userInfo: { username: "ann" } } });
    expect((await who({ Authorization: "Bearer nobody" })).status).toBe(401);
  });

  it("passes request and response headers, with one Warning for each unknown field", async () => {
    const response = await plane.fetch(`${MAPS}?fieldValidation=Warn`, {
      method: "POST",
      headers: JSON_TYPE,
      body: JSON.stringify({ ...JSON.parse(map("warned")), one: 1, two: 2 }),
    });
    expect(response.headers.get("warning")).toBe('299 - "unknown field \\"one\\"", 299 - "unknown field \\"two\\""');
    expect(response.headers.get("audit-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("streams a watch until it is aborted", async () => {
    const stop = new AbortController();
    const watching = await plane.fetch(`${MAPS}?watch=1&labelSelector=!unseen&fieldSelector=metadata.name=seen`, {
      signal: stop.signal,
    });
    expect(watching.status).toBe(200);
    const events = eventsOf(watching);
    const next = async (name: string) => {
      for (;;) {
        const { value } = await events.next();
        if (value?.object.metadata.name === name) return value.type;
      }
    };
    await plane.fetch(MAPS, { method: "POST", headers: JSON_TYPE, body: map("seen") });
    expect(await next("seen")).toBe("ADDED");
    await plane.fetch(`${MAPS}/seen`, { method: "DELETE" });
    expect(await next("seen")).toBe("DELETED");
    const last = events.next();
    stop.abort();
    await expect(last).rejects.toMatchObject({ name: "AbortError" });
    await expect(watchesUnderWay()).resolves.toBe(0);
  });

  it("streams lists and stays usable after a client cancels reading one", async () => {
    const big = "x".repeat(200_000);
    for (const name of ["big-1", "big-2", "big-3", "big-4"]) {
      await plane.fetch(MAPS, { method: "POST", headers: JSON_TYPE, body: map(name, { big }) });
    }
    const listed = await plane.fetch(MAPS);
    expect((await listed.text()).length).toBeGreaterThan(4 * big.length);
    const unread = await plane.fetch(MAPS);
    await unread.body?.cancel();
    expect((await plane.fetch("/readyz")).status).toBe(200);
  });

  it("rejects with AbortError if the signal is already aborted", async () => {
    await expect(plane.fetch(MAPS, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });

  /** Returns the number of watching connections, once the server has noticed which clients disconnected. */
  async function watchesUnderWay(): Promise<number> {
    for (let left = 100; ; left -= 1) {
      const metrics = await (await plane.fetch("/metrics")).text();
      const counts = [...metrics.matchAll(/^apiserver_longrunning_requests\{[^}]*verb="WATCH"[^}]*\} (\d+)/gm)];
      const total = counts.reduce((sum, [, count]) => sum + Number(count), 0);
      if (total === 0 || left === 0) return total;
      await delay(20);
    }
  }
});

describe("fetch on a control plane with its own lifecycle", () => {
  it("ends watches when the plane stops and fails afterwards", async () => {
    const own = await startPlane({ listen: false });
    const watching = await own.fetch(`${MAPS}?watch=1`);
    const events = eventsOf(watching);
    const ended = (async () => {
      for await (const _event of events);
    })();
    await own.stop();
    await ended;
    await expect(own.fetch("/version")).rejects.toThrow("fetch failed");
  });

  it("also works on a plane that listens on a port", async () => {
    const own = await startPlane();
    const version = await own.fetch("/version");
    expect(version.status).toBe(200);
    expect(new URL(own.client.server).hostname).toBe("127.0.0.1");
    await own.stop();
  });

  it.each([
    ["given with the URL", (path: string, signal: AbortSignal) => plane.fetch(path, { signal })],
    [
      "of a Request",
      (path: string, signal: AbortSignal) => plane.fetch(new Request(new URL(path, ORIGIN), { signal })),
    ],
  ])("ends a watch when the signal %s fires, also after garbage was collected", async (_, open) => {
    const stop = new AbortController();
    const response = await open(`${MAPS}?watch=true&fieldSelector=metadata.name%3Dnone`, stop.signal);
    const next = eventsOf(response).next();
    await delay(10);
    collectGarbage();
    stop.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});
