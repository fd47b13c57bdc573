import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const NAMESPACE = "/api/v1/namespaces/default";
const POLICIES = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";

interface Owned {
  readonly metadata: { readonly managedFields?: { readonly manager: string; readonly fieldsV1: unknown }[] };
}

const owners = ({ metadata }: Owned) =>
  Object.fromEntries((metadata.managedFields ?? []).map(({ manager, fieldsV1 }) => [manager, fieldsV1]));

describe("empty lists and maps in a request", () => {
  it("are owned by the field manager that sent them if the field is always serialized", async () => {
    const metadata = { name: "one", labels: { a: "b" } };
    const range = (spec: object) => ({ apiVersion: "v1", kind: "LimitRange", metadata, spec });
    const { body: made } = await call("POST", `${NAMESPACE}/limitranges?fieldManager=a`, { body: range({}) });
    const labels = { "f:metadata": { "f:labels": { ".": {}, "f:a": {} } } };
    expect(owners(made)).toEqual({ a: labels });
    const { body: changed } = await call("PUT", `${NAMESPACE}/limitranges/one?fieldManager=b`, {
      body: range({ limits: [] }),
    });
    expect(owners(changed)).toEqual({ a: labels, b: { "f:spec": { "f:limits": {} } } });
    expect(changed.spec).toEqual({ limits: null });
  });

  it("count as a change of the atomic list that contains them", async () => {
    const role = (rule: object) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "one" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"], ...rule }],
    });
    const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    await call("POST", `${roles}?fieldManager=a`, { body: role({}) });
    const { body: same } = await call("PUT", `${roles}/one?fieldManager=b`, { body: role({}) });
    expect(owners(same)).toEqual({ a: { "f:rules": {} } });
    const { body: changed } = await call("PUT", `${roles}/one?fieldManager=b`, { body: role({ resourceNames: [] }) });
    expect(owners(changed)).toEqual({ b: { "f:rules": {} } });
  });

  it("increment the generation of a NetworkPolicy only when they are sent", async () => {
    const policy = (spec: object) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "one" },
      spec: { podSelector: {}, ...spec },
    });
    await call("POST", POLICIES, { body: policy({}) });
    const { body: first } = await call("PUT", `${POLICIES}/one`, { body: policy({ ingress: [] }) });
    expect(first.metadata.generation).toBe(2);
    const { body: labelled } = await call("PATCH", `${POLICIES}/one`, {
      body: { metadata: { labels: { a: "b" } } },
      type: "application/merge-patch+json",
    });
    expect(labelled.metadata.generation).toBe(2);
  });

  it("are printed in error messages as empty maps", async () => {
    const volume = (capacity: object) => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: "one" },
      spec: { capacity, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    });
    await call("POST", "/api/v1/persistentvolumes", { body: volume({ storage: "1Gi" }) });
    const { body } = await call("PUT", "/api/v1/persistentvolumes/one", { body: volume({}) });
    expect(body.message).toContain("Unsupported value: core.ResourceList{}");
  });
});

describe("empty policyTypes of a NetworkPolicy", () => {
  it("get defaults, which is no change if the defaults were stored before", async () => {
    const path = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
    const spec = { podSelector: {}, policyTypes: ["Ingress", "Egress"], egress: [{}] };
    const { body: made } = await call("POST", path, { body: { metadata: { name: "filled" }, spec } });
    const type = "application/merge-patch+json";
    const { body } = await call("PATCH", `${path}/filled`, { body: { spec: { policyTypes: [] } }, type });
    expect(body.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    expect(body.metadata.generation).toBe(1);
  });
});

describe("the status of a ServiceCIDR", () => {
  it("can be written through the object itself as well as through the status subresource", async () => {
    const path = "/apis/networking.k8s.io/v1/servicecidrs";
    await call("POST", path, { body: { metadata: { name: "both" }, spec: { cidrs: ["10.99.0.0/24"] } } });
    const conditions = [
      { type: "Ready", status: "True", reason: "R", message: "m", lastTransitionTime: "2020-01-01T00:00:00Z" },
    ];
    const type = "application/merge-patch+json";
    const { body } = await call("PATCH", `${path}/both`, { body: { status: { conditions } }, type });
    expect(body.status.conditions).toEqual(conditions);
  });
});

describe("managedFields", () => {
  const path = `${NAMESPACE}/configmaps`;
  const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });

  it.each([
    ["null", null, 1],
    ["an empty list", [], undefined],
    ["one empty entry", [{}], undefined],
  ])("after a request with %s are those of the live object, or none", async (_, managedFields, count) => {
    const name = `managed-${JSON.stringify(managedFields).length}`;
    const type = "application/apply-patch+yaml";
    const writes = {
      merge: ["PATCH", { type: "application/merge-patch+json", body: { metadata: { managedFields } } }],
      strategic: ["PATCH", { type: "application/strategic-merge-patch+json", body: { metadata: { managedFields } } }],
      put: ["PUT", { body: { ...map(`${name}-put`), metadata: { name: `${name}-put`, managedFields } } }],
    } as const;
    for (const [how, [method, options]] of Object.entries(writes)) {
      const one = `${path}/${name}-${how}`;
      await call("PATCH", `${one}?fieldManager=a`, { body: map(`${name}-${how}`), type });
      expect((await call("GET", one)).body.metadata.managedFields).toHaveLength(1);
      expect((await call(method, one, options)).body.metadata.managedFields?.length, how).toBe(count);
      expect((await call("GET", one)).body.metadata.managedFields?.length, how).toBe(count);
    }
  });

  it.each([
    ["without times", undefined],
    ["with other times", "2020-01-01T00:00:00Z"],
  ])("%s are not stored if nothing else changes", async (title, time) => {
    const one = `${path}/${title.replaceAll(" ", "-")}`;
    const body = map(title.replaceAll(" ", "-"));
    await call("PATCH", `${one}?fieldManager=a`, { body, type: "application/apply-patch+yaml" });
    const { body: live } = await call("GET", one);
    const managedFields = live.metadata.managedFields.map((entry: object) => ({ ...entry, time }));
    const written = { ...live, metadata: { ...live.metadata, managedFields } };
    expect((await call("PUT", one, { body: written })).body).toEqual(live);
    const merge = { type: "application/merge-patch+json", body: { metadata: { managedFields } } };
    expect((await call("PATCH", one, merge)).body).toEqual(live);
    const changed = await call("PUT", `${one}?fieldManager=b`, { body: { ...written, data: { a: "1", b: "2" } } });
    expect(changed.body.metadata.managedFields[0].time).toBe(time);
  });
});

describe("an empty PartialObjectMetadataList", () => {
  it("has null items", async () => {
    const as = (version: string) => ({
      Accept: `application/json;as=PartialObjectMetadataList;v=${version};g=meta.k8s.io`,
    });
    const path = `${NAMESPACE}/secrets?labelSelector=nothing`;
    expect((await call("GET", path, { headers: as("v1") })).body.items).toBeNull();
    expect((await call("GET", path, { headers: as("v1beta1") })).body.items).toBeNull();
  });
});
