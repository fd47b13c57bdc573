import { describe, expect, it } from "vitest";
import { issueCertificateRequest } from "../fixtures/certificate-request.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const CORE = "/api/v1/namespaces/default";
const MERGE = "application/merge-patch+json";
const merge = (body: unknown) => ({ type: MERGE, body });

describe("nodePort of a Service with allocateLoadBalancerNodePorts false", () => {
  it("is removed when an update leaves it out", async () => {
    const spec = { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ port: 1, nodePort: 30103 }] };
    await call("POST", `${CORE}/services`, { body: { metadata: { name: "balanced" }, spec } });
    const { body } = await call("PATCH", `${CORE}/services/balanced`, {
      body: { spec: { ports: [{ port: 1 }] } },
      type: MERGE,
    });
    expect(body.spec).toMatchObject({ ports: [{ port: 1, protocol: "TCP", targetPort: 1 }] });
    expect(JSON.stringify(body.spec)).not.toContain("nodePort");
  });
});

it("a Service that is no load balancer any more loses the status of its load balancer", async () => {
  const services = "/api/v1/namespaces/default/services";
  const service = { metadata: { name: "balanced" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } };
  const ingress = [{ ip: "192.0.2.1", ipMode: "VIP" }];
  await call("POST", services, { body: service });
  await call("PATCH", `${services}/balanced/status`, merge({ status: { loadBalancer: { ingress } } }));
  const refused = await call(
    "PATCH",
    `${services}/balanced`,
    merge({ spec: { type: "ClusterIP", sessionAffinity: "X" } }),
  );
  expect(refused.status).toBe(422);
  expect((await call("GET", `${services}/balanced`)).body.status).toEqual({ loadBalancer: { ingress } });
  const changed = await call("PATCH", `${services}/balanced`, merge({ spec: { type: "ClusterIP" } }));
  expect(changed.body.status).toEqual({ loadBalancer: {} });
  expect((await call("GET", `${services}/balanced`)).body.status).toEqual({ loadBalancer: {} });
});

it("a Service of type ExternalName is returned without internalTrafficPolicy, whose value is validated", async () => {
  const service = (internalTrafficPolicy: string, name = "outside") => ({
    metadata: { name },
    spec: { type: "ExternalName", externalName: "example.com", internalTrafficPolicy },
  });
  const { status, body } = await call("POST", `${CORE}/services`, { body: service("Local") });
  expect([status, body.spec]).toEqual([
    201,
    { type: "ExternalName", externalName: "example.com", sessionAffinity: "None" },
  ]);
  expect(Object.keys(body.metadata.managedFields[0].fieldsV1["f:spec"])).toContain("f:internalTrafficPolicy");
  const updated = await call("PUT", `${CORE}/services/outside`, { body: service("Cluster") });
  expect([updated.status, updated.body.spec.internalTrafficPolicy]).toEqual([200, undefined]);
  const refused = await call("POST", `${CORE}/services`, { body: service("x", "other") });
  expect(refused.body.message).toBe(
    'Service "other" is invalid: spec.internalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local"',
  );
});

it("a wrong map of resource states in a claim is reported with the type of its keys", async () => {
  const claim = { metadata: { name: "a" }, status: { allocatedResourceStatuses: "x" } };
  const { status, body } = await call("POST", `${CORE}/persistentvolumeclaims`, { body: claim });
  expect([status, body.message]).toEqual([
    400,
    'PersistentVolumeClaim in version "v1" cannot be handled as a PersistentVolumeClaim: json: cannot unmarshal string into Go struct field ' +
      "PersistentVolumeClaimStatus.status.allocatedResourceStatuses of type map[v1.ResourceName]v1.ClaimResourceStatus",
  ]);
});

