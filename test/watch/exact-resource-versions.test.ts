import fc from "fast-check";
import { expect, it } from "vitest";
import { CacheFixture, names, PREFIX, read } from "./cache-fixture.ts";

const scope = PREFIX;
const paths = ["a/1", "a/2", "a/3", "b/1", "b/2"];

type Step =
  | { readonly kind: "write"; readonly path: string; readonly remove: boolean }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "page" }
  | { readonly kind: "wait"; readonly ms: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("write" as const),
        path: fc.constantFrom(...paths),
        remove: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: "elsewhere" as const }) },
    { weight: 1, arbitrary: fc.constant({ kind: "page" as const }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 60_000 }) }),
    },
  ),
  { maxLength: 30 },
);

/** Performs the steps. Returns the state after each revision: path -> revision of its object. */
async function play(fixture: CacheFixture, todo: readonly Step[]): Promise<Map<number, Map<string, number>>> {
  const states = new Map<number, Map<string, number>>();
  const state = new Map<string, number>();
  let others = 0;
  for (const step of todo) {
    if (step.kind === "page") await fixture.cache.list({ scope, limit: 1 });
    else if (step.kind === "wait") await fixture.clock.advance(step.ms);
    else if (step.kind === "elsewhere") states.set(await fixture.putElsewhere(String(others++)), new Map(state));
    else {
      const exists = state.has(step.path);
      const revision = exists && step.remove ? await fixture.delete(step.path) : await fixture.put(step.path);
      if (exists && step.remove) state.delete(step.path);
      else state.set(step.path, revision);
      states.set(revision, new Map(state));
    }
  }
  return states;
}

it.each([
  ["from snapshots, reverted events or the store's history", {}],
  ["from the store alone if snapshots are disabled", { snapshotRetentionMs: 0 }],
])("a list with resourceVersionMatch=Exact shows every past state, %s", async (_, limits) => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (todo, filledFirst) => {
      const fixture = new CacheFixture({ limits: { historyBytes: 2500, ...limits } });
      if (filledFirst) await fixture.cache.fill();
      const states = await play(fixture, todo);
      for (const [revision, state] of states) {
        const request = { scope, resourceVersion: String(revision), resourceVersionMatch: "Exact" };
        const outcome = await fixture.cache.list(request).catch((error: { code: string }) => error);
        if ("code" in outcome) {
          expect(outcome.code).toBe("Expired"); // waited longer than history lasts
          continue;
        }
        const expected = [...state.keys()].sort();
        expect(names(outcome.items)).toEqual(expected);
        expect(outcome.items.map((item) => item.modRevision)).toEqual(expected.map((path) => state.get(path)));
      }
    }),
    { numRuns: 60 },
  );
});

it("a watch from any resource version leads to the current state", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (todo, pick) => {
      const fixture = new CacheFixture({ limits: { historyBytes: 2500 } });
      const states = await play(
        fixture,
        todo.filter((step) => step.kind !== "wait"),
      );
      const revisions = [...states.keys()];
      const start = revisions[pick % Math.max(1, revisions.length)];
      if (start === undefined) return;
      const watch = await fixture.cache.watch({ scope, resourceVersion: String(start) });
      const seen = new Map(states.get(start));
      for (const line of await read(watch)) {
        const [type, path = "", revision] = line.split(/[ @]/);
        expect(type === "ADDED").toBe(!seen.has(path));
        if (type === "DELETED") seen.delete(path);
        else seen.set(path, Number(revision));
      }
      expect(seen).toEqual(states.get(revisions.at(-1) ?? 0));
    }),
    { numRuns: 60 },
  );
});
