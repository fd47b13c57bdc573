import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DisturbError, formatDisturb, parseDisturb } from "../../runtime/disturb/disturb-settings.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { ask, CONFIG_MAPS, configMap, type Read } from "../plane/requests.ts";

let plane: Plane;

beforeAll(async () => {
  plane = await startPlane({ listen: false, flags: { controllers: "false" } });
  await plane.ready;
  for (let index = 0; index < 5; index++) {
    await ask(plane, "POST", CONFIG_MAPS, configMap(`c${index}`, { value: String(index) }));
  }
});
afterAll(() => plane.stop());

/** Calls back with a disturbed copy of the plane. */
async function disturbed<T>(disturb: string, run: (fork: Plane) => Promise<T>): Promise<T> {
  const fork = await plane.fork({ disturb });
  try {
    return await run(fork);
  } finally {
    await fork.stop();
  }
}

interface Event {
  readonly type: string;
  readonly object: Read & { readonly code?: number; readonly reason?: string };
}

/** The events of a watch that ends by itself. */
async function eventsOf(of: Plane, query: string): Promise<Event[]> {
  const response = await of.fetch(`${CONFIG_MAPS}?watch=true&${query}`);
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Event);
}

const put = (of: Plane, name: string, object: unknown): Promise<Response> =>
  of.fetch(`${CONFIG_MAPS}/${name}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(object),
  });

describe("the settings of disturbances", () => {
  const read = (text: string): string => formatDisturb(parseDisturb(text, () => 7));

  it("are all of them for a seed alone, and the named ones otherwise, each with its usual rate or the given one", () => {
    expect(read("seed=42")).toBe(
      "seed=42,stale=0.3,late=0.3,close=0.2,expire=0.1,conflict=0.2,refuse=0.05,slow=0.1,bookmarks=0.5,restart=0.005",
    );
    expect(read("seed=42,late=0.25,close")).toBe("seed=42,late=0.25,close=0.2");
    expect(read("refuse=1")).toBe("seed=7,refuse=1");
    expect(read(read("seed=3,slow"))).toBe(read("seed=3,slow"));
  });

  it("are refused for unknown names, and for rates and seeds that are no numbers in their range", () => {
    for (const text of ["chaos", "late=2", "late=x", "seed=-1", "seed=", "seed=4294967296"]) {
      expect(() => read(text)).toThrow(DisturbError);
    }
  });

  it("are refused together with a listening address beyond loopback", async () => {
    await expect(startPlane({ disturb: "seed=1", flags: { "bind-address": "0.0.0.0" } })).rejects.toThrow(
      "--disturb is for tests: it needs a loopback address instead of --bind-address=0.0.0.0",
    );
  });

  it("are logged at the start, so that a failure can be repeated", async () => {
    const lines: string[] = [];
    const fork = await plane.fork({ disturb: "seed=99,slow=0.5", log: (_level, message) => void lines.push(message) });
    await fork.stop();
    expect(lines).toContain("disturbing clients; the same again with --disturb=seed=99,slow=0.5");
  });
});

describe("a disturbed server", () => {
  it("shows lists with resourceVersion=0 as they were, and all others as they are", async () => {
    await disturbed("seed=1,stale=1", async (fork) => {
      for (let round = 0; round < 10; round++) {
        await ask(fork, "PUT", `${CONFIG_MAPS}/c0`, configMap("c0", { round: String(round) }));
        const present = await ask(fork, "GET", CONFIG_MAPS);
        const any = await ask(fork, "GET", `${CONFIG_MAPS}?resourceVersion=0&limit=1`);
        const { resourceVersion } = any.metadata;
        expect(present.items[0]?.data).toEqual({ round: String(round) });
        const path = `${CONFIG_MAPS}?resourceVersion=${resourceVersion}`;
        expect((await ask(fork, "GET", `${path}&resourceVersionMatch=Exact`)).items).toEqual(any.items);
        expect((await ask(fork, "GET", path)).items).toEqual(present.items);
        if (round > 0) expect(Number(resourceVersion)).toBeLessThan(Number(present.metadata.resourceVersion));
      }
    });
  });

  it("refuses with 429, names the seed, and does not execute what it refuses", async () => {
    await disturbed("seed=5,refuse=1", async (fork) => {
      const response = await fork.fetch(`${CONFIG_MAPS}/c1`, { method: "DELETE" });
      expect(response.status).toBe(429);
      expect(response.headers.get("Retry-After")).toBe("1");
      expect(response.headers.get("Typeplane-Disturbed")).toBe("seed=5, refuse");
      expect((await fork.fetch("/healthz")).status).toBe(200);
      const calm = await fork.fork({ disturb: "refuse=0" });
      expect((await calm.fetch(`${CONFIG_MAPS}/c1`)).status).toBe(200);
      await calm.stop();
    });
  });

  it("answers 409 to updates that name a resourceVersion, and to no others, without a change of the object", async () => {
    await disturbed("seed=1,conflict=1", async (fork) => {
      const before = (await ask(fork, "GET", CONFIG_MAPS)).metadata.resourceVersion;
      const read = await ask(fork, "GET", `${CONFIG_MAPS}/c2`);
      const response = await put(fork, "c2", { ...read, data: { value: "mine" } });
      expect(response.status).toBe(409);
      expect(await response.text()).toContain("the object has been modified; please apply your changes to the latest");
      const after = await ask(fork, "GET", `${CONFIG_MAPS}/c2`);
      expect({ ...after, metadata: { ...after.metadata, resourceVersion: "" } }).toEqual({
        ...read,
        metadata: { ...read.metadata, resourceVersion: "" },
      });
      expect((await put(fork, "c2", configMap("c2", { value: "mine" }))).status).toBe(200);
      await ask(fork, "PATCH", `${CONFIG_MAPS}/c2`, { data: { value: "patched" } });
      const events = await eventsOf(fork, `resourceVersion=${before}&timeoutSeconds=1`);
      const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
      expect(events.map(({ type, object }) => `${type} ${object.data?.value}`)).toEqual([
        "MODIFIED 2",
        "MODIFIED 2",
        "MODIFIED mine",
        "MODIFIED mine",
        "MODIFIED patched",
      ]);
    });
  });

  it("expires watches, continue tokens and exact lists, and offers how to go on", async () => {
    await disturbed("seed=1,expire=1", async (fork) => {
      const list = await ask(fork, "GET", `${CONFIG_MAPS}?limit=2`);
      const { resourceVersion } = list.metadata;
      const [event, ...others] = await eventsOf(fork, `resourceVersion=${resourceVersion}`);
      expect([event?.type, event?.object.code, event?.object.reason, others]).toEqual(["ERROR", 410, "Expired", []]);
      const page = await fork.fetch(`${CONFIG_MAPS}?limit=2&continue=${list.metadata.continue}`);
      expect(page.status).toBe(410);
      const status = (await page.json()) as Read;
      const rest = await ask(plane, "GET", `${CONFIG_MAPS}?continue=${status.metadata.continue}`);
      expect(rest.items.map(({ metadata }) => metadata.name)).toEqual(["c2", "c3", "c4"]);
      const exact = await fork.fetch(`${CONFIG_MAPS}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
      expect(exact.status).toBe(410);
      expect((await fork.fetch(`${CONFIG_MAPS}?resourceVersion=0`)).status).toBe(200);
    });
  });

  it("closes watches early, and the next watch continues where one ended", async () => {
    await disturbed("seed=3,close=1,late=1", async (fork) => {
      let { resourceVersion } = (await ask(fork, "GET", CONFIG_MAPS)).metadata;
      const seen: (string | undefined)[] = [];
      for (let index = 0; index < 20; index++) {
        await ask(fork, "PUT", `${CONFIG_MAPS}/c3`, configMap("c3", { value: `v${index}` }));
      }
      for (let watches = 0; seen.length < 20 && watches < 40; watches++) {
        for (const { object } of await eventsOf(fork, `resourceVersion=${resourceVersion}&timeoutSeconds=60`)) {
          seen.push(object.data?.value);
          resourceVersion = object.metadata.resourceVersion;
        }
      }
      expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `v${index}`));
    });
  });

  it("closes no watch while it sends the present state", async () => {
    await disturbed("seed=3,close=1", async (fork) => {
      const events = await eventsOf(fork, "timeoutSeconds=1");
      const names = events.map(({ type, object }) => `${type} ${object.metadata.name}`);
      expect(names).toEqual(["ADDED c0", "ADDED c1", "ADDED c2", "ADDED c3", "ADDED c4"]);
      const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
      const streamed = await eventsOf(fork, `${initial}&timeoutSeconds=2`);
      expect(streamed.map(({ type }) => type)).toEqual(["ADDED", "ADDED", "ADDED", "ADDED", "ADDED", "BOOKMARK"]);
    });
  });

  it("sends no bookmarks or many, after the events they tell of, to watches that allow them", async () => {
    const counts = new Set<number>();
    const watchWith = (seed: number): Promise<void> =>
      disturbed(`seed=${seed},bookmarks=1`, async (fork) => {
        const { resourceVersion } = (await ask(fork, "GET", CONFIG_MAPS)).metadata;
        for (const name of ["c0", "c1", "c2"]) await ask(fork, "PUT", `${CONFIG_MAPS}/${name}`, configMap(name));
        const query = `resourceVersion=${resourceVersion}&timeoutSeconds=1`;
        const events = await eventsOf(fork, `${query}&allowWatchBookmarks=true`);
        let newest = 0;
        for (const { object } of events) {
          expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(newest);
          newest = Number(object.metadata.resourceVersion);
        }
        counts.add(events.filter(({ type }) => type === "BOOKMARK").length);
        expect((await eventsOf(fork, query)).filter(({ type }) => type === "BOOKMARK")).toEqual([]);
      });
    await Promise.all([1, 2, 3, 4, 5, 6].map(watchWith));
    expect([...counts].sort()).toEqual([0, 3]);
  });

  it("restarts without losing a write that it acknowledged", async () => {
    await disturbed("seed=2,restart=0.2", async (fork) => {
      const acknowledged = new Map<string, string>();
      let failures = 0;
      for (let index = 0; index < 60; index++) {
        const name = `c${index % 5}`;
        try {
          const value = `r${index}`;
          await ask(fork, "PUT", `${CONFIG_MAPS}/${name}`, configMap(name, { value }));
          acknowledged.set(name, value);
        } catch (error) {
          expect((error as Error).message).toBe("fetch failed");
          failures++;
        }
      }
      expect(failures).toBeGreaterThan(3);
      const calm = await fork.fork({ disturb: "refuse=0" });
      for (const { metadata, data } of (await ask(calm, "GET", CONFIG_MAPS)).items) {
        const value = acknowledged.get(metadata.name);
        if (value !== undefined) expect(data).toEqual({ value });
      }
      await calm.stop();
    });
  });

  it("disturbs the same sequence of requests in the same way for the same seed", async () => {
    const headersOf = (seed: number): Promise<(string | null)[]> =>
      disturbed(`seed=${seed},refuse=0.3,conflict=0.3,stale=0.3`, async (fork) => {
        const headers: (string | null)[] = [];
        for (let index = 0; index < 15; index++) {
          for (const response of [
            await put(fork, "c0", configMap("c0", { value: String(index) })),
            await fork.fetch(`${CONFIG_MAPS}?resourceVersion=0`),
          ]) {
            await response.text();
            headers.push(response.headers.get("Typeplane-Disturbed"));
          }
        }
        return headers;
      });
    const first = await headersOf(8);
    expect(first.filter((header) => header === null).length).toBeGreaterThan(0);
    expect(first.filter((header) => header?.startsWith("seed=8, ")).length).toBeGreaterThan(0);
    expect(await headersOf(8)).toEqual(first);
    expect((await headersOf(9)).map((header) => header?.replace("=9", "=8") ?? null)).not.toEqual(first);
  });

  it("is not disturbed by default", async () => {
    for (let index = 0; index < 20; index++) {
      const response = await plane.fetch(`${CONFIG_MAPS}?resourceVersion=0`);
      expect([response.status, response.headers.get("Typeplane-Disturbed")]).toEqual([200, null]);
      await response.text();
    }
  });
});
