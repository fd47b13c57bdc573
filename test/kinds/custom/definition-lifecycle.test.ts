import { describe, expect, it } from "vitest";
import type { ObjectChange } from "../../../runtime/contract/object-access.ts";
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
    update: async () => {
      isWriting();
      await written;
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
