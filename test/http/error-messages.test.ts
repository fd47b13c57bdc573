import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane();

const APPLY = "application/apply-patch+yaml";
const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const CORE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "m", image: "i" }] } };
const selector = { matchLabels: { a: "b" } };

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
}
const causes = ({ details }: Refusal) => (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);

describe("the error message of a patch with an invalid result", () => {
  const range = (limits: object[]) => ({
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name: "shown" },
    spec: { limits },
  });

  it("prints objects that the patch went through sorted, and others as they were", async () => {
    const path = `${CORE}/limitranges`;
    const limits = [
      { type: "Pod", max: { cpu: "1" } },
      { type: "PersistentVolumeClaim", max: { storage: "2Gi" } },
    ];
    await call("POST", path, { body: range(limits) });
    const { body: passed } = await call("PATCH", `${path}/shown`, {
      body: [{ op: "replace", path: "/spec/limits/0/type", value: { z: 1, b: 2 } }],
      type: JSON_PATCH,
    });
    expect(passed.message).toContain(
      String.raw`\"limits\":[{\"max\":{\"cpu\":\"1\"},\"type\":{\"z\":1,\"b\":2}},{\"type\":\"PersistentVolumeClaim\",\"max\":{\"storage\":\"2Gi\"}}]`,
    );
    const { body: merged } = await call("PATCH", `${path}/shown`, {
      body: { spec: { limits: [{ type: 5, max: {} }] } },
      type: MERGE,
    });
    expect(merged.message).toContain(String.raw`\"limits\":[{\"max\":{},\"type\":5}]`);
  });

  it("keeps the escapes of the patch", async () => {
    const { body } = await call("PATCH", `${CORE}/limitranges/shown`, {
      body: Buffer.from(String.raw`{"spec":{"limits":[{"type":"Pod","max":{"cpu":"\u00e9\/<"}}]}}`),
      type: MERGE,
    });
    expect(body.message).toContain(String.raw`\"cpu\":\"\\u00e9\\/\\u003c\"`);
  });
});

describe("bytes of a selector that are not UTF-8", () => {
  it.each([
    ["%E9", String.raw`<nil>: Invalid value: "\xe9": name part must consist`],
    ["a%3D+%C3%A9%ff", String.raw`values[0][a]: Invalid value: "é\xff": a valid label must be`],
    ["%EF%BF%BD", '<nil>: Invalid value: "\ufffd": name part must consist'],
    ["a+%E9", "found '\ufffd', expected: in, notin, ="],
  ])("are printed as hexadecimal escapes if they are quoted: %s", async (selector, problem) => {
    const { status, body } = await call("GET", `${CORE}/configmaps?labelSelector=${selector}`);
    expect([status, body.message]).toEqual([400, expect.stringContaining(`unable to parse requirement: ${problem}`)]);
  });
});

describe("an update with several validation errors", () => {
  it("reports invalid values before immutable fields", async () => {
    const path = "/apis/storage.k8s.io/v1/storageclasses";
    const storageClass = { metadata: { name: "slow" }, provisioner: "a.example.com" };
    await call("POST", path, { body: storageClass });
    const { body } = await call("PUT", `${path}/slow`, {
      body: { ...storageClass, provisioner: "b.example.com", volumeBindingMode: "Odd" },
    });
    expect(causes(body as unknown as Refusal)).toEqual([
      'volumeBindingMode: Unsupported value: "Odd": supported values: "Immediate", "WaitForFirstConsumer"',
      "provisioner: Forbidden: updates to provisioner are forbidden.",
      'volumeBindingMode: Invalid value: "Odd": field is immutable',
    ]);
  });
});

describe("an ephemeral container", () => {
  it("must not have forbidden fields, not even empty ones", async () => {
    const debug = { name: "d", image: "i", ports: [], resources: {}, resizePolicy: [], lifecycle: {} };
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    const { body } = await call("POST", `${CORE}/pods`, {
      body: { metadata: { name: "debugged" }, spec: { ...template.spec, ephemeralContainers: [debug] } },
    });
    expect(causes(body as unknown as Refusal)).toEqual([
      "spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container",
      "spec.ephemeralContainers[0].resizePolicy: Forbidden: cannot be set for an Ephemeral Container",
      "spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral Container",
      "spec.ephemeralContainers: Forbidden: cannot be set on create",
    ]);
  });
});

describe("a StatefulSet", () => {
  it("gets kind and apiVersion in its claim templates and loses fields of disabled feature gates", async () => {
    const spec = {
      serviceName: "s",
      selector,
      template,
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "odd" } },
      volumeClaimTemplates: [
        {
          metadata: { name: "d" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } },
        },
      ],
    };
    const { body } = await call("POST", `${APPS}/statefulsets`, {
      body: { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "s" }, spec },
    });
    expect(body.spec.updateStrategy.rollingUpdate).toEqual({ partition: 0 });
    expect(body.spec.volumeClaimTemplates[0]).toMatchObject({ kind: "PersistentVolumeClaim", apiVersion: "v1" });
  });
});

