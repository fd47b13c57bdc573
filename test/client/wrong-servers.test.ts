import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import "../../generated/resources/core.v1.ts";
import { connect } from "../../runtime/client.ts";
import { HandClock } from "../fixtures/hand-clock.ts";
import { disposed } from "../tools/disposed.ts";

type Response = Awaited<ReturnType<typeof fetch>>;
type Answer = string | Response | { readonly text: string };

const map = (name: string, version?: number, type = { apiVersion: "v1", kind: "ConfigMap" }) => ({
  ...type,
  metadata: { namespace: "default", name, uid: name, ...(version !== undefined && { resourceVersion: `${version}` }) },
});
const line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
const initialEnd = (version: number) =>
  line("BOOKMARK", {
    metadata: { resourceVersion: `${version}`, annotations: { "k8s.io/initial-events-end": "true" } },
  });
const silent = (text: string): Answer => ({ text });
const json = (body: string, status = 200, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { "Content-Type": "application/json", ...headers } });
const refusal = (code: number, headers?: Record<string, string>) =>
  json(JSON.stringify({ kind: "Status", code, message: `refused with ${code}` }), code, headers);

/** Starts an informer of a server that sends these responses one after another, and then nothing. */
async function observe(answers: Answer[], indexes: Record<string, (object: { metadata: object }) => string> = {}) {
  const clock = new HandClock();
  const [requests, errors, seen] = [[] as string[], [] as string[], [] as string[]];
  const fetch = async (path: unknown, { signal }: RequestInit = {}) => {
    const query = new URL(String(path), "http://plane").searchParams;
    const what = query.has("watch") ? `watch ${query.get("resourceVersion") ?? "all"}` : "list";
    requests.push(`${clock.now() - began} ${what}`);
    const answer = answers.shift() ?? silent("");
    if (answer instanceof Response) return answer;
    if (typeof answer === "string") return json(answer);
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(Buffer.from(answer.text));
        signal?.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "Content-Type": "application/json" } });
  };
  const began = clock.now();
  const client = await connect({ plane: { fetch: fetch as typeof globalThis.fetch }, clock, random: () => 0.5 });
  const informer = client
    .of(configMap)
    .informer({ indexes, onError: (error) => errors.push((error as Error).message) });
  informer.on({
    added: ({ metadata }) => void seen.push(`+${metadata.name}@${metadata.resourceVersion}`),
    updated: ({ metadata }) => void seen.push(`~${metadata.name}@${metadata.resourceVersion}`),
    deleted: ({ metadata }) => void seen.push(`-${metadata.name}@${metadata.resourceVersion}`),
  });
  const synced = informer.start().then(
    () => true,
    () => false,
  );
  const moved = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 50) await clock.move(Math.min(left, 50));
  };
  return { informer, synced, requests, errors, seen, moved };
}

const A = line("ADDED", map("a", 1));

it("tells of an index function that throws, and loses no event for it", async () => {
  const [first, second] = [A + initialEnd(3), line("ADDED", map("b", 4)) + line("MODIFIED", map("b", 5))];
  const indexes = {
    broken: ({ metadata }: { metadata: { name?: string } }) => {
      throw new Error(`no index of ${metadata.name}`);
    },
    name: ({ metadata }: { metadata: { name?: string } }) => String(metadata.name),
  };
  const { informer, synced, requests, errors, seen } = await observe([silent(first + second)], indexes);
  expect(await synced).toBe(true);
  expect(seen).toEqual(["+a@1", "+b@4", "~b@5"]);
  expect(errors).toEqual(["no index of a", "no index of b", "no index of b"]);
  expect(requests).toEqual(["0 watch all"]);
  expect(informer.byIndex("name", "b").map(({ metadata }) => metadata.resourceVersion)).toEqual(["5"]);
  expect(informer.byIndex("broken", "b")).toEqual([]);
  informer.addIndex("broken", () => {
    throw new Error("still broken");
  });
  expect(errors.at(-1)).toBe("still broken");
  await informer.stop();
});

it.each([
  ["a redirect", () => new Response(null, { status: 302, headers: { Location: "/login" } }), "a redirect to /login"],
  ["a page", () => new Response("<html>Log in", { headers: { "Content-Type": "text/html; charset=utf-8" } }), "<html>"],
  ["no content", () => new Response(null, { status: 204 }), "the watch ended before the server had sent all objects"],
  ["a watch that ends early", () => json(A), "the watch ended before the server had sent all objects"],
])("tells of %s in place of a watch", async (_, answer, message) => {
  const { informer, synced, errors, moved } = await observe([answer(), silent(A + initialEnd(3))]);
  await moved(1000);
  expect(await synced).toBe(true);
  expect(errors).toEqual([expect.stringContaining(message)]);
  await informer.stop();
});

