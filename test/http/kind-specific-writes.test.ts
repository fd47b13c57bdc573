import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

/** Differences of single kinds and types of writes from the others, as in Kubernetes. */
const { call } = servePlane();

const CORE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const METADATA = { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
const TABLE = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
const merge = (body: unknown) => ({ type: "application/merge-patch+json", body });
const apply = (body: unknown) => ({ type: "application/apply-patch+yaml", body });
/** A repeated test uses other names. */
let tries = 0;
const template = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "main", image: "example.com/i" }] },
};

describe("annotations that hold converted fields", () => {
  it("of a DaemonSet are not part of partial metadata, and survive an update of the status", async () => {
    const spec = { selector: { matchLabels: { app: "x" } }, template };
    const body = { apiVersion: "apps/v1", kind: "DaemonSet", metadata: { name: "set" }, spec };
    const count = { "deprecated.daemonset.template.generation": "1" };
    await call("POST", `${APPS}/daemonsets`, { body });
    const status = await call("PUT", `${APPS}/daemonsets/set/status`, { body: { ...body, status: {} } });
    expect(status.body.metadata.annotations).toEqual(count);
    const shown = await call("GET", `${APPS}/daemonsets/set`, { headers: METADATA });
    expect(shown.body.metadata.annotations).toBeUndefined();
    const { rows } = (await call("GET", `${APPS}/daemonsets`, { headers: TABLE })).body;
    expect(rows[0].object.metadata).toMatchObject({ name: "set" });
    expect(rows[0].object.metadata.annotations).toBeUndefined();
  });

  it("leave the others of partial metadata where they are", async () => {
    const metadata = { name: "ordered", annotations: { a: "b" }, finalizers: ["example.com/f"] };
    const spec = { selector: { matchLabels: { app: "x" } }, template };
    await call("POST", `${APPS}/daemonsets`, { body: { apiVersion: "apps/v1", kind: "DaemonSet", metadata, spec } });
    const shown = await call("GET", `${APPS}/daemonsets/ordered`, { headers: METADATA });
    expect(shown.body.metadata.annotations).toEqual({ a: "b" });
    expect(Object.keys(shown.body.metadata)).toEqual([
      ...["name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "annotations"],
      ...["finalizers", "managedFields"],
    ]);
  });

  it("of a DaemonSet must be numbers", async () => {
    const spec = { selector: { matchLabels: { app: "x" } }, template };
    const counting = (name: string, count: string | null) => ({
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name, annotations: { "deprecated.daemonset.template.generation": count } },
      spec,
    });
    const sets = `${APPS}/daemonsets`;
    const counted = `counted-${++tries}`;
    const why = (text: string) => `strconv.ParseInt: parsing "${text}": invalid syntax`;
    const created = await call("POST", sets, { body: counting(counted, "+07") });
    expect(created.body.metadata.annotations).toEqual({ "deprecated.daemonset.template.generation": "7" });
    const wrong = await call("POST", sets, { body: counting("wrong", "7x") });
    expect(wrong.body).toMatchObject({
      code: 400,
      message: `DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why("7x")}`,
    });
    const put = await call("PUT", `${sets}/${counted}`, { body: counting(counted, "x") });
    expect(put.body).toMatchObject({ code: 400, message: expect.stringContaining(why("x")) });
    const empty = { op: "add", path: "/metadata/annotations/deprecated.daemonset.template.generation", value: null };
    const patched = await call("PATCH", `${sets}/${counted}`, { type: "application/json-patch+json", body: [empty] });
    expect(patched.body.code).toBe(422);
    expect(patched.body.message).toMatch(
      /^ "" is invalid: patch: Invalid value: "\{.*: strconv\.ParseInt: parsing "": /s,
    );
    const body = { metadata: counting(counted, "y").metadata };
    const strategic = await call("PATCH", `${sets}/${counted}`, {
      type: "application/strategic-merge-patch+json",
      body,
    });
    expect(strategic.body).toMatchObject({ code: 500, message: why("y") });
    const applied = await call("PATCH", `${sets}/${counted}?fieldManager=f&force=true`, apply(counting(counted, "z")));
    expect(applied.body).toMatchObject({
      code: 500,
      message: `failed to convert to unversioned (/${counted}; apps/v1, Kind=DaemonSet): ${why("z")}`,
    });
  });

  it("of a HorizontalPodAutoscaler contain only the current metrics", async () => {
    const path = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    const body = { metadata: { name: "scaler" }, spec: { scaleTargetRef, maxReplicas: 3 } };
    await call("POST", path, { body });
    const status = { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 7 };
    const written = await call("PUT", `${path}/scaler/status`, { body: { ...body, status } });
    expect(Object.keys(written.body.metadata.annotations)).toEqual(["autoscaling.alpha.kubernetes.io/current-metrics"]);
    const shown = await call("GET", `${path}/scaler`, { headers: METADATA });
    expect(shown.body.metadata.annotations).toBeUndefined();
  });
});

