import { describe, expect, it } from "vitest";
import { customDefinition } from "../fixtures/custom-definition.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

/** Responses in which single kinds differ from all others, as in Kubernetes. */
const { call } = servePlane();

const CORE = "/api/v1/namespaces/default";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OTHER_UID = "00000000-0000-4000-8000-000000000000";
const TABLE = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
const merge = (body: unknown) => ({ type: "application/merge-patch+json", body });
const apply = (body: unknown) => ({ type: "application/apply-patch+yaml", body });

const definition = (plural: string) =>
  customDefinition(`${plural}.example.com`, plural.toUpperCase(), { type: "object" });

describe("DELETE", () => {
  it("of a Namespace or CustomResourceDefinition has its own message for a failed precondition", async () => {
    const { body: namespace } = await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "kept" } } });
    const { body: made } = await call("POST", DEFINITIONS, { body: definition("pears") });
    const refusal = async (path: string, preconditions: object) =>
      (await call("DELETE", path, { body: { preconditions } })).body.message;
    expect(await refusal("/api/v1/namespaces/kept", { uid: OTHER_UID })).toBe(
      `Operation cannot be fulfilled on namespaces "kept": Precondition failed: UID in precondition: ${OTHER_UID}, UID in object meta: ${namespace.metadata.uid}`,
    );
    expect(await refusal("/api/v1/namespaces/kept", { resourceVersion: "1" })).toBe(
      `Operation cannot be fulfilled on namespaces "kept": Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${namespace.metadata.resourceVersion}`,
    );
    expect(await refusal(`${DEFINITIONS}/pears.example.com`, { uid: OTHER_UID })).toBe(
      `Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io "pears.example.com": Precondition failed: UID in precondition: ${OTHER_UID}, UID in object meta: ${made.metadata.uid}`,
    );
  });

  it("of an Event ignores foreground propagation", async () => {
    const involvedObject = { kind: "Pod", namespace: "default", name: "web" };
    await call("POST", `${CORE}/events`, { body: { metadata: { name: "seen" }, involvedObject } });
    const { body } = await call("DELETE", `${CORE}/events/seen?propagationPolicy=Foreground`);
    expect(body).toMatchObject({ kind: "Status", status: "Success" });
    expect((await call("GET", `${CORE}/events/seen`)).status).toBe(404);
  });
});

describe("the name of a new object", () => {
  it("is set as a label of a Namespace, also if it is generated", async () => {
    const { body } = await call("POST", "/api/v1/namespaces", { body: { metadata: { generateName: "made-" } } });
    expect(body.metadata.labels).toEqual({ "kubernetes.io/metadata.name": body.metadata.name });
  });

  it("is generated for a LimitRange without a name", async () => {
    const limits = [{ type: "Pod", max: { cpu: "2" } }];
    const { status, body } = await call("POST", `${CORE}/limitranges`, { body: { metadata: {}, spec: { limits } } });
    expect(status).toBe(201);
    expect(body.metadata.name).toMatch(/^[0-9a-f]{8}-/);
  });

  it.each([
    [DEFINITIONS, { ...definition("plums"), metadata: {} }],
    [
      "/apis/events.k8s.io/v1/namespaces/default/events",
      {
        metadata: {},
        eventTime: "2024-01-01T00:00:00.000000Z",
        action: "a",
        reason: "r",
        reportingController: "example.com/c",
        reportingInstance: "i",
        type: "Normal",
        regarding: { kind: "Pod", namespace: "default", name: "x" },
      },
    ],
  ])("is reported as required by a single cause if it is missing: %s", async (path, body) => {
    const refused = await call("POST", path, { body });
    expect(refused.body.details.causes).toEqual([
      {
        reason: "FieldValueRequired",
        message: "Required value: name or generateName is required",
        field: "metadata.name",
      },
    ]);
  });
});