describe("numbers in an apply configuration", () => {
  it.each([
    ["autoscaling/v1", -2_147_483_649, 2_147_483_647],
    ["autoscaling/v2", 4_294_967_299, 3],
  ])("that are out of range wrap around in %s", async (apiVersion, maxReplicas, kept) => {
    const scaleTargetRef = { kind: "Deployment", name: "d" };
    const path = `/apis/${apiVersion}/namespaces/default/horizontalpodautoscalers/cut?fieldManager=a&dryRun=All`;
    const { body } = await call("PATCH", path, {
      body: {
        apiVersion,
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "cut" },
        spec: { maxReplicas, scaleTargetRef },
      },
      type: APPLY,
    });
    expect(body.spec?.maxReplicas).toBe(kept);
  });
});

describe("two owner references with controller true", () => {
  it("are rejected and printed as Go structs", async () => {
    const owner = (uid: string) => ({ apiVersion: "v1", kind: "Node", name: "n", uid, controller: true });
    const { body } = await call("POST", `${CORE}/configmaps`, {
      body: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "owned", ownerReferences: [owner("1"), owner("2")] },
      },
    });
    const shown = (uid: string) =>
      `v1.OwnerReference{APIVersion:"v1", Kind:"Node", Name:"n", UID:"${uid}", Controller:(*bool)(0xc000000000), BlockOwnerDeletion:(*bool)(nil)}`;
    expect(causes(body)).toEqual([
      `metadata.ownerReferences: Invalid value: []v1.OwnerReference{${shown("1")}, ${shown("2")}}: Only one reference can have Controller set to true. Found "true" in references for Node/n and Node/n`,
    ]);
  });
});

describe("an update of a CSIStorageCapacity", () => {
  it("requires a resourceVersion", async () => {
    const path = "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities";
    const body = {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIStorageCapacity",
      metadata: { name: "c" },
      storageClassName: "s",
    };
    await call("POST", path, { body });
    const { body: refused } = await call("PUT", `${path}/c`, { body });
    expect(causes(refused)).toEqual(["metadata.resourceVersion: Invalid value: 0x0: must be specified for an update"]);
  });
});

describe("the name of a new PodDisruptionBudget", () => {
  it("is validated only if the rest is valid", async () => {
    const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    const budget = (spec: object) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "a%b" },
      spec,
    });
    const { body: both } = await call("POST", path, { body: budget({ minAvailable: -1 }) });
    expect(causes(both)).toEqual(["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"]);
    const { body: one } = await call("POST", path, { body: budget({ minAvailable: 1 }) });
    expect(causes(one)).toEqual(["metadata.name: Invalid value: \"a%b\": may not contain '%'"]);
  });
});

describe("a field of a disabled feature gate", () => {
  it("increments the generation of an EndpointSlice although it is dropped", async () => {
    const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    const slice = (hints: object) => ({
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name: "s" },
      addressType: "IPv4",
      endpoints: [{ addresses: ["1.2.3.4"], hints }],
    });
    await call("POST", path, { body: slice({ forZones: [{ name: "z" }] }) });
    const { body } = await call("PUT", `${path}/s`, {
      body: slice({ forZones: [{ name: "z" }], forNodes: [{ name: "n" }] }),
    });
    expect(body.metadata.generation).toBe(2);
    expect(body.endpoints[0].hints).toEqual({ forZones: [{ name: "z" }] });
  });
});

describe("empty lists", () => {
  it("at the top of an object are owned by the field manager that sent them", async () => {
    const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
    const { body } = await call("POST", path, {
      body: { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "none" }, rules: [] },
    });
    expect(body.metadata.managedFields[0].fieldsV1).toEqual({ "f:rules": {} });
  });

  it("of scaling policies are rejected instead of defaulted", async () => {
    const { body } = await call("POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
      body: {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "still" },
        spec: {
          scaleTargetRef: { kind: "Deployment", name: "d" },
          maxReplicas: 1,
          behavior: { scaleDown: { policies: [] } },
        },
      },
    });
    expect(causes(body)).toEqual([
      "spec.behavior.scaleDown.policies: Required value: must specify at least one Policy",
    ]);
  });

  it("are printed in the difference of an immutable field", async () => {
    const path = `${CORE}/persistentvolumeclaims`;
    const claim = (accessModes: string[]) => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "c" },
      spec: { accessModes, resources: { requests: { storage: "1Gi" } } },
    });
    await call("POST", path, { body: claim(["ReadWriteOnce"]) });
    const { body } = await call("PUT", `${path}/c`, { body: claim([]) });
    expect(body.message).toContain("+ \tAccessModes: []core.PersistentVolumeAccessMode{},");
  });
});