it.each([
  ["of an unknown type", line("REPLACED", map("b", 4)), 'a watch event of the unknown type "REPLACED"'],
  ["without an object", '{"type":"BOOKMARK"}\n', "a watch event without an object"],
  ["of another kind", line("ADDED", map("b", 4, { apiVersion: "v1", kind: "Secret" })), 'v1 Secret "b" in place of v1'],
  ["of another version", line("ADDED", map("b", 4, { apiVersion: "v2", kind: "ConfigMap" })), 'v2 ConfigMap "b" in'],
  ["without a resourceVersion", line("MODIFIED", map("a")), "an object without a name, UID or resourceVersion"],
])("does not take an event %s for one of its own, and continues at the last version", async (_, text, message) => {
  const answers = [A + initialEnd(3) + text, silent(line("ADDED", map("c", 5)))];
  const { informer, requests, errors, seen, moved } = await observe(answers);
  await moved(1000);
  expect(errors).toEqual([expect.stringContaining(message)]);
  expect(requests).toEqual(["0 watch all", "100 watch 3"]);
  expect(seen).toEqual(["+a@1", "+c@5"]);
  await informer.stop();
});

it("refuses objects of another kind in a list, and lists from which no watch can begin", async () => {
  const list = (items: unknown, metadata: unknown = { resourceVersion: "5" }) => JSON.stringify({ metadata, items });
  const secret = map("s", 2, { apiVersion: "v1", kind: "Secret" });
  const answers = [refusal(422), "{}", "null", list([], {}), list([null]), list([secret]), list([map("a", 1)])];
  const { informer, errors, seen, moved } = await observe([...answers, silent("")]);
  await moved(20_000);
  const noList = "the server sent no list with a resourceVersion, from which a watch could begin";
  const noObject = "the server sent an object without a name, UID or resourceVersion";
  const another = 'the server sent v1 Secret "s" in place of v1 ConfigMap';
  expect(errors).toEqual([noList, noList, noList, noObject, another]);
  expect(seen).toEqual(["+a@1"]);
  await informer.stop();
});

it.each([
  ["events that cannot be read", () => "{broken\n"],
  ["a watch that is refused", () => refusal(400)],
])("reads everything again after three times %s, ever more seldom", async (_, wrong) => {
  const whole = A + initialEnd(3);
  const broken = () => [whole, wrong(), wrong(), wrong()];
  const { informer, requests, seen, moved } = await observe([
    ...broken(),
    ...broken(),
    silent(whole + line("ADDED", map("b", 9))),
  ]);
  await moved(60_000);
  expect(requests).toEqual([
    "0 watch all",
    "100 watch 3",
    "300 watch 3",
    "700 watch 3",
    "1500 watch all",
    "3100 watch 3",
    "6300 watch 3",
    "12700 watch 3",
    "25500 watch all",
  ]);
  expect(seen).toEqual(["+a@1", "+b@9"]);
  await informer.stop();
});

it("lists in pages where the server sends bookmarks and never says that it has sent all objects", async () => {
  const busy = A + line("BOOKMARK", map("", 2)) + line("MODIFIED", map("a", 3));
  const list = JSON.stringify({ metadata: { resourceVersion: "7" }, items: [map("a", 3)] });
  const { informer, requests, errors, seen, moved } = await observe([silent(busy), list]);
  await moved(1000);
  expect(errors).toEqual(["the server does not say when it has sent all objects"]);
  expect(requests).toEqual(["0 watch all", "100 list", "100 watch 7"]);
  expect(seen).toEqual(["+a@3"]);
  await informer.stop();
});

it("waits as long as the server asks for, and goes on with streaming lists", async () => {
  const answers = [refusal(429, { "Retry-After": "20" }), refusal(503, { "Retry-After": "5" })];
  const { informer, requests, seen, moved } = await observe([...answers, silent(A + initialEnd(3))]);
  await moved(60_000);
  expect(requests).toEqual(["0 watch all", "20000 watch all", "25000 watch all"]);
  expect(seen).toEqual(["+a@1"]);
  await informer.stop();
});

