import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { addWidget, ask, CONFIG_MAPS, configMap, issueToken, statusWith, until, WIDGETS } from "./requests.ts";
import { usedMegabytes } from "./used-memory.ts";

let plane: Plane;

beforeAll(async () => {
  plane = await startPlane();
  await plane.ready;
  // The root certificate of a namespace is published after the start, also by a fork if the original has not done so yet.
  await until(async () => (await plane.fetch(`${CONFIG_MAPS}/kube-root-ca.crt`)).status === 200);
  for (const name of ["a", "b", "c"]) await ask(plane, "POST", CONFIG_MAPS, configMap(name, { value: name }));
  await addWidget(plane);
});
afterAll(() => plane.stop());

/** Calls back with a fork and stops it afterwards. */
async function withFork<T>(run: (fork: Plane) => Promise<T>, of = plane): Promise<T> {
  const fork = await of.fork();
  try {
    return await run(fork);
  } finally {
    await fork.stop();
  }
}

/** Reads a watch until an event of the named object. */
async function firstEvent(of: Plane, path: string, name: string): Promise<string> {
  const ended = new AbortController();
  const response = await of.fetch(path, { signal: ended.signal });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const line = text.split("\n").find((each) => each.includes(`"name":"${name}"`) && each.endsWith("}"));
    if (line === undefined) continue;
    ended.abort();
    return (JSON.parse(line) as { type: string }).type;
  }
  throw new Error(`the watch ended: ${text}`);
}