describe("validation of Kubernetes", () => {
  it("accepts IP addresses with leading zeros", async () => {
    const service = (name: string, clusterIP: string) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      spec: { clusterIP, ports: [{ port: 80 }] },
    });
    const { body, status } = await call("POST", `${CORE}/services`, { body: service("padded", "010.000.0.077") });
    expect([status, body.spec.clusterIP]).toEqual([201, "010.000.0.077"]);
    const { body: taken } = await call("POST", `${CORE}/services`, { body: service("plain", "10.0.0.77") });
    expect(taken.message).toContain("provided IP is already allocated");
  });

  it("rejects an empty map instead of an absent one in an immutable ConfigMap", async () => {
    const map = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "frozen" },
      data: { a: "b" },
      immutable: true,
    };
    await call("POST", `${CORE}/configmaps`, { body: map });
    const { body } = await call("PUT", `${CORE}/configmaps/frozen`, { body: { ...map, binaryData: {} } });
    expect(causes(body)).toEqual(["binaryData: Forbidden: field is immutable when `immutable` is set"]);
  });
});

describe("duplicate owner references", () => {
  const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "1" };
  const map = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "twice", ownerReferences: [owner, owner] },
  };
  const warnings = async (method: string, path: string, body: unknown, type: string) =>
    (
      await running().fetch(path, { method, headers: { "Content-Type": type }, body: JSON.stringify(body) })
    ).headers.get("warning");

  it("get a warning that says whether they were found before or after mutating admission", async () => {
    const path = `${CORE}/configmaps`;
    expect(await warnings("PUT", `${path}/twice`, map, "application/json")).toContain("duplicate entries; API server");
    await call("POST", path, { body: { ...map, metadata: { name: "twice" } } });
    expect(await warnings("PUT", `${path}/twice`, map, "application/json")).toContain("duplicate entries; API server");
    await call("PUT", `${path}/twice`, { body: { ...map, metadata: { name: "twice" } } });
    const patch = { metadata: { ownerReferences: [owner, owner] } };
    expect(await warnings("PATCH", `${path}/twice`, patch, MERGE)).toContain(
      "duplicate entries after mutating admission happens; API server",
    );
  });
});

describe("a ReplicationController", () => {
  it("gets the validation errors of its template", async () => {
    const livenessProbe = { tcpSocket: { port: 80 }, failureThreshold: -1 };
    const containers = [{ name: "m", image: "i", livenessProbe }];
    const { body } = await call("POST", `${CORE}/replicationcontrollers`, {
      body: {
        apiVersion: "v1",
        kind: "ReplicationController",
        metadata: { name: "rc" },
        spec: { replicas: -1, template: { ...template, spec: { containers } } },
      },
    });
    expect(causes(body)).toEqual([
      "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
      "spec.template.spec.containers[0].livenessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });
});

describe("server-side apply of the resources of a container", () => {
  it("owns the name of the container, too", async () => {
    const here = "/api/v1/namespaces/sized";
    await call("POST", "/api/v1/namespaces", {
      body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "sized" } },
    });
    await call("POST", `${here}/serviceaccounts`, {
      body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default" } },
    });
    await call("POST", `${here}/pods`, {
      body: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "sized" },
        spec: template.spec,
      },
    });
    const { body } = await call("PATCH", `${here}/pods/sized/resize?fieldManager=b&force=true`, {
      body: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "sized" },
        spec: { containers: [{ name: "m", resources: {} }] },
      },
      type: APPLY,
    });
    const entries = body.metadata.managedFields as { manager: string; fieldsV1: unknown }[];
    expect(entries.find(({ manager }) => manager === "b")?.fieldsV1).toEqual({
      "f:spec": { "f:containers": { 'k:{"name":"m"}': { ".": {}, "f:name": {}, "f:resources": {} } } },
    });
  });
});

describe("values of the wrong type", () => {
  it.each([
    [
      { metadata: { ownerReferences: [{ uid: [] }] } },
      "array into Go struct field OwnerReference.metadata.ownerReferences.uid of type types.UID",
    ],
    [
      { spec: { containers: [{ securityContext: { capabilities: { drop: [5] } } }] } },
      "number into Go struct field Capabilities.spec.containers.securityContext.capabilities.drop of type v1.Capability",
    ],
    [
      { spec: { containers: [{ securityContext: { capabilities: { add: "x" } } }] } },
      "string into Go struct field Capabilities.spec.containers.securityContext.capabilities.add of type []v1.Capability",
    ],
  ])("get a decoding error with the name of the Go type: %j", async (pod, problem) => {
    const { body } = await call("POST", `${CORE}/pods`, { body: { kind: "Pod", apiVersion: "v1", ...pod } });
    expect(body.message).toContain(`json: cannot unmarshal ${problem}`);
  });
});
