import { describe, expect, it } from "vitest";
import type { GroupResource, ObjectChange, ObjectPlace } from "../../../runtime/contract/object-access.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import {
  DefinitionLifecycle,
  type LifecycleParts,
} from "../../../runtime/kinds/custom/definition/definition-lifecycle.ts";
import type { DefinitionSource } from "../../../runtime/kinds/custom/definition/definition-source.ts";
import { describeResources } from "../../../runtime/kinds/custom/definition/describe-resources.ts";
import { conflict } from "../../../runtime/values/status-errors.ts";
import { definitionOf } from "./definitions.ts";

/** A lifecycle over one definition, with what it served, in order, and the status it waits to write. */
async function follow(definition: CustomDefinition) {
  const served: { name: string; established: boolean | undefined }[][] = [];
  let finishWriting = (): void => undefined;
  const written = new Promise<void>((resolve) => {
    finishWriting = resolve;
  });
  let isWriting = (): void => undefined;
  const writing = new Promise<void>((resolve) => {
    isWriting = resolve;
  });
  const objects = {
    follow: async (_resource: unknown, note: (change: ObjectChange) => void) => {
      const { metadata } = definition;
      note({ type: "put", name: metadata.name ?? "", object: definition, metadata });
      return () => undefined;
    },
    change: async () => {
      isWriting();
      await written;
      return { resourceVersion: "2", object: definition };
    },
  };
  const lifecycle = new DefinitionLifecycle({
    naming: { domain: "k8s.io", vendor: "kubernetes", group: (name: string) => `${name}.k8s.io` },
    objects,
    serve: (_name: string, definition: DefinitionSource | undefined) =>
      served.push(
        (definition === undefined ? [] : describeResources(definition.outline)).map(({ resource, custom }) => ({
          name: resource,
          established: custom?.established,
        })),
      ),
    served: async () => undefined,
    now: () => new Date(0),
    log: () => undefined,
  } as unknown as LifecycleParts);
  const stop = await lifecycle.start();
  return { served, writing, finishWriting, stop };
}

describe("a definition whose names are accepted", () => {
  it("is served before its status is stored, and established for discovery only afterwards", async () => {
    const created = { ...definitionOf("figs", "Fig", {}), status: { conditions: [] } } as unknown as CustomDefinition;
    const { served, writing, finishWriting, stop } = await follow(created);
    await writing;
    expect(served.at(-1)).toEqual([{ name: "figs", established: false }]);
    finishWriting();
    await stop();
    expect(served.at(-1)).toEqual([{ name: "figs", established: true }]);
  });
});

describe("many definitions", () => {
  it.each([10, 500])(
    "beside %d others, a new one is accepted, served and stored without a look at those",
    async (count) => {
      let looks = 0;
      const changeOf = (plural: string, isNew: boolean): ObjectChange => {
        const { spec, ...rest } = definitionOf(plural, plural.toUpperCase(), {}) as CustomDefinition;
        const conditions = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" }));
        const status = isNew ? { conditions: [] } : { conditions, acceptedNames: spec.names };
        const object = { ...rest, spec, status };
        return {
          type: "put",
          name: `${plural}.example.com`,
          get object() {
            if (!isNew) looks++;
            return object;
          },
          metadata: object.metadata,
        };
      };
      let note = (_change: ObjectChange): void => undefined;
      const served: string[] = [];
      const stored = Promise.withResolvers<void>();
      const idle = Promise.withResolvers<void>();
      const lifecycle = new DefinitionLifecycle({
        naming: { domain: "k8s.io", vendor: "kubernetes", group: (name: string) => `${name}.k8s.io` },
        objects: {
          follow: async (_resource: unknown, listener: typeof note) => {
            note = listener;
            for (let index = 0; index < count; index++) note(changeOf(`figs${index}`, false));
            return () => undefined;
          },
          change: async () => {
            stored.resolve();
            return { resourceVersion: "2" };
          },
        },
        serve: (name: string) => served.push(name),
        // Each is served at the start, and when its status was judged.
        served: async () => void (served.length >= 2 * count && idle.resolve()),
        now: () => new Date(0),
        log: () => undefined,
      } as unknown as LifecycleParts);
      const stop = await lifecycle.start();
      await idle.promise;
      [looks, served.length] = [0, 0];
      note(changeOf("plums", true));
      await stored.promise;
      await stop();
      expect([looks, new Set(served)]).toEqual([0, new Set(["plums.example.com"])]);
    },
  );
});

