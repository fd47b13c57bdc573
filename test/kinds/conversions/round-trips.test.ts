import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, converterOf, entries, types } from "./converters.ts";
import { RandomObjects, randomFrom } from "./random-objects.ts";

const RUNS = { numRuns: 60 };
const declared = entries.filter((entry) => entry.how === "declared");

function randomObject(type: string, seed: number): ReturnType<typeof canonical> {
  const made = new RandomObjects(types, randomFrom(seed)).object(type as never);
  return canonical(type, { metadata: { name: "one", annotations: { note: "kept" } }, ...made });
}

/** Annotations that a version adds for what its fields cannot represent, like the conversions of Kubernetes. */
const ADDED = /^(autoscaling\.alpha\.kubernetes\.io|conversion\.k8s\.io|flowcontrol\.k8s\.io)\//;

/** Lists without meaningful order are compared sorted. Explanatory annotations are ignored. */
function settled(object: unknown): unknown {
  const copy = JSON.parse(JSON.stringify(object, (_key, value) => (typeof value === "bigint" ? `${value}n` : value)));
  copy.spec?.metrics?.sort((a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  for (const key of Object.keys(copy.metadata.annotations)) if (ADDED.test(key)) delete copy.metadata.annotations[key];
  return copy;
}

describe("round trips", () => {
  it("are tested for every version with a different shape", () => {
    expect(entries.filter((entry) => entry.how === "missing")).toEqual([]);
    expect(declared.length).toBeGreaterThan(20);
  });

  describe.each(declared)("$from", ({ from, hub }) => {
    it("is equal after conversion to the stored version and back", async () => {
      const converter = await converterOf(from);
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const object = randomObject(from, seed);
          const before = structuredClone(object);
          const back = converter.fromHub(converter.toHub(object));
          expect(settled(back)).toEqual(settled(object));
          expect(object).toEqual(before);
        }),
        RUNS,
      );
    });

    it("keeps an object of the stored version equal after conversion and back", async () => {
      const converter = await converterOf(from);
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          const object = randomObject(hub, seed);
          const before = structuredClone(object);
          const back = converter.toHub(converter.fromHub(object));
          expect(settled(back)).toEqual(settled(object));
          expect(object).toEqual(before);
        }),
        RUNS,
      );
    });
  });
});
