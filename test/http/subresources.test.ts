import { describe, expect, it } from "vitest";
import { issueCertificateRequest } from "../fixtures/certificate-request.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call, running } = servePlane({ "disable-admission-plugins": "ServiceAccount" });

const PODS = "/api/v1/namespaces/default/pods";
const pod = (name: string, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: { containers: [{ name: "main", image: "registry.invalid/app:1" }], ...spec },
});

describe("subresources of a pod", () => {
  it("bind only a pod with the resourceVersion of the binding, and replace its condition where it stands", async () => {
    const { body: created } = await call("POST", PODS, { body: pod("versioned") });
    const bind = (metadata: object, query = "") =>
      call("POST", `${PODS}/versioned/binding${query}`, {
        body: { metadata: { name: "versioned", ...metadata }, target: { kind: "Node", name: "n" } },
      });
    const refused = (prefix: string) =>
      `Operation cannot be fulfilled on pods "versioned": StorageError: invalid object, Code: 4, Key: ${prefix}/pods/default/versioned, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${created.metadata.resourceVersion}`;
    expect((await bind({ resourceVersion: "1" })).body).toMatchObject({ code: 409, message: refused("/registry") });
    expect((await bind({ resourceVersion: "1" }, "?dryRun=All")).body.message).toBe(refused(""));

    const before = {
      type: "PodScheduled",
      status: "True",
      lastTransitionTime: "2024-01-01T00:00:00Z",
      reason: "Early",
    };
    const { body: updated } = await call("PATCH", `${PODS}/versioned/status`, {
      type: "application/merge-patch+json",
      body: { status: { conditions: [before, { type: "Ready", status: "False" }] } },
    });
    const { resourceVersion, uid } = updated.metadata;
    expect((await bind({ resourceVersion, uid })).status).toBe(201);
    const { body: bound } = await call("GET", `${PODS}/versioned`);
    expect(bound.status.conditions).toEqual([
      { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: "2024-01-01T00:00:00Z" },
      { type: "Ready", status: "False", lastProbeTime: null, lastTransitionTime: null },
    ]);
  });

  it("bind, add ephemeral containers, resize and evict", async () => {
    await call("POST", PODS, { body: pod("whole") });
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "whole" },
      target: { kind: "Node", name: "n" },
    };
    expect((await call("POST", `${PODS}/whole/binding`, { body: binding })).body).toMatchObject({ status: "Success" });
    expect((await call("POST", `${PODS}/whole/binding`, { body: binding })).body).toMatchObject({
      code: 409,
      message: expect.stringContaining('pod whole is already assigned to node "n"'),
    });

    const type = "application/strategic-merge-patch+json";
    const ephemeralContainers = [{ name: "debug", image: "registry.invalid/debug:1" }];
    const direct = await call("PATCH", `${PODS}/whole`, { type, body: { spec: { ephemeralContainers } } });
    expect(direct.status).toBe(422);
    const debugged = await call("PATCH", `${PODS}/whole/ephemeralcontainers`, {
      type,
      body: { spec: { ephemeralContainers } },
    });
    expect(debugged.body.spec.ephemeralContainers).toMatchObject(ephemeralContainers);

    const resources = { requests: { cpu: "100m" } };
    await call("POST", PODS, { body: pod("sized", { containers: [{ name: "main", image: "i", resources }] }) });
    const larger = { spec: { containers: [{ name: "main", resources: { requests: { cpu: "200m" } } }] } };
    expect((await call("PATCH", `${PODS}/sized`, { type, body: larger })).status).toBe(422);
    const resized = await call("PATCH", `${PODS}/sized/resize`, { type, body: larger });
    expect(resized.body.spec.containers[0].resources.requests).toEqual({ cpu: "200m" });

    const applied = { apiVersion: "v1", kind: "Pod", metadata: { name: "sized" }, ...larger };
    const owned = await call("PATCH", `${PODS}/sized/resize?fieldManager=a&force=true`, {
      type: "application/apply-patch+yaml",
      body: applied,
    });
    const entry = owned.body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === "a");
    expect(entry.fieldsV1["f:spec"]["f:containers"]).toEqual({
      'k:{"name":"main"}': { ".": {}, "f:name": {}, "f:resources": { "f:requests": { "f:cpu": {} } } },
    });

    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "sized" } };
    expect((await call("POST", `${PODS}/sized/eviction`, { body: eviction })).status).toBe(201);
    expect((await call("GET", `${PODS}/sized`)).status).toBe(404);
  });

  it("that need a node get 400 or 503 without a reachable node", async () => {
    await call("POST", PODS, { body: pod("idle") });
    for (const part of ["exec?command=ls&stdout=1", "attach?stdout=1", "portforward?ports=80"]) {
      expect((await call("GET", `${PODS}/idle/${part}`)).body).toMatchObject({
        code: 400,
        message: "pod idle does not have a host assigned",
      });
    }
    expect((await call("GET", `${PODS}/idle/log`)).status).toBe(204);
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "n" } } });
    await call("POST", PODS, { body: pod("placed", { nodeName: "n" }) });
    expect((await call("GET", `${PODS}/placed/log`)).body).toMatchObject({ code: 503, reason: "ServiceUnavailable" });
    expect((await call("POST", `${PODS}/placed/exec?command=ls&stdout=1`)).body).toMatchObject({ code: 503 });
    expect((await call("GET", `${PODS}/absent/log`)).body).toMatchObject({ code: 404, reason: "NotFound" });
  });
});

