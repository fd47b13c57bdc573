import { describe, expect, it } from "vitest";
import type { ApiObject, ObjectMeta } from "../../runtime/contract/api-object.ts";
import type { KindHooks } from "../../runtime/contract/kind-hooks.ts";
import type { StoredKind } from "../../runtime/kinds/served-resource.ts";
import { planDeletion } from "../../runtime/resource/delete-object.ts";
import type { DeleteOptions } from "../../runtime/resource/delete-options.ts";

const now = new Date("2030-01-01T00:00:00Z");

function plan(metadata: ObjectMeta, options: DeleteOptions = {}, hooks: KindHooks<ApiObject> = {}) {
  return planDeletion({ hooks } as StoredKind, { metadata: { name: "a", ...metadata } }, options, now);
}

const graceful: KindHooks<ApiObject> = {
  lifecycle: { gracePeriod: (_object, requested) => requested ?? 30 },
};

describe("the deletion of an object", () => {
  it("removes it if there are no finalizers", () => {
    expect(plan({})).toMatchObject({ remove: true });
  });

  it("sets deletionTimestamp and increments generation if there are finalizers", () => {
    const { remove, object } = plan({ finalizers: ["example.com/f"], generation: 3 });
    expect(remove).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionTimestamp: "2030-01-01T00:00:00Z",
      deletionGracePeriodSeconds: 0,
      generation: 4,
      finalizers: ["example.com/f"],
    });
  });

  it("keeps the deletionTimestamp of the first deletion", () => {
    const first = "2029-01-01T00:00:00Z";
    const { object } = plan({ finalizers: ["example.com/f"], deletionTimestamp: first, deletionGracePeriodSeconds: 0 });
    expect(object.metadata.deletionTimestamp).toBe(first);
  });

  it.each([
    [{ propagationPolicy: "Orphan" }, ["orphan"]],
    [{ propagationPolicy: "Foreground" }, ["foregroundDeletion"]],
    [{ orphanDependents: true }, ["orphan"]],
  ] as [DeleteOptions, string[]][])("with %j adds a finalizer", (options, finalizers) => {
    expect(plan({}, options)).toMatchObject({ remove: false, object: { metadata: { finalizers } } });
  });

  it("removes the orphan finalizer for background propagation", () => {
    expect(plan({ finalizers: ["orphan"] }, { propagationPolicy: "Background" })).toMatchObject({ remove: true });
  });

  it("keeps finalizers as they are if they are the same set", () => {
    const finalizers = ["orphan", "example.com/f", "orphan", "example.com/f"];
    expect(plan({ finalizers }, { propagationPolicy: "Orphan" }).object.metadata.finalizers).toBe(finalizers);
  });

  it("never adds finalizers to kinds without dependents", () => {
    expect(plan({}, { propagationPolicy: "Orphan" }, { lifecycle: { dependents: "unsupported" } })).toMatchObject({
      remove: true,
    });
  });

  it.each(["foregroundDeletion", "orphan"])("removes %s from kinds without dependents", (finalizer) => {
    const unsupported: KindHooks<ApiObject> = { lifecycle: { dependents: "unsupported" } };
    expect(plan({ finalizers: [finalizer] }, {}, unsupported)).toMatchObject({ remove: true });
    const held = plan({ finalizers: ["example.com/f", finalizer] }, { propagationPolicy: "Foreground" }, unsupported);
    expect(held).toMatchObject({ remove: false, object: { metadata: { finalizers: ["example.com/f"] } } });
  });

  it("adds no finalizers to a held object that is already being deleted", () => {
    const held: KindHooks<ApiObject> = {
      lifecycle: { holdsDeletion: () => true },
      compatibility: { ownDeletion: true },
    };
    const foreground = { metadata: { finalizers: ["foregroundDeletion"] } };
    expect(plan({}, { orphanDependents: false }, held)).toMatchObject({ remove: false, object: foreground });
    const { object } = plan({ deletionTimestamp: "2029-01-01T00:00:00Z" }, { propagationPolicy: "Orphan" }, held);
    expect(object.metadata.finalizers).toBeUndefined();
  });

  it("sets the grace period of kinds with graceful deletion", () => {
    const { remove, object } = plan({}, {}, graceful);
    expect(remove).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionTimestamp: "2030-01-01T00:00:30Z",
      deletionGracePeriodSeconds: 30,
    });
  });

  it("removes the object immediately with a grace period of 0", () => {
    expect(plan({}, { gracePeriodSeconds: 0 }, graceful).remove).toBe(true);
  });

  it("can shorten a running grace period, but not extend it", () => {
    const running = { deletionTimestamp: "2030-01-01T00:00:20Z", deletionGracePeriodSeconds: 30 };
    expect(plan(running, { gracePeriodSeconds: 60 }, graceful).object.metadata).toMatchObject(running);
    expect(plan(running, { gracePeriodSeconds: 15 }, graceful).object.metadata).toMatchObject({
      deletionTimestamp: "2030-01-01T00:00:05Z",
      deletionGracePeriodSeconds: 15,
    });
  });

  it("keeps an object whose kind holds the deletion", () => {
    const hooks: KindHooks<ApiObject> = {
      lifecycle: {
        holdsDeletion: () => true,
        markDeleting: (object) => {
          object.status = { phase: "Terminating" };
        },
      },
    };
    expect(plan({}, {}, hooks)).toMatchObject({ remove: false, object: { status: { phase: "Terminating" } } });
  });
});