describe("a fork", () => {
  it("has the objects of the original, with their UIDs and resource versions, custom kinds included", async () => {
    await withFork(async (fork) => {
      for (const path of [CONFIG_MAPS, "/api/v1/namespaces/default/configmaps/a", WIDGETS, `${WIDGETS}/w`]) {
        const [copy, original] = [await ask(fork, "GET", path), await ask(plane, "GET", path)];
        if (copy.items === undefined) expect(copy).toEqual(original);
        else expect(copy.items.map(({ metadata }) => metadata)).toEqual(original.items.map(({ metadata }) => metadata));
      }
    });
  });

  it("keeps its writes to itself, as does the original, and revisions continue in both", async () => {
    const before = Number((await ask(plane, "GET", CONFIG_MAPS)).metadata.resourceVersion);
    await withFork(async (fork) => {
      const changed = await ask(fork, "PUT", `${CONFIG_MAPS}/a`, configMap("a", { value: "fork" }));
      const created = await ask(plane, "POST", CONFIG_MAPS, configMap("only-original"));
      await ask(fork, "DELETE", `${CONFIG_MAPS}/b`);
      await ask(fork, "POST", WIDGETS, {
        apiVersion: "example.com/v1",
        kind: "Widget",
        metadata: { name: "fork-only" },
      });
      expect(Number(changed.metadata.resourceVersion)).toBeGreaterThan(before);
      expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(before);
      expect((await ask(plane, "GET", `${CONFIG_MAPS}/a`)).data).toEqual({ value: "a" });
      expect((await plane.fetch(`${CONFIG_MAPS}/b`)).status).toBe(200);
      expect((await plane.fetch(`${WIDGETS}/fork-only`)).status).toBe(404);
      expect((await fork.fetch(`${CONFIG_MAPS}/only-original`)).status).toBe(404);
      expect((await ask(fork, "GET", `${CONFIG_MAPS}/a`)).data).toEqual({ value: "fork" });
    });
    await ask(plane, "DELETE", `${CONFIG_MAPS}/only-original`);
  });

  it("continues watches from a revision before the fork and sends its own events to its own watchers only", async () => {
    const { metadata } = await ask(plane, "GET", CONFIG_MAPS);
    await ask(plane, "POST", CONFIG_MAPS, configMap("before-fork"));
    await withFork(async (fork) => {
      const path = `${CONFIG_MAPS}?watch=true&resourceVersion=${metadata.resourceVersion}`;
      await expect(firstEvent(fork, path, "before-fork")).resolves.toBe("ADDED");
      const seen = firstEvent(plane, path, "after-fork-original");
      await ask(fork, "POST", CONFIG_MAPS, configMap("after-fork-copy"));
      await ask(plane, "POST", CONFIG_MAPS, configMap("after-fork-original"));
      await expect(seen).resolves.toBe("ADDED");
      await expect(firstEvent(fork, path, "after-fork-copy")).resolves.toBe("ADDED");
    });
  });

  it("accepts service account tokens from before the fork, while tokens that it issues are its own", async () => {
    const old = await issueToken(plane);
    await withFork(async (fork) => {
      const own = await issueToken(fork);
      expect(await statusWith(fork, old)).toBe(201);
      expect(await statusWith(fork, own)).toBe(201);
      expect(await statusWith(plane, own)).toBe(401);
      expect(await statusWith(fork, plane.client.token)).toBe(401);
      expect(await statusWith(plane, fork.client.token)).toBe(401);
    });
  });

  it("runs its own controllers: garbage is collected in the fork alone", async () => {
    const owner = await ask(plane, "GET", `${CONFIG_MAPS}/c`);
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "c", uid: owner.metadata.uid }];
    await ask(plane, "POST", CONFIG_MAPS, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "owned", ownerReferences },
    });
    await withFork(async (fork) => {
      await ask(fork, "DELETE", `${CONFIG_MAPS}/c`);
      await until(async () => (await fork.fetch(`${CONFIG_MAPS}/owned`)).status === 404);
      expect((await plane.fetch(`${CONFIG_MAPS}/owned`)).status).toBe(200);
    });
  });

  it("shows one revision if objects are written at the same time", async () => {
    let stopped = false;
    const writer = async (name: string): Promise<void> => {
      for (let count = 0; !stopped; count++) {
        await ask(plane, "PUT", `${CONFIG_MAPS}/${name}`, configMap(name, { count: String(count) }));
      }
    };
    const names = ["busy-0", "busy-1", "busy-2", "busy-3"];
    for (const name of names) await ask(plane, "POST", CONFIG_MAPS, configMap(name));
    const writers = names.map(writer);
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await withFork(async (fork) => {
        const copy = await ask(fork, "GET", CONFIG_MAPS);
        const newest = Math.max(...copy.items.map(({ metadata }) => Number(metadata.resourceVersion)));
        const past = await ask(plane, "GET", `${CONFIG_MAPS}?resourceVersion=${newest}&resourceVersionMatch=Exact`);
        expect(copy.items).toEqual(past.items);
      });
    }
    stopped = true;
    await Promise.all(writers);
  });

  it("outlives the original, and can be forked itself, without a socket", async () => {
    const first = await startPlane({ listen: false });
    await first.ready;
    await ask(first, "POST", CONFIG_MAPS, configMap("kept"));
    const second = await first.fork();
    await first.stop();
    expect(second.client.server).toBe("https://kubernetes.default.svc");
    await ask(second, "POST", CONFIG_MAPS, configMap("later"));
    await withFork(async (third) => {
      await second.stop();
      expect((await third.fetch(`${CONFIG_MAPS}/kept`)).status).toBe(200);
      expect((await third.fetch(`${CONFIG_MAPS}/later`)).status).toBe(200);
    }, second);
  });

  it("of a plane with a directory is in memory and leaves the directory alone", async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-fork-"));
    try {
      const kept = await startPlane({ directory, listen: false });
      await kept.ready;
      const { metadata } = await ask(kept, "POST", CONFIG_MAPS, configMap("on-disk"));
      await withFork(async (fork) => {
        expect((await ask(fork, "GET", `${CONFIG_MAPS}/on-disk`)).metadata).toMatchObject(metadata);
        await ask(fork, "DELETE", `${CONFIG_MAPS}/on-disk`);
      }, kept);
      expect((await kept.fetch(`${CONFIG_MAPS}/on-disk`)).status).toBe(200);
      await kept.stop();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("frees its memory when it is stopped", async () => {
    const useFork = (): Promise<void> =>
      withFork(async (fork) => {
        await ask(fork, "GET", CONFIG_MAPS);
        await ask(fork, "POST", CONFIG_MAPS, configMap("large", { text: "x".repeat(500_000) }));
      });
    for (let warm = 0; warm < 3; warm++) await useFork();
    const before = await usedMegabytes();
    for (let round = 0; round < 15; round++) await useFork();
    // Forks that were kept would take several megabytes each.
    await expect.poll(async () => (await usedMegabytes()) - before, { timeout: 10_000 }).toBeLessThan(25);
  });

  it("takes no longer for many objects than for few", async () => {
    const cpuOfForks = async (of: Plane): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 5; round++) {
        const begun = process.cpuUsage();
        const fork = await of.fork({ listen: false });
        const { user, system } = process.cpuUsage(begun);
        times.push((user + system) / 1000);
        await fork.ready;
        await fork.stop();
      }
      return Math.min(...times);
    };
    const small = await startPlane({ listen: false, flags: { controllers: "false" } });
    await small.ready;
    await cpuOfForks(small);
    const few = await cpuOfForks(small);
    for (let batch = 0; batch < 20; batch++) {
      const names = Array.from({ length: 50 }, (_, index) => `many-${batch}-${index}`);
      await Promise.all(
        names.map((name) => ask(small, "POST", CONFIG_MAPS, configMap(name, { text: "x".repeat(2000) }))),
      );
    }
    const many = await cpuOfForks(small);
    await small.stop();
    expect(many).toBeLessThan(3 * few + 30);
  });
});