describe("a write without changes", () => {
  it("stores a new PersistentVolumeClaim or Job once more, and other objects not", async () => {
    const versions = async (path: string, name: string) => {
      const patched = async () =>
        (await call("PATCH", `${path}/${name}`, merge({}))).body.metadata.resourceVersion as string;
      return [(await call("GET", `${path}/${name}`)).body.metadata.resourceVersion, await patched(), await patched()];
    };
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    await call("POST", `${CORE}/persistentvolumeclaims`, { body: { metadata: { name: "claim" }, spec: claim } });
    const job = { template: { spec: { ...template.spec, restartPolicy: "Never" } } };
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    await call("POST", jobs, { body: { metadata: { name: "plain" }, spec: job } });
    await call("POST", jobs, { body: { metadata: { name: "labelled", labels: { a: "b" } }, spec: job } });
    for (const [path, name] of [
      [`${CORE}/persistentvolumeclaims`, "claim"],
      [jobs, "plain"],
    ] as const) {
      const [created, first, second] = await versions(path, name);
      expect(first).not.toBe(created);
      expect(second).toBe(first);
    }
    expect(new Set(await versions(jobs, "labelled")).size).toBe(1);
  });

  it("of a ControllerRevision keeps its data immutable including the order of keys", async () => {
    const path = `${APPS}/controllerrevisions`;
    const revision = { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: { name: "first" } };
    const whole = { ...revision, data: { b: 1, a: { d: 1, c: 2 } }, revision: 1 };
    await call("POST", path, { body: whole });
    expect((await call("PUT", `${path}/first`, { body: whole })).status).toBe(200);
    const labels = { metadata: { labels: { a: "b" } } };
    expect((await call("PATCH", `${path}/first`, merge(labels))).status).toBe(200);
    const sorted = [...Buffer.from('{"a":{"c":2,"d":1},"b":1}')].map((byte) => `0x${byte.toString(16)}`).join(", ");
    const cause = {
      reason: "FieldValueInvalid",
      message: `Invalid value: runtime.RawExtension{Raw:[]uint8{${sorted}}, Object:runtime.Object(nil)}: field is immutable`,
      field: "data",
    };
    const strategic = await call("PATCH", `${path}/first`, {
      body: labels,
      type: "application/strategic-merge-patch+json",
    });
    expect(strategic.body.details.causes).toEqual([cause]);
    const applying = (name: string) => {
      const metadata = { ...revision.metadata, labels: { [name]: "b" } };
      return call("PATCH", `${path}/first?fieldManager=a`, apply({ ...revision, metadata }));
    };
    expect((await applying("other")).status).toBe(422);
    expect((await applying("a")).status).toBe(200);
    const other = { ...whole, data: { a: { c: 2, d: 1 }, b: 1 } };
    expect((await call("PUT", `${path}/first`, { body: other })).body.details.causes).toEqual([cause]);
  });
});

