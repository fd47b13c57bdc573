import { describe, expect, it, vi } from "vitest";
import { newSortedMap } from "../../runtime/lib/sorted-map.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { CacheFixture, labelSelector, names, PREFIX } from "./cache-fixture.ts";

const scope = PREFIX;

/** Five things a/1 … a/5 and then a write elsewhere. */
async function fiveThings(): Promise<{ fixture: CacheFixture; revisions: number[]; latest: number }> {
  const fixture = new CacheFixture();
  const revisions: number[] = [];
  for (let i = 1; i <= 5; i++) revisions.push(await fixture.put(`a/${i}`));
  const latest = await fixture.putElsewhere("x");
  return { fixture, revisions, latest };
}

describe("list without resourceVersionMatch", () => {
  it("returns the most recent state without resourceVersion and limit", async () => {
    const { fixture, latest } = await fiveThings();
    const first = await fixture.cache.list({ scope });
    expect(names(first.items)).toEqual(["a/1", "a/2", "a/3", "a/4", "a/5"]);
    expect(first).toMatchObject({ resourceVersion: latest, continue: undefined, remainingItemCount: undefined });
    const revision = await fixture.put("a/6");
    const second = await fixture.cache.list({ scope });
    expect(names(second.items)).toContain("a/6");
    expect(second.resourceVersion).toBe(revision);
  });

  it("returns the first page of the most recent state with a limit", async () => {
    const { fixture, latest } = await fiveThings();
    const page = await fixture.cache.list({ scope, limit: 2 });
    expect(names(page.items)).toEqual(["a/1", "a/2"]);
    expect(page).toMatchObject({ resourceVersion: latest, remainingItemCount: 3 });
    expect(page.continue).toBeTypeOf("string");
  });

  it("returns any state for resourceVersion 0", async () => {
    const { fixture } = await fiveThings();
    expect((await fixture.cache.list({ scope, resourceVersion: "0" })).items).toHaveLength(5);
  });

  it("returns all objects for resourceVersion 0 and ignores the limit, as Kubernetes does", async () => {
    const { fixture } = await fiveThings();
    const result = await fixture.cache.list({ scope, resourceVersion: "0", limit: 2 });
    expect(result.items).toHaveLength(5);
    expect(result.continue).toBeUndefined();
  });

  it("returns a state that is not older than the resourceVersion", async () => {
    const { fixture, revisions, latest } = await fiveThings();
    const result = await fixture.cache.list({ scope, resourceVersion: String(revisions[1]) });
    expect(result.items).toHaveLength(5);
    expect(result.resourceVersion).toBe(latest);
  });

  it("returns exactly the resourceVersion with a limit", async () => {
    const { fixture, revisions } = await fiveThings();
    await fixture.cache.fill();
    const result = await fixture.cache.list({ scope, resourceVersion: String(revisions[3]), limit: 3 });
    expect(names(result.items)).toEqual(["a/1", "a/2", "a/3"]);
    expect(result).toMatchObject({ resourceVersion: revisions[3], remainingItemCount: 1 });
  });

  it("returns further pages of the same state for a continue token", async () => {
    const { fixture, latest } = await fiveThings();
    const first = await fixture.cache.list({ scope, limit: 2 });
    await fixture.put("a/25");
    await fixture.delete("a/4");
    const second = await fixture.cache.list({ scope, limit: 2, continue: first.continue ?? "" });
    expect(names(second.items)).toEqual(["a/3", "a/4"]);
    expect(second).toMatchObject({ resourceVersion: latest, remainingItemCount: 1 });
    const third = await fixture.cache.list({ scope, limit: 2, continue: second.continue ?? "" });
    expect(names(third.items)).toEqual(["a/5"]);
    expect(third).toMatchObject({ resourceVersion: latest, continue: undefined, remainingItemCount: undefined });
  });

  it("accepts resourceVersion 0 with a continue token and rejects other versions", async () => {
    const { fixture } = await fiveThings();
    const token = (await fixture.cache.list({ scope, limit: 2 })).continue ?? "";
    const next = await fixture.cache.list({ scope, limit: 2, continue: token, resourceVersion: "0" });
    expect(names(next.items)).toEqual(["a/3", "a/4"]);
    await expect(fixture.cache.list({ scope, limit: 2, continue: token, resourceVersion: "5" })).rejects.toMatchObject({
      code: "BadRequest",
      message: "specifying resource version is not allowed when using continue",
    });
  });
});