describe("objects of another kind than that of the path", () => {
  it("are rejected as not registered, not decodable or not convertible", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "map" }, data: { a: "1" } } });
    const post = async (path: string, body: object) => (await call("POST", path, { body })).body.message;
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data: { a: "1" } };
    expect(await post(`${CORE}/configmaps`, secret)).toBe(
      'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
    );
    expect(await post(`${CORE}/configmaps`, { ...secret, data: {} })).toBe(
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    );
    expect(await post(DEFINITIONS, { ...definition("figs"), kind: "Other" })).toContain(
      'no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55"',
    );
    const patched = async (body: object) =>
      (await call("PATCH", `${CORE}/configmaps/map`, merge(body))).body.details.causes[0].message as string;
    expect(await patched({ kind: "Secret" })).toMatch(/: illegal base64 data at input byte 0$/);
    expect(await patched({ kind: "LimitRange" })).toMatch(
      /: converting \(v1.LimitRange\) to \(core.ConfigMap\): unknown conversion$/,
    );
    expect(await patched({ kind: "Other" })).toMatch(
      /: no kind "Other" is registered for version "v1" in scheme "pkg\/api\/legacyscheme\/scheme.go:30"$/,
    );
  });
});

describe("a write to the status subresource of an absent object", () => {
  it("creates a Service by PUT and apply, a ValidatingAdmissionPolicy by apply only, and no Pod", async () => {
    const service = { apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 80 }] } };
    const put = { body: { ...service, metadata: { name: "put" } } };
    expect((await call("PUT", `${CORE}/services/put/status`, put)).status).toBe(201);
    const applied = apply({ ...service, metadata: { name: "applied" } });
    expect((await call("PATCH", `${CORE}/services/applied/status?fieldManager=a`, applied)).status).toBe(201);
    const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    const rule = { operations: ["CREATE"], apiGroups: ["x"], apiVersions: ["*"], resources: ["x"] };
    const policy = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "policy" },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] },
    };
    expect((await call("PUT", `${policies}/policy/status`, { body: policy })).status).toBe(404);
    expect((await call("PATCH", `${policies}/policy/status?fieldManager=a`, apply(policy))).status).toBe(201);
    const pod = apply({ apiVersion: "v1", kind: "Pod", metadata: { name: "pod" } });
    expect((await call("PATCH", `${CORE}/pods/pod/status?fieldManager=a`, pod)).status).toBe(404);
  });
});

describe("a table", () => {
  it("gets 406 for the status of a CustomResourceDefinition", async () => {
    await call("POST", DEFINITIONS, { body: definition("nuts") });
    const path = `${DEFINITIONS}/nuts.example.com`;
    expect((await call("GET", path, { headers: TABLE })).status).toBe(200);
    expect((await call("GET", `${path}/status`, { headers: TABLE })).status).toBe(406);
  });

  it("of an IPAddress has a cell for the age without a column", async () => {
    const body = { metadata: { name: "10.0.0.99" }, spec: { parentRef: { resource: "services", name: "x" } } };
    const path = "/apis/networking.k8s.io/v1/ipaddresses";
    await call("POST", path, { body });
    for (const shown of [`${path}/10.0.0.99`, `${path}?fieldSelector=metadata.name=10.0.0.99`]) {
      const { columnDefinitions, rows } = (await call("GET", shown, { headers: TABLE })).body;
      expect(columnDefinitions).toHaveLength(2);
      expect(rows[0].cells).toEqual(["10.0.0.99", "services/x", expect.stringMatching(/^\d+s$/)]);
    }
  });
});

it("an update of a CSIStorageCapacity requires a resourceVersion", async () => {
  const path = "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities";
  const body = { metadata: { name: "room" }, storageClassName: "fast" };
  await call("POST", path, { body });
  expect((await call("PUT", `${path}/room`, { body })).body.message).toContain("must be specified for an update");
});

it("a deprecated version sends its warning with a 406 response, too", async () => {
  const refused = await call("GET", `${CORE}/endpoints`, {
    headers: { Accept: "application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1" },
  });
  expect(refused.status).toBe(406);
  expect(refused.headers.warning).toContain("v1 Endpoints is deprecated");
});
