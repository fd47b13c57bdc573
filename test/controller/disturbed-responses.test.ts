import { expect, it, onTestFinished } from "vitest";
import { configMap } from "../../api-definitions/core/v1/config-map.ts";
import { secret } from "../../api-definitions/core/v1/secret.ts";
import "../../generated/resources/core.v1.ts";
import { connect } from "../../runtime/client.ts";
import { controller, manager } from "../../runtime/controller.ts";
import { startPlane } from "../../runtime/plane.ts";
import { Random } from "../hostile/random.ts";
import { disposed } from "../tools/disposed.ts";

type Fetch = typeof globalThis.fetch;

const STRANGE = [
  '{"type":"ADDED"\n',
  "\n\n",
  '{"type":"REPLACED","object":{"metadata":{"name":"x","uid":"x","resourceVersion":"1"}}}\n',
  '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x","uid":"x","resourceVersion":"1"}}}\n',
  '{"type":"BOOKMARK","object":{}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":500}}\n',
];

/** Rejects requests, truncates bodies at any byte with or without an error, and adds invalid data to watches. */
function disturb(fetch: Fetch, random: Random, state: { isGood: boolean }): Fetch {
  const refusal = (): Response => {
    const code = random.pick([401, 410, 429, 500, 503]);
    const headers = { "Content-Type": "application/json", ...(random.chance(0.5) && { "Retry-After": "0" }) };
    return random.pick([
      () => new Response(`{"kind":"Status","code":${code}}`, { status: code, headers }),
      () => new Response(null, { status: 302, headers: { Location: "/login" } }),
      () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
      () => new Response("{", { headers: { "Content-Type": "application/json" } }),
    ])();
  };
  return async (url, init) => {
    if (!state.isGood && random.chance(0.2)) {
      if (random.chance(0.3)) throw new Error("cut");
      return refusal();
    }
    const response = await fetch(url, init);
    if (state.isGood || response.body === null || !String(url).includes("watch=true")) return response;
    const reader = response.body.getReader();
    let left = random.int(20_000);
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        const { done, value } = await reader.read();
        if (done) return stream.close();
        stream.enqueue(value.subarray(0, left));
        left -= value.length;
        if (random.chance(0.1)) stream.enqueue(Buffer.from(random.pick(STRANGE)));
        if (left > 0) return;
        await reader.cancel();
        if (random.chance(0.5)) stream.error(new Error("cut"));
        else stream.close();
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

it("loses and repeats nothing, whatever happens to the responses of the server", async () => {
  const plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  onTestFinished(() => plane.stop());
  await plane.ready;
  const namespace = "default";
  const [state, random] = [{ isGood: false }, new Random(1)];
  const admin = await connect({ plane });
  const fetch = disturb(plane.fetch as Fetch, random, state);
  const client = await connect({ plane: { fetch }, timeoutMs: 5000 });
  const maps = admin.of(configMap);

  const contradictions: string[] = [];
  const known = new Map<string, string>();
  const informer = disposed(client.of(configMap).informer({ namespace }));
  informer.on({
    added: ({ metadata: { name, resourceVersion } }) => {
      if (known.has(name)) contradictions.push(`${name} added twice`);
      known.set(name, resourceVersion);
    },
    updated: ({ metadata: { name, resourceVersion } }, old) => {
      if (known.get(name) !== old.metadata.resourceVersion) contradictions.push(`${name} updated from another version`);
      known.set(name, resourceVersion);
    },
    deleted: ({ metadata: { name } }) => {
      if (!known.delete(name)) contradictions.push(`${name} deleted twice`);
    },
  });
  const rateLimits = { longestRetry: "100ms", retriesPerSecond: 1000, burst: 1000 } as const;
  const described = controller(configMap, { concurrency: 4, rateLimits })
    .owns(secret)
    .reconcile(async ({ metadata: { name }, data }, { client, own }) => {
      const stringData = { copy: data?.value ?? "" };
      await client.of(secret).apply(own({ metadata: { namespace, name }, stringData }), { force: true });
    });
  const running = manager({ client, controllers: [described], namespace, log: () => undefined });
  const started = [informer.start(), running.start()];

  for (let write = 0; write < 300; write++) {
    const metadata = { namespace, name: `map-${random.int(30)}` };
    if (random.chance(0.3)) await maps.delete(metadata).catch(() => undefined);
    else await maps.apply({ metadata, data: { value: `${write}` } }, { fieldManager: "writer", force: true });
    if (write % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  state.isGood = true;
  await Promise.all(started);
  await informer.caughtUp();
  await informer.idle();
  await running.idle();
  const live = await maps.list({ namespace }).all();
  expect(contradictions).toEqual([]);
  expect(new Map(known)).toEqual(new Map(live.map(({ metadata }) => [metadata.name, metadata.resourceVersion])));
  expect(informer.metrics.failures).toBeGreaterThan(0);
  const copies = async () => {
    const secrets = await admin.of(secret).list({ namespace }).all();
    return new Map(secrets.map(({ metadata, data }) => [metadata.name, atob(String(data?.copy))]));
  };
  // Retries may still wait for their backoff when responses succeed again.
  for (const { metadata, data } of live)
    await expect.poll(async () => (await copies()).get(metadata.name), { timeout: 30_000 }).toBe(data?.value);
  await running.stop();
});