describe("list with resourceVersionMatch=Exact", () => {
  it.each([undefined, 2])("is invalid without resourceVersion and for 0 (limit %s)", async (limit) => {
    const { fixture } = await fiveThings();
    for (const resourceVersion of ["", "0"]) {
      const request = { scope, resourceVersion, resourceVersionMatch: "Exact", ...(limit && { limit }) };
      await expect(fixture.cache.list(request)).rejects.toMatchObject({ code: "InvalidOptions" });
    }
  });

  it.each([undefined, 2])("returns exactly the resourceVersion (limit %s)", async (limit) => {
    const { fixture, revisions } = await fiveThings();
    await fixture.delete("a/1");
    const resourceVersion = String(revisions[2]);
    const result = await fixture.cache.list({
      scope,
      resourceVersion,
      resourceVersionMatch: "Exact",
      ...(limit && { limit }),
    });
    expect(names(result.items)).toEqual(["a/1", "a/2", "a/3"].slice(0, limit ?? 3));
    expect(result.resourceVersion).toBe(revisions[2]);
  });
});

describe("list with resourceVersionMatch=NotOlderThan", () => {
  it.each([undefined, 2])(
    "is invalid without resourceVersion, returns any state for 0 and a not older one otherwise (limit %s)",
    async (limit) => {
      const { fixture, revisions, latest } = await fiveThings();
      const list = (resourceVersion: string) =>
        fixture.cache.list({ scope, resourceVersion, resourceVersionMatch: "NotOlderThan", ...(limit && { limit }) });
      await expect(list("")).rejects.toMatchObject({
        code: "InvalidOptions",
        faults: [
          {
            field: "resourceVersionMatch",
            type: "Forbidden",
            detail: "resourceVersionMatch is forbidden unless resourceVersion is provided",
          },
        ],
      });
      expect((await list("0")).items).toHaveLength(5);
      const fresh = await list(String(revisions[0]));
      expect(fresh.items).toHaveLength(limit ?? 5);
      expect(fresh.resourceVersion).toBe(latest);
    },
  );

  it("is rejected with a continue token, and so is an unknown value", async () => {
    const { fixture } = await fiveThings();
    const token = (await fixture.cache.list({ scope, limit: 2 })).continue ?? "";
    await expect(
      fixture.cache.list({ scope, resourceVersion: "3", resourceVersionMatch: "NotOlderThan", continue: token }),
    ).rejects.toMatchObject({ faults: [{ detail: "resourceVersionMatch is forbidden when continue is provided" }] });
    await expect(
      fixture.cache.list({ scope, resourceVersion: "3", resourceVersionMatch: "Newest" }),
    ).rejects.toMatchObject({ faults: [{ type: "NotSupported", value: "Newest" }] });
  });
});

