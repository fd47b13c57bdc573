import { beforeEach, expect, it } from "vitest";
import { type CustomKindParts, CustomKinds } from "../../../runtime/kinds/custom/custom-kinds.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
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

it("adding a definition installs its kind and reads nothing of the specs of the others", () => {
  let reads = 0;
  const counted = (definition: CustomDefinition): CustomDefinition => ({
    ...definition,
    spec: new Proxy(definition.spec, {
      get(target, name, receiver) {
        reads++;
        return Reflect.get(target, name, receiver);
      },
    }),
  });
  const many = ["figs", "kiwis", "limes"].map((plural) => counted(fruit(plural)));
  kinds.replace(many);
  const before = kinds.entries;
  reads = 0;
  kinds.replace([...many, fruit("plums")]);
  expect(reads).toBe(0);
  expect(kinds.entries.slice(0, before.length)).toEqual(before);
  expect(opened.map((prefix) => prefix.split("/").at(-2))).toEqual(["figs", "kiwis", "limes", "plums"]);
  expect(closed).toBe(0);
});

it("a definition whose status changes keeps its cache, and one whose spec changes gets a new one", () => {
  const figs = fruit("figs");
  kinds.replace([figs]);
  const conditions = [{ type: "Established", status: "True", lastTransitionTime: "", reason: "", message: "" }];
  const established = { ...structuredClone(figs), status: { ...figs.status, conditions } } as CustomDefinition;
  kinds.replace([established]);
  expect([opened.length, closed, kinds.entries[0]?.descriptor.custom?.established]).toEqual([1, 0, true]);
  kinds.replace([{ ...established, spec: { ...established.spec, scope: "Cluster" } }]);
  expect([opened.length, closed, kinds.entries[0]?.descriptor.namespaced]).toEqual([2, 1, false]);
});