describe("defaulting", () => {
  it("gives no ownership of a zero value that is not serialized", async () => {
    const spec = { selector: { app: "x" }, template };
    const { body } = await call("POST", `${CORE}/replicationcontrollers`, { body: { metadata: { name: "rc" }, spec } });
    expect(Object.keys(body.metadata.managedFields[0].fieldsV1["f:spec"])).not.toContain("f:minReadySeconds");
  });

  it("sets apiVersion and kind of the volumeClaimTemplates of a StatefulSet", async () => {
    const claim = {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    };
    const spec = {
      serviceName: "x",
      selector: { matchLabels: { app: "x" } },
      template,
      volumeClaimTemplates: [claim],
    };
    const { body } = await call("POST", `${APPS}/statefulsets`, { body: { metadata: { name: "set" }, spec } });
    expect(body.spec.volumeClaimTemplates[0]).toMatchObject({ apiVersion: "v1", kind: "PersistentVolumeClaim" });
  });
});

it("creating a Service without a name fails to allocate a cluster IP", async () => {
  const refused = await call("POST", `${CORE}/services`, { body: { metadata: {}, spec: { ports: [{ port: 80 }] } } });
  expect(refused.status).toBe(500);
  expect(refused.body.message).toMatch(
    /^Internal error occurred: failed to allocate a serviceIP: IPAddress.networking.k8s.io ".+" is invalid: spec.parentRef.name: Required value$/,
  );
});

it("the condition Dangling of a FlowSchema shows whether its priority level exists", async () => {
  const path = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
  const rules = [
    {
      subjects: [{ kind: "User", user: { name: "x" } }],
      nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
    },
  ];
  const spec = { priorityLevelConfiguration: { name: "absent" }, matchingPrecedence: 9000, rules };
  await call("POST", path, { body: { metadata: { name: "lost" }, spec } });
  await expect
    .poll(async () => (await call("GET", `${path}/lost`)).body.status.conditions)
    .toMatchObject([{ type: "Dangling", status: "True", reason: "NotFound" }]);
  await call("PATCH", `${path}/lost`, merge({ spec: { priorityLevelConfiguration: { name: "exempt" } } }));
  await expect
    .poll(async () => (await call("GET", `${path}/lost`)).body.status.conditions)
    .toMatchObject([
      {
        type: "Dangling",
        status: "False",
        reason: "Found",
        message: 'This FlowSchema references the PriorityLevelConfiguration object named "exempt" and it exists',
      },
    ]);
});

describe("an apply configuration", () => {
  const refusal = async (type: string, text: string) =>
    (await call("PATCH", `${CORE}/configmaps/map?fieldManager=a`, { type, body: text })).body.message as string;

  it.each([
    [
      "[]",
      "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}",
    ],
    [
      "5",
      "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal number into Go value of type map[string]interface {}",
    ],
    ["a: b: c", "error converting YAML to JSON: yaml: mapping values are not allowed in this context"],
    ['"x', "error converting YAML to JSON: yaml: found unexpected end of stream"],
  ])("that is not an object is rejected: %s", async (text, why) => {
    expect(await refusal("application/apply-patch+yaml", text)).toBe(`error decoding YAML: ${why}`);
  });

  it.each(["", "null"])("that is empty or null is rejected as an invalid object type: %j", async (text) => {
    expect(await refusal("application/apply-patch+yaml", text)).toBe("invalid object type: /, Kind=");
  });

  it("gets 400 if its name differs from the name in the path", async () => {
    const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    await call("PATCH", `${CORE}/configmaps/kept?fieldManager=a`, apply(map("kept")));
    const { status, body } = await call("PATCH", `${CORE}/configmaps/kept?fieldManager=a`, apply(map("other")));
    expect([status, body.message]).toEqual([
      400,
      "the name of the object (other) does not match the name on the URL (kept)",
    ]);
  });
});