/** Definitions in a store whose writes complete when they are told to. */
function storedDefinitions() {
  const stored = new Map<string, CustomDefinition>();
  const writes: { readonly name: string; finish(): void }[] = [];
  const served: string[] = [];
  let version = 0;
  let note = (_change: ObjectChange): void => undefined;
  const put = (definition: CustomDefinition): void => {
    const metadata = { ...definition.metadata, resourceVersion: String(++version) };
    const name = metadata.name ?? "";
    const object = { ...definition, metadata } as CustomDefinition;
    stored.set(name, object);
    note({ type: "put", name, object, metadata });
  };
  const parts = {
    naming: { domain: "k8s.io", vendor: "kubernetes", group: (name: string) => `${name}.k8s.io` },
    objects: {
      follow: async (_resource: unknown, listener: typeof note) => {
        note = listener;
        return () => undefined;
      },
      change: async (
        resource: GroupResource,
        { name }: ObjectPlace,
        change: (live: CustomDefinition) => CustomDefinition,
      ) => {
        await new Promise<void>((finish) => writes.push({ name, finish }));
        const live = stored.get(name) as CustomDefinition;
        const changed = change(live);
        if (changed.metadata.resourceVersion !== live.metadata.resourceVersion) {
          throw conflict(resource, name, "the object has been modified");
        }
        put(changed);
        return { resourceVersion: String(version) };
      },
    },
    serve: (name: string) => served.push(name),
    served: async () => undefined,
    now: () => new Date(0),
    log: () => undefined,
  };
  const isAccepted = (name: string) =>
    stored.get(name)?.status?.conditions?.find(({ type }) => type === "NamesAccepted")?.status;
  return { parts: parts as unknown as LifecycleParts, put, writes, served, isAccepted };
}

const fresh = (plural: string, kind = plural) =>
  ({ ...definitionOf(plural, kind, {}), status: { conditions: [] } }) as unknown as CustomDefinition;
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe("statuses of many new definitions", () => {
  it("are written some at a time, and wait for nothing that serving the kinds entails", async () => {
    const { parts, put, writes, isAccepted } = storedDefinitions();
    const stop = await new DefinitionLifecycle({
      ...parts,
      served: () => new Promise((resolve) => setTimeout(resolve, 100)),
    }).start();
    for (let index = 0; index < 20; index++) put(fresh(`figs${index}`));
    await turns(4);
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.length).toBeLessThan(20);
    for (let end = 0; end < 20; end++) {
      writes[end]?.finish();
      await turns(2);
    }
    expect(new Set(writes.map(({ name }) => name)).size).toBe(20);
    expect(Array.from({ length: 20 }, (_, index) => isAccepted(`figs${index}.example.com`))).toEqual(
      new Array(20).fill("True"),
    );
    await stop();
  });

  it("accept names in the order of the definitions, whichever is written first", async () => {
    const { parts, put, writes, isAccepted } = storedDefinitions();
    const stop = await new DefinitionLifecycle(parts).start();
    put(fresh("pears", "Pear"));
    put(fresh("figs", "Pear"));
    await turns(2);
    for (const { finish } of [...writes].reverse()) finish();
    await turns(4);
    await stop();
    expect([isAccepted("pears.example.com"), isAccepted("figs.example.com")]).toEqual(["True", "False"]);
  });

  it("are judged again if the definition changes while its status is written", async () => {
    const { parts, put, writes, isAccepted } = storedDefinitions();
    const stop = await new DefinitionLifecycle(parts).start();
    put(fresh("pears", "Pear"));
    put(fresh("figs", "Fig"));
    await turns(2);
    put(fresh("figs", "Pear"));
    await turns(2);
    expect(writes.map(({ name }) => name)).toEqual(["pears.example.com", "figs.example.com"]);
    for (let end = 0; end < 3; end++) {
      writes[end]?.finish();
      await turns(4);
    }
    await stop();
    expect(writes).toHaveLength(3);
    expect([isAccepted("pears.example.com"), isAccepted("figs.example.com")]).toEqual(["True", "False"]);
  });

  it("are not judged again because they were written", async () => {
    const { parts, put, writes, served } = storedDefinitions();
    const stop = await new DefinitionLifecycle(parts).start();
    put(fresh("figs"));
    await turns(2);
    writes[0]?.finish();
    await turns(4);
    await stop();
    // Once before its status is stored, and once afterwards.
    expect(served).toEqual(["figs.example.com", "figs.example.com"]);
  });
});