describe("subresources", () => {
  it("validate names, options and nodes before they connect", async () => {
    await call("POST", PODS, { body: pod("there", { nodeName: "absent" }) });
    const answers = async (path: string, body?: object) => {
      const answer = await call(body === undefined ? "GET" : "POST", `${PODS}/there/${path}`, { body });
      return [answer.status, answer.body.message];
    };
    for (const path of ["log", "exec?command=x", "attach", "portforward"])
      expect(await answers(path)).toEqual([404, 'pods "absent" not found']);
    expect(await answers("attach?container=no")).toEqual([400, "container no is not valid for pod there"]);
    expect(await answers("portforward?ports=x")).toEqual([
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
    ]);
    expect(await answers("log?sinceTime=x")).toEqual([
      400,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ]);
    expect(await answers("log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z")).toEqual([
      422,
      'PodLogOptions "there" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ]);
    expect(await answers("eviction", {})).toEqual([400, "name in URL does not match name in Eviction object"]);
    expect(await answers("binding", {})).toEqual([400, "name in URL does not match name in Binding object"]);
    const former = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name: "there" } };
    expect((await answers("eviction?dryRun=All", former))[0]).toBe(201);
  });

  it("approve CertificateSigningRequests", async () => {
    const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    const body = {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: "please" },
      spec: {
        request: issueCertificateRequest(),
        signerName: "example.com/signer",
        usages: ["client auth"],
      },
    };
    const created = await call("POST", requests, { body });
    expect(created.status).toBe(201);
    const conditions = [{ type: "Approved", status: "True", reason: "Why", message: "not" }];
    const viaStatus = await call("PUT", `${requests}/please/status`, {
      body: { ...created.body, status: { conditions } },
    });
    expect(viaStatus.status).toBe(422);
    const approved = await call("PUT", `${requests}/please/approval`, {
      body: { ...created.body, status: { conditions } },
    });
    expect(approved.body.status.conditions[0]).toMatchObject(conditions[0] ?? {});
  });

  it("finalize namespaces", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "leaving" } };
    const { body } = await call("POST", "/api/v1/namespaces", { body: namespace });
    expect(body.spec.finalizers).toEqual(["kubernetes"]);
    const deleted = await call("DELETE", "/api/v1/namespaces/leaving");
    expect(deleted.body.status.phase).toBe("Terminating");
    const done = await call("PUT", "/api/v1/namespaces/leaving/finalize", {
      body: { ...deleted.body, spec: { finalizers: [] } },
    });
    expect(done.status).toBe(200);
    expect((await call("GET", "/api/v1/namespaces/leaving")).status).toBe(404);
  });

  it("finalize a namespace before it is deleted, which then terminates first", async () => {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "unheld" } };
    await call("POST", "/api/v1/namespaces", { body: namespace });
    await call("PUT", "/api/v1/namespaces/unheld/finalize", { body: namespace });
    expect((await call("DELETE", "/api/v1/namespaces/unheld")).body).toMatchObject({
      kind: "Namespace",
      status: { phase: "Terminating" },
    });
    const event = { metadata: { name: "late" }, regarding: {}, reportingController: "c" };
    const late = await call("POST", "/apis/events.k8s.io/v1/namespaces/unheld/events", { body: event });
    expect(late.body.message).toBe(
      'events.events.k8s.io "late" is forbidden: unable to create new content in namespace unheld because it is being terminated',
    );
    expect((await call("DELETE", "/api/v1/namespaces/unheld")).body.status).toBe("Success");
  });
});