it("an apply to an object whose list has no keys reports the object before the configuration", async () => {
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "keyless" }, secrets: [{}] };
  expect((await call("POST", `${CORE}/serviceaccounts`, { body: account })).status).toBe(201);
  const { body } = await call("PATCH", `${CORE}/serviceaccounts/keyless?fieldManager=f`, {
    type: "application/apply-patch+yaml",
    body: account,
  });
  expect([body.code, body.message]).toEqual([
    500,
    "failed to create manager for existing fields: failed to convert new object (default/keyless; /v1, Kind=ServiceAccount) to smd typed: " +
      '.secrets: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
  ]);
});

it("an apply of fields that its resource does not change leaves managedFields as they were", async () => {
  const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  const spec = { request: issueCertificateRequest(), signerName: "example.com/a", usages: ["client auth"] };
  const kind = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest" };
  const metadata = { name: "owned", labels: { a: "b" } };
  const created = await call("POST", path, { body: { ...kind, metadata, spec } });
  expect(created.status).toBe(201);
  const apply = async (uid: string | undefined) => {
    const type = "application/apply-patch+yaml";
    const body = { ...kind, metadata, spec: { ...spec, uid } };
    return (await call("PATCH", `${path}/owned?fieldManager=two`, { type, body })).body.metadata;
  };
  const first = await apply(undefined);
  const second = await apply("other");
  expect([second.managedFields, second.resourceVersion]).toEqual([first.managedFields, first.resourceVersion]);
  expect(first.managedFields.map(({ manager, time }: Record<string, string>) => [manager, time !== undefined])).toEqual(
    [
      ["two", false],
      ["tests", true],
    ],
  );
});