it("opens a silent watch anew although the time of the system is set back meanwhile", async () => {
  const [steady, watches] = [new HandClock(), [] as string[]];
  let offset = 0;
  const clock = { now: () => steady.now() + offset, after: steady.after, steady };
  const fetch = async (path: unknown, { signal }: RequestInit = {}) => {
    watches.push(new URL(String(path), "http://plane").searchParams.get("resourceVersion") ?? "all");
    const start = (controller: ReadableStreamDefaultController) => {
      controller.enqueue(Buffer.from(A + initialEnd(3)));
      signal?.addEventListener("abort", () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }));
  };
  const client = await connect({ plane: { fetch: fetch as typeof globalThis.fetch }, clock });
  const informer = disposed(client.of(configMap).informer());
  await informer.start();
  offset = -7_200_000;
  await steady.move(160_000);
  expect(watches).toEqual(["all", "3"]);
  expect(informer.metrics.silentMs).toBeLessThan(160_000);
});

/** A client of a server on loopback, which is closed after the test. */
async function clientOf(
  answer: (path: string) => { status?: number; headers?: object; body: string },
  options: object,
) {
  const server = createServer((request, response) => {
    const { status = 200, headers = {}, body } = answer(request.url ?? "");
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const kubeconfigText = JSON.stringify({
    clusters: [{ name: "c", cluster }],
    contexts: [{ name: "c", context: { cluster: "c" } }],
    "current-context": "c",
  });
  const client = await connect({ kubeconfigText, ...options });
  return {
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it.each([
  [
    "a redirect",
    { status: 307, headers: { Location: "/other" }, body: "" },
    "the server responded with 307 and a redirect to /other instead of JSON",
  ],
  [
    "a page",
    { headers: { "Content-Type": "text/html" }, body: "<p>" },
    "the server responded with 200 and text/html instead of JSON: <p>",
  ],
  ["half an object", { body: '{"kind":' }, "GET /x: the response is no JSON: Unexpected end of JSON input"],
])("names the request that is answered with %s", async (_, answer, message) => {
  const connected = disposed(await clientOf(() => answer, {}));
  await expect(connected.client.request({ method: "GET", path: "/x" })).rejects.toThrow(message);
});

it("rejects with what the server said when there is no time for another attempt", async () => {
  const busy = { status: 429, headers: { "Retry-After": "1" }, body: '{"kind":"Status","message":"busy"}' };
  const connected = disposed(await clientOf(() => busy, { timeoutMs: 100 }));
  const requested = connected.client.request({ method: "GET", path: "/x" });
  await expect(requested).rejects.toMatchObject({ name: "TooManyRequestsError", message: "busy" });
});

it.each(["-5", "soon", "99999999999999999999"])(
  "retries a bounded number of times after Retry-After: %s",
  async (value) => {
    let sent = 0;

    const answer = () => {
      sent++;
      return { status: 429, headers: { "Retry-After": value }, body: "{}" };
    };
    const waits: number[] = [];
    const after = (milliseconds: number, action: () => void) => {
      if (milliseconds === 3_600_000) return () => undefined;
      waits.push(milliseconds);
      setImmediate(action);
      return () => undefined;
    };
    const connected = disposed(
      await clientOf(answer, {
        clock: { now: () => 0, after },
        retries: 2,
        timeoutMs: 3_600_000,
      }),
    );
    await expect(connected.client.request({ method: "GET", path: "/x" })).rejects.toThrow("{}");
    expect([sent, waits]).toEqual([3, value.startsWith("9") ? [60_000, 60_000] : [1000, 1000]]);
  },
);

it("returns all items of a list of any length", async () => {
  const item = JSON.stringify(map("a", 1));
  const body = `{"metadata":{"resourceVersion":"1"},"items":[${Array(200_000).fill(item).join(",")}]}`;
  const connected = disposed(await clientOf(() => ({ body }), {}));
  expect(await connected.client.of(configMap).list({ resourceVersion: "0" }).all()).toHaveLength(200_000);
});

it("finds kinds after an answer that was no list of resources, and for others if one stops waiting", async () => {
  const resources = JSON.stringify({ resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true }] });
  const bodies = ["{}", resources];
  const connected = disposed(await clientOf(() => ({ body: bodies.shift() ?? resources }), {}));
  const { client } = connected;
  const name = { apiVersion: "v1", kind: "ConfigMap" };
  await expect(client.untyped(name)).rejects.toThrow("GET /api/v1: the response is no list of resources");
  const stop = new AbortController();
  const both = [client.untyped(name, { signal: stop.signal }), client.untyped(name)];
  stop.abort(new Error("enough"));
  await expect(both[0]).rejects.toThrow("enough");
  expect((await both[1])?.resource.resource).toBe("configmaps");
});
