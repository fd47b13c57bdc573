import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../runtime/lib/clock.ts";
import { ExpiringCache } from "../../runtime/lib/expiring-cache.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { EtcdLeases } from "../../runtime/store/etcd/etcd-leases.ts";
import { createClient } from "../fixtures/plane-client.ts";

const HOUR_MS = 3_600_000;
const MAPS = "/api/v1/namespaces/default/configmaps";

/** The system time, which is set forward and back. Timers and durations are not affected. */
function jumpingClock(): Clock & { offset: number } {
  const clock = {
    offset: 0,
    now: () => Date.now() + clock.offset,
    after: systemClock.after,
    ...(systemClock.steady && { steady: systemClock.steady }),
  };
  return clock;
}

describe("a server whose clock is set two hours ahead and back", () => {
  const clock = jumpingClock();
  let plane: Plane;
  let call: ReturnType<typeof createClient>;

  beforeAll(async () => {
    plane = await startPlane({ clock, flags: { controllers: "false", "event-ttl": "1h" } });
    call = createClient(plane);
    await plane.ready;
  });
  afterAll(() => plane.stop());

  const jump = (hours: number): void => {
    clock.offset = hours * HOUR_MS;
  };
  const create = async (name: string): Promise<{ hours: number; revision: number }> => {
    const { status, body } = await call("POST", MAPS, { body: { metadata: { name } } });
    expect(status).toBe(201);
    const hours = (Date.parse(body.metadata.creationTimestamp) - Date.now()) / HOUR_MS;
    return { hours, revision: Number(body.metadata.resourceVersion) };
  };

  it("dates objects by its clock, orders them by revision, and goes on with open watches", async () => {
    const { body } = await call("GET", MAPS);
    const { body: watched } = await plane.fetch(`${MAPS}?watch=1&resourceVersion=${body.metadata.resourceVersion}`);
    const made = [await create("before")];
    jump(2);
    made.push(await create("ahead"));
    jump(0);
    made.push(await create("after"));
    expect(made.map(({ hours }) => Math.abs(Math.round(hours)))).toEqual([0, 2, 0]);
    const revisions = made.map(({ revision }) => revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    let text = "";
    for await (const chunk of watched ?? []) {
      text += Buffer.from(chunk).toString("utf8");
      if (text.split("\n").length > made.length) break;
    }
    const names = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).object.metadata.name);
    expect(names).toEqual(["before", "ahead", "after"]);
  });

  it("rejects tokens that have expired or are not valid yet by its clock, and accepts them again when it is right", async () => {
    const issue = async (): Promise<string> => {
      const path = "/api/v1/namespaces/default/serviceaccounts/jumper/token";
      const { status, body } = await call("POST", path, { body: { spec: { expirationSeconds: 3600 } } });
      expect(status).toBe(201);
      return body.status.token;
    };
    // 403 is the response to an authenticated user without permissions.
    const use = async (token: string): Promise<number> =>
      (await call("GET", MAPS, { anonymous: true, headers: { Authorization: `Bearer ${token}` } })).status;
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "jumper" } } });
    const early = await issue();
    expect(await use(early)).toBe(403);
    jump(2);
    expect(await use(early)).toBe(401);
    const late = await issue();
    expect(await use(late)).toBe(403);
    jump(0);
    expect([await use(early), await use(late)]).toEqual([403, 401]);
  });

  it("removes Events whose time has passed by its clock, and keeps later ones", async () => {
    const path = "/api/v1/namespaces/default/events";
    const event = (name: string) => ({
      metadata: { name },
      involvedObject: { kind: "Pod", name: "a", namespace: "default" },
    });
    const names = async (): Promise<string[]> =>
      (await call("GET", path)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    expect((await call("POST", path, { body: event("old") })).status).toBe(201);
    jump(2);
    await expect.poll(names).toEqual([]);
    jump(0);
    for (const name of ["new", "newer"]) await call("POST", path, { body: event(name) });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await names()).toEqual(["new", "newer"]);
  });
});

describe("durations when the time of the system is set back", () => {
  it("let history be compacted although later changes follow some that were dated in the future", async () => {
    let now = 10 * HOUR_MS;
    let tick: (() => void) | undefined;
    const clock: Clock = {
      now: () => now,
      after: (_, action) => {
        tick = action;
        return () => undefined;
      },
    };
    const store = openMemoryStore({ clock, historyMs: 300_000 });
    now += HOUR_MS;
    const first = (await store.put("/a", Buffer.from("ahead"), { expected: 0 })).revision;
    now -= HOUR_MS;
    const second = (await store.put("/a", Buffer.from("after"), { expected: first })).revision;
    await store.put("/a", Buffer.from("later"), { expected: second });
    now += 400_000;
    tick?.();
    await expect.poll(() => store.get("/a", { atRevision: second }).catch((error) => error.code)).toBe("Compacted");
    expect(String((await store.get("/a"))?.value)).toBe("later");
    await store.close();
  });

  it("end the reuse of etcd leases and of cached values, which would be kept for as long as the time was set back", async () => {
    let [now, steady] = [10 * HOUR_MS, 0];
    const after = () => () => undefined;
    const clock: Clock = { now: () => now, after, steady: { now: () => steady, after } };
    let granted = 0;
    const leases = new EtcdLeases(async () => String(++granted), clock);
    const cache = new ExpiringCache<string>(10, clock);
    cache.set("a", "value", 10_000);
    expect([await leases.leaseFor(3600), await leases.leaseFor(3600)]).toEqual(["1", "1"]);
    now -= HOUR_MS;
    steady += 10 * 60_000;
    expect(await leases.leaseFor(3600)).toBe("2");
    expect(cache.get("a")).toBeUndefined();
  });
});