it("the numbers of a probe must not be negative in a template of pods; in a StatefulSet they are not validated", async () => {
  const numbers = { initialDelaySeconds: -1, timeoutSeconds: -2, periodSeconds: -3, failureThreshold: -5 };
  const readinessProbe = { tcpSocket: { port: 80 }, ...numbers, successThreshold: -4 };
  const spec = { containers: [{ name: "a", image: "a", readinessProbe }] };
  const template = { metadata: { name: "negative" }, template: { spec } };
  const { body } = await call("POST", `${CORE}/podtemplates`, { body: template });
  const at = "template.spec.containers[0].readinessProbe.";
  const causes = body.details.causes.map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
  expect(causes).toEqual([
    `${at}initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`,
    `${at}timeoutSeconds: Invalid value: -2: must be greater than or equal to 0`,
    `${at}periodSeconds: Invalid value: -3: must be greater than or equal to 0`,
    `${at}successThreshold: Invalid value: -4: must be greater than or equal to 0`,
    `${at}failureThreshold: Invalid value: -5: must be greater than or equal to 0`,
  ]);
  const labels = { app: "a" };
  const set = { serviceName: "s", selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
  const path = "/apis/apps/v1/namespaces/default/statefulsets";
  expect((await call("POST", path, { body: { metadata: { name: "negative" }, spec: set } })).status).toBe(201);
});

it("a StatefulSet with a fractional claim causes a warning in updates, but not in those of its status", async () => {
  const path = "/apis/apps/v1/namespaces/default/statefulsets";
  const labels = { app: "a" };
  const claim = {
    metadata: { name: "c" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1500m" } } },
  };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { serviceName: "s", selector: { matchLabels: labels }, template, volumeClaimTemplates: [claim] };
  await call("POST", path, { body: { metadata: { name: "warned" }, spec } });
  const change = { metadata: { labels: { a: "b" } }, status: { replicas: 0 } };
  const whole = await call("PATCH", `${path}/warned`, merge(change));
  expect(whole.headers.warning).toContain("spec.volumeClaimTemplates[0].Spec.resources.requests[storage]");
  const status = await call("PATCH", `${path}/warned/status`, merge({ status: { replicas: 1 } }));
  expect([status.status, status.headers.warning]).toEqual([200, undefined]);
});

describe("the status of a pod", () => {
  it("keeps the qosClass of a new pod, and allocatedResources and stopSignal of its containers", async () => {
    const spec = { containers: [{ name: "m", image: "i" }] };
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    await call("POST", `${CORE}/pods`, { body: { metadata: { name: "p" }, spec } });
    const given = { phase: "Running", qosClass: "Guaranteed" };
    const { body: said } = await call("POST", `${CORE}/pods`, {
      body: { metadata: { name: "q" }, spec, status: given },
    });
    expect(said.status).toEqual({ phase: "Pending", qosClass: "Guaranteed" });
    const status = { name: "m", image: "i", imageID: "x", ready: true, restartCount: 1 };
    const more = { allocatedResources: { cpu: "1" }, stopSignal: "SIGTERM" };
    const { body } = await call("PATCH", `${CORE}/pods/p/status`, {
      body: { status: { containerStatuses: [{ ...status, ...more }] } },
      type: MERGE,
    });
    expect(body.status).toMatchObject({ containerStatuses: [more] });
  });
});

describe("status.storedVersions of a CustomResourceDefinition", () => {
  it("is kept by an update without it, and not owned by that field manager", async () => {
    const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const names = { plural: "things", kind: "Thing" };
    const schema = { openAPIV3Schema: { type: "object" } };
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    const spec = { group: "example.com", scope: "Cluster", names, versions };
    await call("POST", CRDS, { body: { metadata: { name: "things.example.com" }, spec } });
    // A definition is updated once more when it is established.
    await expect
      .poll(async () => JSON.stringify((await call("GET", `${CRDS}/things.example.com`)).body.status.conditions), {
        timeout: 30_000,
      })
      .toContain('"type":"Established"');
    const { body: definition } = await call("GET", `${CRDS}/things.example.com`);
    const { body } = await call("PUT", `${CRDS}/things.example.com/status?dryRun=All&fieldManager=me`, {
      body: { ...definition, status: {} },
    });
    expect(body.status).toMatchObject({ storedVersions: ["v1"] });
    const { managedFields } = body.metadata as unknown as { managedFields: { manager: string }[] };
    expect(JSON.stringify(managedFields.find(({ manager }) => manager === "me"))).not.toContain("storedVersions");
  });
});

describe("validation of an Event", () => {
  const labels = { a: "é" };

  it("skips metadata if core/v1 fields are invalid, and reports it with the other fields in events.k8s.io/v1", async () => {
    const involvedObject = { kind: "Pod", namespace: "other", name: "p" };
    const { body: old } = await call("POST", `${CORE}/events`, {
      body: { metadata: { name: "e", labels }, involvedObject },
    });
    expect(old.message).toBe(
      'Event "e" is invalid: involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    );
    const { body } = await call("POST", "/apis/events.k8s.io/v1/namespaces/default/events", {
      body: {
        metadata: { name: "e", labels },
        regarding: { ...involvedObject, namespace: "default" },
        eventTime: "2020-01-01T00:00:00.000000Z",
        reportingController: "example.com/c",
        reportingInstance: "i",
        reason: "r",
        type: "odd",
      },
    });
    const { causes } = body.details as { causes: { field: string }[] };
    expect(causes.map(({ field }) => field)).toEqual(["action", "metadata.labels", "type"]);
  });

  it("demands a name in events.k8s.io/v1 together with the other fields", async () => {
    const { body } = await call("POST", "/apis/events.k8s.io/v1/namespaces/default/events", { body: null });
    expect(body.message).toBe(
      'Event "" is invalid: [metadata.name: Required value: name or generateName is required, eventTime: Required value, type: Invalid value: "": has invalid value: ]',
    );
  });
});

describe("lists of Events with resourceVersion=0, which Kubernetes does not cache", () => {
  const EVENTS = "/apis/events.k8s.io/v1/namespaces/kube-public/events";

  it("have a limit, also if a collection is deleted; those of other kinds are whole", async () => {
    for (const name of ["a", "b"]) {
      const involvedObject = { kind: "Pod", namespace: "kube-public", name };
      const body = { metadata: { name, namespace: "kube-public" }, involvedObject };
      await call("POST", "/api/v1/namespaces/kube-public/events", { body });
      const map = { metadata: { name }, data: { a: "b" } };
      await call("POST", "/api/v1/namespaces/kube-public/configmaps", { body: map });
    }
    for (const [method, query] of [
      ["GET", "limit=1&resourceVersion=0"],
      ["GET", "limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan"],
      ["DELETE", "limit=1&resourceVersion=0"],
    ] as const) {
      const options = method === "DELETE" ? { body: { dryRun: ["All"] } } : {};
      const { body } = await call(method, `${EVENTS}?${query}`, options);
      expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(["a"]);
      expect(body.metadata).toMatchObject({ continue: expect.any(String), remainingItemCount: 1 });
      const next = encodeURIComponent(body.metadata.continue as string);
      const { body: rest } = await call("GET", `${EVENTS}?limit=1&resourceVersion=0&continue=${next}`);
      expect(rest.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(["b"]);
      const { body: maps } = await call(method, `/api/v1/namespaces/kube-public/configmaps?${query}`, options);
      expect(maps.items.length).toBeGreaterThan(1);
    }
    const { body: all } = await call("GET", `${EVENTS}?resourceVersion=0`);
    expect(all.items).toHaveLength(2);
  });
});

describe("validation", () => {
  it("shows a quantity that a patch sets to the number 0 with the text that Go keeps", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/data" } };
    await call("POST", "/api/v1/persistentvolumes", { body: { metadata: { name: "v" }, spec } });
    for (const type of ["application/strategic-merge-patch+json", "application/merge-patch+json"]) {
      const patch = { spec: { capacity: { a: 0 } } };
      const { body } = await call("PATCH", "/api/v1/persistentvolumes/v", { body: patch, type });
      expect(body.message).toContain(
        'core.ResourceList{"a":resource.Quantity{i:resource.int64Amount{value:0, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"0", Format:"DecimalSI"}',
      );
    }
  });

  it("rejects an invalid name in nodePublishSecretRef of a CSI volume", async () => {
    const csi = { driver: "d.example.com", nodePublishSecretRef: { name: "Odd" } };
    const spec = { containers: [{ name: "m", image: "i" }], volumes: [{ name: "v", csi }] };
    const { body } = await call("POST", `${CORE}/podtemplates`, {
      body: { metadata: { name: "t" }, template: { spec } },
    });
    expect(body.message).toContain('template.spec.volumes[0].csi.name: Invalid value: "Odd": a lowercase RFC 1123');
  });

  it("warns of overlapping paths before missing sources of a projected volume", async () => {
    const token = { serviceAccountToken: { path: "t" } };
    const volumes = [{ name: "v", projected: { sources: [token, token, {}] } }];
    const spec = { containers: [{ name: "m", image: "i" }], volumes };
    const body = { metadata: { name: "t" }, template: { spec } };
    const { headers } = await call("POST", `${CORE}/podtemplates?dryRun=All`, { body });
    expect(String(headers.warning)).toMatch(/overlapping paths.*has no sources provided/s);
  });

  it("reports a storage capacity beyond 64 bits with the overflowed value", async () => {
    const spec = {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "9223372036854775808" },
      hostPath: { path: "/x" },
    };
    const { body } = await call("POST", "/api/v1/persistentvolumes", { body: { metadata: { name: "huge" }, spec } });
    expect(body.message).toContain("Invalid value: -9223372036854775808: must be a valid resource quantity");
  });

  it("accepts a storage capacity beyond 64 bits that has few digits, as kube-apiserver does", async () => {
    const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "12E" }, hostPath: { path: "/x" } };
    const body = { metadata: { name: "exabytes" }, spec };
    const created = await call("POST", "/api/v1/persistentvolumes?dryRun=All", { body });
    expect(created.body.spec?.capacity, created.text).toEqual({ storage: "12E" });
  });

  it("does not escape the name of an unknown field in a strategic merge patch", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "quoted" } } });
    const type = "application/strategic-merge-patch+json";
    const patch = { body: { 'a"b': 1 }, type };
    const { body } = await call("PATCH", `${CORE}/configmaps/quoted?fieldValidation=Strict`, patch);
    expect(body.message).toContain('strict decoding error: unknown field "a"b"');
  });
});