describe("reviews", () => {
  const ask = (group: string, kind: string, spec: object, path = "") =>
    call("POST", `/apis/${group}/v1${path}/${kind.toLowerCase()}s`, {
      body: { apiVersion: `${group}/v1`, kind, spec },
    });
  const authorization = "authorization.k8s.io";
  const resourceAttributes = { namespace: "default", verb: "get", resource: "pods" };

  it("of authorization report whether a user has permission", async () => {
    const own = await ask(authorization, "SelfSubjectAccessReview", { resourceAttributes });
    expect(own.body.status).toMatchObject({ allowed: true });
    const other = await ask(authorization, "SubjectAccessReview", { resourceAttributes, user: "nobody" });
    expect(other.body.status).toEqual({ allowed: false });
    const local = await ask(
      authorization,
      "LocalSubjectAccessReview",
      { resourceAttributes, user: "nobody" },
      "/namespaces/default",
    );
    expect(local.body.status.allowed).toBe(false);
    const rules = await ask(authorization, "SelfSubjectRulesReview", { namespace: "default" });
    expect(rules.body.status.resourceRules).toContainEqual({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] });
  });

  it("of authentication report the user of a token", async () => {
    const known = await ask("authentication.k8s.io", "TokenReview", { token: running().client.token });
    expect(known.body.status).toMatchObject({ authenticated: true, user: { username: "admin" } });
    const unknown = await ask("authentication.k8s.io", "TokenReview", { token: "x" });
    expect(unknown.body.status.authenticated ?? false).toBe(false);
  });
});

describe("unsupported methods and names in paths", () => {
  it("get 405 with a Status", async () => {
    expect((await call("HEAD", PODS)).status).toBe(405);
    expect((await call("OPTIONS", PODS)).status).toBe(405);
    expect((await call("PUT", PODS)).body).toMatchObject({ kind: "Status", code: 405, reason: "MethodNotAllowed" });
    expect((await call("HEAD", "/version")).status).toBe(405);
  });

  it("are percent-decoded, and invalid names get 400", async () => {
    await call("POST", PODS, { body: pod("plain") });
    expect((await call("GET", `${PODS}/pl%61in`)).body.metadata.name).toBe("plain");
    expect((await call("GET", `${PODS}/a%25b`)).body).toMatchObject({ code: 400, reason: "BadRequest" });
  });
});

describe("the status of a workload", () => {
  const labels = { a: "b" };
  const workload = (kind: string) => ({
    apiVersion: kind === "ReplicationController" ? "v1" : "apps/v1",
    kind,
    metadata: { name: "counted" },
    spec: {
      replicas: 1,
      selector: kind === "ReplicationController" ? labels : { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "m", image: "i", ports: [{ containerPort: 80 }, { containerPort: 80 }] }] },
      },
    },
  });

  it.each(["Deployment", "ReplicaSet"])(
    "drops terminatingReplicas while its feature gate is disabled: %s",
    async (kind) => {
      const path = `/apis/apps/v1/namespaces/default/${kind.toLowerCase()}s`;
      const { body } = await call("POST", path, { body: workload(kind) });
      const status = { replicas: 1, terminatingReplicas: -1 };
      const answer = await call("PUT", `${path}/counted/status`, { body: { ...body, status } });
      expect(answer.status).toBe(200);
      expect(answer.body.status).toEqual({ replicas: 1 });
    },
  );

  it("of a ReplicationController gets no warnings about the template, unlike its scale", async () => {
    const path = "/api/v1/namespaces/default/replicationcontrollers";
    const { body } = await call("POST", path, { body: workload("ReplicationController") });
    const scale = { metadata: { name: "counted" }, spec: { replicas: 3 } };
    const scaled = await call("PUT", `${path}/counted/scale`, { body: scale });
    expect(scaled.status).toBe(200);
    expect(scaled.headers.warning).toContain("duplicate port definition");
    const updated = await call("PUT", `${path}/counted/status`, {
      body: { ...body, metadata: { name: "counted" }, status: { replicas: 1 } },
    });
    expect([updated.status, updated.headers.warning]).toEqual([200, undefined]);
  });
});

describe("PATCH of the scale subresource", () => {
  it("is for the object with the uid that it names only", async () => {
    const path = "/apis/apps/v1/namespaces/default/replicasets";
    const labels = { app: "known" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const created = await call("POST", path, {
      body: { metadata: { name: "known" }, spec: { selector: { matchLabels: labels }, template } },
    });
    expect(created.status).toBe(201);
    const { uid } = created.body.metadata;
    const scale = (metadata: object) =>
      call("PATCH", `${path}/known/scale`, {
        type: "application/merge-patch+json",
        body: { metadata, spec: { replicas: 2 } },
      });
    expect((await scale({ uid: "other" })).body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on replicasets/scale.apps "known": Precondition failed: UID in precondition: other, UID in object meta: ${uid}`,
    });
    expect((await scale({ uid })).status).toBe(200);
  });
});

describe("GET of the scale subresource", () => {
  it("validates the query parameter resourceVersion", async () => {
    const path = "/apis/apps/v1/namespaces/default/deployments/none/scale?resourceVersion=abc";
    expect((await call("GET", path)).body).toMatchObject({
      code: 500,
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    });
  });
});