describe("a list of a resourceVersion that the cache does not have", () => {
  it("waits for a future version", async () => {
    const { fixture, latest } = await fiveThings();
    await fixture.cache.fill();
    const pending = fixture.cache.list({ scope, resourceVersion: String(latest + 1) });
    await fixture.put("a/6");
    expect((await pending).items).toHaveLength(6);
  });

  it("answers Too large resource version if that version does not arrive", async () => {
    const { fixture, latest } = await fiveThings();
    await fixture.cache.fill();
    for (const resourceVersionMatch of ["", "Exact", "NotOlderThan"]) {
      const pending = fixture.cache.list({ scope, resourceVersion: "1000", resourceVersionMatch });
      const failure = expect(pending).rejects.toMatchObject({
        code: "TooLargeResourceVersion",
        message: `Too large resource version: 1000, current: ${latest}`,
        retryAfterSeconds: 1,
      });
      await fixture.clock.advance(3100);
      await failure;
    }
  });

  it("is rejected if the version is not a number", async () => {
    const { fixture } = await fiveThings();
    await expect(fixture.cache.list({ scope, resourceVersion: "abc" })).rejects.toMatchObject({
      code: "BadRequest",
      message:
        'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });

  it("reads an exact version from the store, and answers Expired after the store was compacted", async () => {
    const { fixture, revisions } = await fiveThings();
    await fixture.cache.fill();
    const request = { scope, resourceVersion: String(revisions[1]), resourceVersionMatch: "Exact" };
    const other = fixture.newCache();
    await other.fill();
    expect(names((await other.list(request)).items)).toEqual(["a/1", "a/2"]);
    expect(names((await other.list({ ...request, limit: 1, selector: labelSelector("none", "x") })).items)).toEqual([]);
    await fixture.store.compact(revisions[4] ?? 0);
    await expect(other.list(request)).rejects.toMatchObject({
      code: "Expired",
      message: "The resourceVersion for the provided list is too old.",
    });
  });

  it("gets an inconsistent continue token after the token has expired", async () => {
    const { fixture } = await fiveThings();
    const token = (await fixture.cache.list({ scope, limit: 2 })).continue ?? "";
    await fixture.put("a/35");
    await fixture.store.compact(await fixture.put("a/0"));
    await fixture.clock.advance(6 * 60_000);
    await fixture.put("a/7"); // drops snapshots and events that are too old
    const other = fixture.newCache();
    await other.fill();
    const failure = await other.list({ scope, limit: 2, continue: token }).catch((error) => error);
    expect(failure).toMatchObject({ code: "Expired" });
    expect(failure.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    const rest = await other.list({ scope, continue: failure.continueToken });
    expect(names(rest.items)).toEqual(["a/3", "a/35", "a/4", "a/5", "a/7"]);
  });
});

describe("a list with a selector", () => {
  it("is limited to one namespace", async () => {
    const { fixture } = await fiveThings();
    await fixture.put("ab/1");
    await fixture.put("b/1");
    expect(names((await fixture.cache.list({ scope: `${PREFIX}ab/` })).items)).toEqual(["ab/1"]);
    expect(fixture.cache.count(`${PREFIX}a/`)).toBe(5);
    expect(fixture.cache.count(PREFIX)).toBe(7);
  });

  it.each([true, false])("selects by label (indexed: %s) and reflects changes", async (indexed) => {
    const fixture = new CacheFixture();
    for (let i = 0; i < 20; i++) await fixture.put(`a/${i}`, { labels: { parity: i % 2 ? "odd" : "even" } });
    const selector = labelSelector("parity", "odd", indexed);
    expect((await fixture.cache.list({ scope, selector })).items).toHaveLength(10);
    await fixture.put("a/2", { labels: { parity: "odd" } });
    await fixture.put("a/3", { labels: { parity: "even" } });
    await fixture.delete("a/5");
    await fixture.put("a/6");
    const { items } = await fixture.cache.list({ scope, selector });
    expect(names(items)).toEqual(["a/1", "a/11", "a/13", "a/15", "a/17", "a/19", "a/2", "a/7", "a/9"]);
    const page = await fixture.cache.list({ scope, selector, limit: 4 });
    expect(page.remainingItemCount).toBeUndefined();
    const rest = await fixture.cache.list({ scope, selector, continue: page.continue ?? "" });
    expect([...names(page.items), ...names(rest.items)]).toEqual(names(items));
  });

  it.each([true, false])(
    "has a continue token after a full page if further objects exist (indexed: %s)",
    async (indexed) => {
      const fixture = new CacheFixture();
      await fixture.put("a/1", { labels: { parity: "odd" } });
      await fixture.put("a/2", { labels: { parity: "even" } });
      await fixture.put("b/1", { labels: { parity: "even" } });
      const list = (within: string, value: string) =>
        fixture.cache.list({ scope: within, selector: labelSelector("parity", value, indexed), limit: 1 });
      expect((await list(scope, "odd")).continue).toBeTypeOf("string");
      expect((await list(`${PREFIX}a/`, "even")).continue).toBeUndefined();
      expect((await list(scope, "none")).continue).toBeUndefined();
    },
  );

  it("selects by field", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/1", { phase: "Running" });
    await fixture.put("a/2", { phase: "Pending" });
    const hint = { kind: "field", name: "status.phase", value: "Running" } as const;
    const { items } = await fixture.cache.list({
      scope,
      selector: { matches: (object) => object.field("status.phase") === "Running", hint },
    });
    expect(names(items)).toEqual(["a/1"]);
  });
});

describe("get", () => {
  it("returns the most recent state by default, any state for 0, and a not older one for other versions", async () => {
    const { fixture, latest } = await fiveThings();
    const key = `${PREFIX}a/1`;
    expect((await fixture.cache.get(key))?.object).toMatchObject({ metadata: { name: "1" } });
    await fixture.cache.fill();
    const revision = await fixture.put("a/1", { phase: "New" });
    for (const resourceVersion of ["", "0", String(revision)]) {
      const object = await fixture.cache.get(key, resourceVersion);
      expect(object?.object).toMatchObject({ metadata: { resourceVersion: String(revision) } });
    }
    expect(await fixture.cache.get(`${PREFIX}a/none`)).toBeUndefined();
    const pending = expect(fixture.cache.get(key, "999")).rejects.toMatchObject({ code: "TooLargeResourceVersion" });
    await fixture.clock.advance(3100);
    await pending;
    expect(latest).toBeLessThan(revision);
  });

  it("rejects a resourceVersion that is not a number", async () => {
    const { fixture } = await fiveThings();
    await expect(fixture.cache.get(`${PREFIX}a/1`, "new")).rejects.toMatchObject({
      faults: [{ field: "resourceVersion", type: "Invalid", value: "new" }],
    });
  });
});

describe("a stored value that cannot be decoded", () => {
  it("fails only the reads that include it, with its key in the error", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/1");
    await fixture.putBytes("a/bad", Buffer.from("k8s\0nonsense"));
    const corrupt = { code: "Corrupt", key: `${PREFIX}a/bad` };
    await expect(fixture.cache.get(`${PREFIX}a/bad`)).rejects.toMatchObject(corrupt);
    await expect(fixture.cache.list({ scope })).rejects.toMatchObject(corrupt);
    await expect(fixture.cache.get(`${PREFIX}a/bad`, "0")).rejects.toMatchObject(corrupt);
    expect(await fixture.cache.get(`${PREFIX}a/1`)).toBeDefined();
    // It cannot be excluded that it matches.
    for (const indexed of [true, false]) {
      const selector = labelSelector("none", "x", indexed);
      await expect(fixture.cache.list({ scope, selector })).rejects.toMatchObject(corrupt);
      expect((await fixture.cache.list({ scope: `${PREFIX}b/`, selector })).items).toEqual([]);
    }
    await fixture.delete("a/bad");
    expect((await fixture.cache.list({ scope, selector: labelSelector("none", "x", true) })).items).toEqual([]);
    await fixture.putBytes("a/2", Buffer.from("k8s\0nonsense"));
    await expect(fixture.cache.list({ scope, selector: labelSelector("none", "x", true) })).rejects.toMatchObject({
      code: "Corrupt",
    });
    await fixture.delete("a/2");
    expect(names((await fixture.cache.list({ scope })).items)).toEqual(["a/1"]);
  });
});

describe("filling the cache", () => {
  it("loads several pages and includes concurrent changes", async () => {
    const store = openMemoryStore();
    const fixture = new CacheFixture({ makeStore: () => store });
    for (let i = 0; i < 2500; i++) await fixture.put(`a/${String(i).padStart(5, "0")}`);
    const filling = fixture.cache.fill();
    await fixture.delete("a/00000");
    await fixture.put("a/99999");
    await fixture.put("a/02400", { phase: "Changed" });
    await filling;
    const { items } = await fixture.cache.list({ scope });
    expect(items).toHaveLength(2500);
    expect(items.at(-101)?.field("status.phase")).toBe("Changed");
  });
});

describe("the cache", () => {
  it("reports that it is empty only after it is filled and while there are no objects", async () => {
    const fixture = new CacheFixture();
    expect(fixture.cache.isEmpty()).toBe(false);
    await fixture.cache.fill();
    expect(fixture.cache.isEmpty()).toBe(true);
    await fixture.put("a/b");
    expect(fixture.cache.isEmpty()).toBe(false);
    await fixture.delete("a/b");
    expect(fixture.cache.isEmpty()).toBe(true);
  });

  it("has the revision of writes to other resources, too", async () => {
    const fixture = new CacheFixture();
    await fixture.put("a/b");
    await fixture.cache.fill();
    const revision = await fixture.putElsewhere("x");
    expect(fixture.cache.revision).toBe(revision);
    expect((await fixture.cache.list({ scope: PREFIX })).resourceVersion).toBe(revision);
  });
});

it("says how many objects follow a page of one namespace, while objects come and go in it and beside it", async () => {
  const fixture = new CacheFixture();
  const scope = `${PREFIX}a/`;
  const add = (name: string) => fixture.put(name);
  for (let number = 100; number < 200; number++) await add(`a/${number}`);
  for (const name of ["Z/1", "a0/1", "aa/1", "b/1"]) await add(name);
  const first = await fixture.cache.list({ scope, limit: 10 });
  expect(first.remainingItemCount).toBe(90);
  await add("a/150x");
  await add("a/100x");
  await add("b/2");
  await fixture.delete("a/199");
  await fixture.put("a/120");
  // The first list continues with the objects that existed when it started.
  const second = await fixture.cache.list({ scope, limit: 10, continue: first.continue ?? "" });
  expect(second.remainingItemCount).toBe(80);
  const third = await fixture.cache.list({ scope, limit: 79, continue: second.continue ?? "" });
  expect(third.remainingItemCount).toBe(1);
  expect((await fixture.cache.list({ scope, limit: 10 })).remainingItemCount).toBe(91);
  for (let number = 110; number < 199; number++) await fixture.delete(`a/${number}`);
  expect((await fixture.cache.list({ scope, limit: 10 })).remainingItemCount).toBe(2);
  const visits = countedRanges();
  await fixture.cache.list({ scope, limit: 10 });
  expect(visits()).toBe(1);
});

/** How many ranges of maps were visited or counted since. */
function countedRanges(): () => number {
  const map = Object.getPrototypeOf(newSortedMap<string, number>()) as { forRange(...args: unknown[]): unknown };
  const forRange = vi.spyOn(map, "forRange");
  return () => {
    const { length } = forRange.mock.calls;
    forRange.mockRestore();
    return length;
  };
}
