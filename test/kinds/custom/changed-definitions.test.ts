import { beforeEach, expect, it } from "vitest";
import { CustomKinds } from "../../../runtime/kinds/custom/custom-kinds.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import { outlineOf } from "../../../runtime/kinds/custom/definition/definition-source.ts";
import type { CustomKindParts } from "../../../runtime/kinds/custom/kind-installer.ts";
import type { Store } from "../../../runtime/store/store.ts";
import { MemoBudget } from "../../../runtime/watch/memo-budget.ts";
import type { WatchCache } from "../../../runtime/watch/watch-cache.ts";
import { schemas } from "../conversions/converters.ts";
import { definitionOf } from "./definitions.ts";

let opened: string[];
let closed: number;
let kinds: CustomKinds;

beforeEach(() => {
  opened = [];
  closed = 0;
  const parts: Partial<CustomKindParts> = {
    schemas,
    storeFor: () => ({}) as Store,
    budget: new MemoBudget(0),
    transformerFor: () => undefined,
    metaGroup: "meta.k8s.io",
    keyRoot: "/registry",
    storedAs: "json",
    vendor: "kubernetes",
    openCache: (prefix) => {
      opened.push(prefix);
      return {} as WatchCache;
    },
    closeCache: () => {
      closed++;
    },
  };
  kinds = new CustomKinds(parts as CustomKindParts);
});

const fruit = (plural: string): CustomDefinition => {
  const definition = definitionOf(plural, plural.toUpperCase(), { type: "object" }) as CustomDefinition;
  const { names } = definition.spec;
  return { ...definition, metadata: { name: `${plural}.example.com`, uid: plural }, status: { acceptedNames: names } };
};

const change = (definition: CustomDefinition) =>
  kinds.change(definition.metadata.name ?? "", { outline: outlineOf(definition), full: () => definition });
const use = () => Promise.all([...kinds.entries()].map((entry) => entry.load()));

it("adding a definition visits no other one, and makes caches and schemas of its kind when that is first used", async () => {
  let reads = 0;
  const counted = (plural: string): void => {
    const definition = fruit(plural);
    const outline = new Proxy(outlineOf(definition), {
      get(target, name, receiver) {
        reads++;
        return Reflect.get(target, name, receiver);
      },
    });
    kinds.change(definition.metadata.name ?? "", {
      outline,
      full: () => {
        reads++;
        return definition;
      },
    });
  };
  for (const plural of ["figs", "kiwis", "limes"]) counted(plural);
  const before = [...kinds.entries()];
  reads = 0;
  const { removed, added } = change(fruit("plums"));
  expect(reads).toBe(0);
  expect([removed.length, added.map(({ descriptor }) => descriptor.resource)]).toEqual([0, ["plums"]]);
  expect([...kinds.entries()].slice(0, before.length)).toEqual(before);
  expect(opened).toEqual([]);
  expect(added[0]?.loaded).toBeUndefined();
  expect((await added[0]?.load())?.apiVersion).toBe("example.com/v1");
  expect(added[0]?.loaded?.apiVersion).toBe("example.com/v1");
  expect(opened.map((prefix) => prefix.split("/").at(-2))).toEqual(["plums"]);
  expect(closed).toBe(0);
});

it("a definition whose status changes keeps its cache, and one whose spec changes gets a new one", async () => {
  const figs = fruit("figs");
  change(figs);
  await use();
  const conditions = [{ type: "Established", status: "True", lastTransitionTime: "", reason: "", message: "" }];
  const established = { ...structuredClone(figs), status: { ...figs.status, conditions } } as CustomDefinition;
  change(established);
  const [served] = await use();
  expect([opened.length, closed, served?.descriptor.custom?.established]).toEqual([1, 0, true]);
  const other = { ...established, status: { ...established.status, storedVersions: ["v1"] } };
  expect(change(other)).toEqual({ removed: [], added: [] });
  change({ ...other, spec: { ...other.spec, scope: "Cluster" } });
  const [changed] = await use();
  expect([opened.length, closed, changed?.descriptor.namespaced]).toEqual([2, 1, false]);
});

it("a kind that is used after its definition was deleted, by a request that found it before, has a closed cache", async () => {
  const [entry] = change(fruit("figs")).added;
  kinds.change("figs.example.com", undefined);
  expect((await entry?.load())?.apiVersion).toBe("example.com/v1");
  expect([opened.length, closed]).toEqual([1, 1]);
});
