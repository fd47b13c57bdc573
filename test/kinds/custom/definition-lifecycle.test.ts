import { describe, expect, it } from "vitest";
import type { ObjectChange, ObjectPlace } from "../../../runtime/contract/object-access.ts";
import type { CustomDefinition } from "../../../runtime/kinds/custom/definition/custom-definition.ts";
import {
  DefinitionLifecycle,
  type LifecycleParts,
} from "../../../runtime/kinds/custom/definition/definition-lifecycle.ts";
import type { DefinitionSource } from "../../../runtime/kinds/custom/definition/definition-source.ts";
import { describeResources } from "../../../runtime/kinds/custom/definition/describe-resources.ts";
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