it("many definitions that change at once let other events through", async () => {
  const { parts, put } = storedDefinitions();
  let handled = 0;
  const stop = await new DefinitionLifecycle({
    ...parts,
    isFollower: true,
    serve: () => {
      for (const end = performance.now() + 1; performance.now() < end; );
      handled += 1;
    },
  }).start();
  for (let index = 0; index < 100; index++) put(fresh(`figs${index}`));
  const handledAfter: number[] = [];
  while (handled < 100) {
    await turns(1);
    handledAfter.push(handled);
  }
  await stop();
  expect(Math.max(...handledAfter.map((now, turn) => now - (handledAfter[turn - 1] ?? 0)))).toBeLessThan(50);
});

describe("a definition whose names another one has", () => {
  it("stays rejected after a restart, although it is read first", async () => {
    const taken = definitionOf("pears", "Pear", {}) as CustomDefinition;
    const wants = definitionOf("figs", "Pear", {}) as CustomDefinition;
    const accepted = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" }));
    const rejected = ["NamesAccepted", "Established"].map((type) => ({ type, status: "False" }));
    const stored = [
      { ...wants, status: { conditions: rejected, acceptedNames: { plural: "figs", kind: "" } } },
      { ...taken, status: { conditions: accepted, acceptedNames: taken.spec.names } },
    ];
    const written: CustomDefinition[] = [];
    const settled = Promise.withResolvers<void>();
    const lifecycle = new DefinitionLifecycle({
      naming: { domain: "k8s.io", vendor: "kubernetes", group: (name: string) => `${name}.k8s.io` },
      objects: {
        follow: async (_resource: unknown, note: (change: ObjectChange) => void) => {
          for (const object of stored)
            note({ type: "put", name: object.metadata.name ?? "", object, metadata: object.metadata });
          return () => undefined;
        },
        change: async (
          _resource: unknown,
          { name }: ObjectPlace,
          change: (live: CustomDefinition) => CustomDefinition,
        ) => {
          const live = stored.find(({ metadata }) => metadata.name === name) as CustomDefinition;
          written.push(change(live));
          return { resourceVersion: "2" };
        },
      },
      serve: () => undefined,
      served: async () => settled.resolve(),
      now: () => new Date(0),
      log: () => undefined,
    } as unknown as LifecycleParts);
    const stop = await lifecycle.start();
    await settled.promise;
    await stop();
    const conditions = written.flatMap(({ status }) => status?.conditions ?? []);
    expect(conditions.filter(({ status }) => status === "True")).toEqual([]);
  });

  it("gets the names when they are free, by an update of the status that was last written here", async () => {
    const at = (definition: CustomDefinition, resourceVersion: string) =>
      ({ ...definition, metadata: { ...definition.metadata, resourceVersion } }) as CustomDefinition;
    const accepted = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" }));
    const pears = definitionOf("pears", "Pear", {}) as CustomDefinition;
    const taken = at({ ...pears, status: { conditions: accepted, acceptedNames: pears.spec.names } }, "1");
    let figs = at({ ...(definitionOf("figs", "Pear", {}) as CustomDefinition), status: { conditions: [] } }, "2");
    const changeOf = (type: "put" | "delete", object: CustomDefinition): ObjectChange => {
      const { metadata } = object;
      return { type, name: metadata.name ?? "", object, metadata };
    };
    const writes = [Promise.withResolvers<CustomDefinition>(), Promise.withResolvers<CustomDefinition>()];
    let written = 0;
    let note = (_change: ObjectChange): void => undefined;
    const lifecycle = new DefinitionLifecycle({
      naming: { domain: "k8s.io", vendor: "kubernetes", group: (name: string) => `${name}.k8s.io` },
      objects: {
        follow: async (_resource: unknown, listener: typeof note) => {
          note = listener;
          for (const object of [taken, figs]) note(changeOf("put", object));
          return () => undefined;
        },
        change: async (_resource: unknown, _place: unknown, change: (live: CustomDefinition) => CustomDefinition) => {
          const sent = change(figs);
          figs = at(sent, String(3 + written));
          note(changeOf("put", figs));
          writes[written++]?.resolve(sent);
          return { resourceVersion: figs.metadata.resourceVersion };
        },
      },
      serve: () => undefined,
      served: async () => undefined,
      now: () => new Date(0),
      log: () => undefined,
    } as unknown as LifecycleParts);
    const stop = await lifecycle.start();
    const [rejected, free] = writes.map(({ promise }) => promise);
    expect((await rejected)?.metadata.resourceVersion).toBe("2");
    note(changeOf("delete", taken));
    const { metadata, status } = (await free) as CustomDefinition;
    await stop();
    expect(metadata.resourceVersion).toBe("3");
    expect(status?.conditions?.find(({ type }) => type === "NamesAccepted")?.status).toBe("True");
  });
});
