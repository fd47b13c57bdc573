import { describe, expect, it } from "vitest";
import { hooks as declared } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { KindHooks, UpdateOrder } from "../../runtime/contract/kind-hooks.ts";
import type { StatusError } from "../../runtime/contract/status.ts";
import type { StoredKind } from "../../runtime/kinds/served-resource.ts";
import { validateChange } from "../../runtime/resource/validate-object.ts";
import { invalidField } from "../../runtime/values/field-errors.ts";
import { contextFor, type Situation } from "../hooks/refusals.ts";

const noHooks: KindHooks<ApiObject> = {};

/**
 * Updates an object with metadata that is invalid in several ways, and counts how often each error is reported: a label, names of finalizers
 * anywhere, finalizers without a domain, and a name prefix that only the kind itself may reject.
 */
async function tellings(type: string, situation: Situation = {}): Promise<number[]> {
  const load = (declared as unknown as Record<string, () => Promise<KindHooks<ApiObject>>>)[type];
  const hooks = load === undefined ? noHooks : await load();
  const none = () => [];
  const subresources = Object.keys(hooks.validation?.subresources ?? {}).map((name) => [name, none]);
  const kind = {
    gvk: { group: "", version: "v1", kind: type },
    namespaced: true,
    hooks: {
      ...hooks,
      validate: none,
      validation: { ...hooks.validation, update: none, subresources: Object.fromEntries(subresources) },
      compatibility: { ...hooks.compatibility, validateByHand: none },
    },
    schema: { validate: none, validateUpdate: none },
  } as unknown as StoredKind;
  const old = { metadata: { name: "one", namespace: "default", resourceVersion: "1" } };
  const wrong = { labels: { key: "bad!" }, finalizers: ["nodomain", "b@d"], generateName: "BAD_" };
  try {
    validateChange({ stored: kind }, { metadata: { ...old.metadata, ...wrong } }, old, contextFor(situation), false);
  } catch (error) {
    const fields = ((error as StatusError).status.details?.causes ?? []).map(({ field }) => field ?? "");
    const count = (pattern: RegExp) => fields.filter((field) => pattern.test(field)).length;
    return [/labels$/, /finalizers$/, /finalizers\[/, /generateName$/].map(count);
  }
  return [];
}

describe("validation errors of the metadata of an updated object", () => {
  it.each([
    ["core/v1.ConfigMap", [4, 2, 4, 1]],
    ["core/v1.Namespace", [4, 2, 4, 1]],
    ["core/v1.Pod", [4, 2, 4, 1]],
    ["networking/v1.Ingress", [4, 2, 4, 1]],
    ["apps/v1.ControllerRevision", [4, 2, 4, 1]],
    ["apps/v1.DaemonSet", [4, 2, 4, 1]],
    ["node/v1.RuntimeClass", [4, 2, 0, 1]],
    ["certificates/v1.CertificateSigningRequest", [4, 2, 4, 0]],
    ["apps/v1.Deployment", [3, 1, 2, 0]],
    ["apps/v1.StatefulSet", [3, 1, 2, 0]],
    ["autoscaling/v2.HorizontalPodAutoscaler", [3, 1, 2, 0]],
    ["batch/v1.CronJob", [3, 1, 2, 0]],
    ["coordination/v1.Lease", [3, 1, 0, 0]],
    ["core/v1.ResourceQuota", [3, 1, 2, 0]],
    ["networking/v1.ServiceCIDR", [3, 1, 2, 0]],
    ["scheduling/v1.PriorityClass", [3, 1, 2, 0]],
    ["storage/v1.CSIDriver", [3, 1, 2, 0]],
    ["core/v1.LimitRange", [3, 2, 2, 1]],
    ["discovery/v1.EndpointSlice", [3, 2, 2, 1]],
    ["flowcontrol/v1.FlowSchema", [3, 2, 2, 1]],
    ["flowcontrol/v1.PriorityLevelConfiguration", [3, 2, 2, 1]],
    ["admissionregistration/v1.ValidatingAdmissionPolicy", [3, 2, 0, 1]],
    ["rbac/v1.Role", [5, 3, 6, 0]],
    ["rbac/v1.ClusterRoleBinding", [5, 3, 6, 0]],
    ["core/v1.PersistentVolumeClaim", [5, 3, 6, 2]],
    ["core/v1.PersistentVolume", [4, 3, 4, 2]],
    ["storage/v1.CSINode", [4, 3, 4, 2]],
    ["storage/v1.VolumeAttachment", [4, 3, 4, 2]],
    ["policy/v1.PodDisruptionBudget", [2, 1, 0, 0]],
    ["core/v1.Event", [2, 1, 0, 0]],
  ])("of type %s are repeated as often as Kubernetes repeats them: %j", async (type, counts) => {
    expect(await tellings(type)).toEqual(counts);
  });

  it("are repeated once more for an Event of events.k8s.io", async () => {
    expect(await tellings("core/v1.Event", { apiVersion: "events.k8s.io/v1" })).toEqual([3, 1, 2, 0]);
  });

  it("are those of an update only if a subresource is written", async () => {
    expect(await tellings("core/v1.Pod", { subresource: "status" })).toEqual([3, 1, 2, 0]);
    expect(await tellings("batch/v1.CronJob", { subresource: "status" })).toEqual([2, 1, 0, 0]);
    expect(await tellings("certificates/v1.CertificateSigningRequest", { subresource: "approval" })).toEqual([
      4, 2, 4, 0,
    ]);
    expect(await tellings("policy/v1.PodDisruptionBudget", { subresource: "status" })).toEqual([2, 1, 0, 0]);
  });
});

describe("validation errors of the spec of an updated object", () => {
  it("are reported twice if the declared rules run twice", () => {
    const broken = [invalidField("spec.replicas", -1, "must be greater than or equal to 0")];
    const kind = {
      gvk: { group: "apps", version: "v1", kind: "ReplicaSet" },
      namespaced: true,
      hooks: { compatibility: { order: { update: ["metadataAsNew", "declared", "metadataAsChange", "declared"] } } },
      schema: { validate: () => broken, validateUpdate: () => broken },
    } as unknown as StoredKind;
    const old = { metadata: { name: "one", namespace: "default", resourceVersion: "1" } };
    const cause = { field: "spec.replicas" };
    expect(() => validateChange({ stored: kind }, old, old, contextFor(), false)).toThrow(
      expect.objectContaining({
        status: expect.objectContaining({
          details: expect.objectContaining({
            causes: [expect.objectContaining(cause), expect.objectContaining(cause)],
          }),
        }),
      }),
    );
  });
});

describe("the order of validation errors of an updated object", () => {
  const own = invalidField("spec.own", 1, "odd");
  const declared = [invalidField("spec.declared", 2, "odd")];
  const old = { metadata: { name: "one", namespace: "default", resourceVersion: "1" } };
  const told = (hooks: KindHooks<ApiObject>): string[] => {
    const schema = { validate: () => declared, validateUpdate: () => declared };
    const kind = { gvk: { group: "", version: "v1", kind: "K" }, namespaced: true, hooks, schema };
    const metadata = { ...old.metadata, generateName: "BAD_", deletionGracePeriodSeconds: 5 };
    try {
      validateChange({ stored: kind as unknown as StoredKind }, { metadata }, old, contextFor(), false);
    } catch (error) {
      return ((error as StatusError).status.details?.causes ?? []).map(({ field }) => field?.split(".")[1] ?? "");
    }
    return [];
  };
  const grace = "deletionGracePeriodSeconds";

  const inOrder = (update: UpdateOrder<ApiObject>): KindHooks<ApiObject> => ({
    validation: { update: () => [own] },
    compatibility: { order: { update } },
  });

  it("starts with metadata unless the kind defines another order", () => {
    expect(told({ validation: { update: () => [own] } })).toEqual([grace, "generateName", grace, "declared", "own"]);
    expect(told(inOrder(["metadataAsChange", "metadataAsNew", "declared", "update"]))).toEqual([
      grace,
      grace,
      "generateName",
      "declared",
      "own",
    ]);
    const twice = ["metadataAsNew", "update", "metadataAsChange", "update", "declared"] as const;
    expect(told(inOrder(twice))).toEqual([grace, "generateName", "own", grace, "own", "declared"]);
  });

  it("may list functions, and be chosen by the object", () => {
    const more = invalidField("spec.more", 3, "odd");
    expect(told(inOrder(() => ["update", () => [more], "declared"]))).toEqual([grace, "own", "more", "declared"]);
  });

  it("may place the declared rules of a field among the checks of the kind", () => {
    const last = invalidField("spec.last.part", 3, "odd");
    const placed = (fields: readonly (string | readonly string[])[]) =>
      told({ validation: { update: () => [own, last] }, compatibility: { order: { fields } } });
    const start = [grace, "generateName", grace];
    expect(placed(["spec.own", "spec.declared", "spec.last"])).toEqual([...start, "own", "declared", "last"]);
    expect(placed([["spec.last", "spec.declared"]])).toEqual([...start, "own", "declared", "last"]);
    expect(placed(["spec.last", "spec.declared"])).toEqual([...start, "own", "last", "declared"]);
    expect(placed(["spec.declared", "spec.own"])).toEqual([...start, "declared", "own", "last"]);
    expect(placed(["spec.last.part", "spec.declared", "spec.last"])).toEqual([...start, "own", "last", "declared"]);
    expect(placed(["spec.last", "spec.declare"])).toEqual([...start, "declared", "own", "last"]);
  });
});
