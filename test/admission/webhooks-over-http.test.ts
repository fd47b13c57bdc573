import { describe, expect, it } from "vitest";
import { planeWithWebhooks } from "./plane-with-webhooks.ts";
import { patchOf } from "./registered-webhooks.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

const { call, hooks, webhook, withWebhooks } = await planeWithWebhooks();

const map = (name: string, data: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
const create = (name: string, query = "?dryRun=All", data: object = {}) =>
  call("POST", `${MAPS}${query}`, { body: map(name, data) });

describe("a validating webhook", () => {
  it("receives an AdmissionReview and may admit the request with warnings", async () => {
    hooks.replies["/see"] = () => ({ allowed: true, warnings: ["mind the gap"] });
    await withWebhooks("Validating", [webhook("/see", { timeoutSeconds: 7 })], async () => {
      const answer = await create("seen", "?fieldManager=me", { a: "1" });
      expect(answer.status).toBe(201);
      expect(answer.headers.warning).toBe('299 - "mind the gap"');
      expect(hooks.asked).toMatchObject([
        {
          path: "/see?timeout=7s",
          kind: "AdmissionReview",
          apiVersion: "admission.k8s.io/v1",
          request: {
            uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
            kind: { group: "", version: "v1", kind: "ConfigMap" },
            resource: { group: "", version: "v1", resource: "configmaps" },
            requestKind: { group: "", version: "v1", kind: "ConfigMap" },
            name: "seen",
            namespace: "default",
            operation: "CREATE",
            userInfo: { groups: expect.arrayContaining(["system:masters"]) },
            object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "seen" }, data: { a: "1" } },
            oldObject: null,
            dryRun: false,
            options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "me" },
          },
        },
      ]);
      await call("DELETE", `${MAPS}/seen`);
      expect(hooks.asked.at(-1)?.request).toMatchObject({
        operation: "DELETE",
        object: null,
        oldObject: { data: { a: "1" } },
      });
    });
  });

  it.each([
    [{}, 400, undefined, 'admission webhook "no.example.com" denied the request without explanation'],
    [
      { status: { message: "too big", code: 413, reason: "RequestEntityTooLarge" } },
      413,
      "RequestEntityTooLarge",
      'admission webhook "no.example.com" denied the request: too big',
    ],
    [
      { status: { reason: "Gone", code: 200, status: "Success" } },
      400,
      "Gone",
      'admission webhook "no.example.com" denied the request: Gone',
    ],
  ])("refuses in its own words: %j", async (reply, code, reason, message) => {
    hooks.replies["/no"] = () => ({ allowed: false, ...reply });
    await withWebhooks("Validating", [webhook("/no")], async () => {
      const refused = await create("refused");
      expect(refused.status).toBe(code);
      expect(refused.body).toMatchObject({ status: "Failure", message, code, ...(reason && { reason }) });
    });
  });

  it("that returns an invalid response fails the request, unless failurePolicy is Ignore", async () => {
    hooks.replies["/odd"] = ({ request }) => {
      switch (request.name) {
        case "status":
          return { raw: "boom", status: 500 };
        case "missing":
          return { raw: "", status: 404 };
        case "version":
          return { raw: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v7","response":{}}' };
        case "older":
          return { raw: '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","response":{}}' };
        case "list":
          return { raw: "[]" };
        case "text":
          return { raw: "not json" };
        case "empty":
          return { raw: "{}" };
        case "uid":
          return { allowed: true, uid: "other" };
        default:
          return { allowed: true, patch: "W10=", patchType: "JSONPatch" };
      }
    };
    const failed = (why: string) => `Internal error occurred: failed calling webhook "odd.example.com": ${why}`;
    await withWebhooks("Validating", [webhook("/odd")], async () => {
      const messageFor = async (name: string) => (await create(name)).body.message;
      expect(await messageFor("status")).toBe(
        failed('failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding'),
      );
      expect(await messageFor("missing")).toBe(
        failed("failed to call webhook: the server could not find the requested resource"),
      );
      expect(await messageFor("version")).toBe(
        failed(
          'failed to call webhook: no kind "AdmissionReview" is registered for version "admission.k8s.io/v7" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"',
        ),
      );
      expect(await messageFor("older")).toBe(
        failed(
          "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
        ),
      );
      expect(await messageFor("list")).toContain(
        "failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value",
      );
      expect(await messageFor("text")).toContain(
        "failed to call webhook: couldn't get version/kind; json parse error:",
      );
      expect(await messageFor("empty")).toBe(failed("received invalid webhook response: webhook response was absent"));
      expect(await messageFor("uid")).toMatch(/expected response\.uid="[0-9a-f-]+", got "other"$/);
      expect(await messageFor("patch")).toBe(
        failed("received invalid webhook response: validating webhook may not return response.patch"),
      );
    });
    await withWebhooks("Validating", [webhook("/odd", { failurePolicy: "Ignore" })], async () => {
      expect((await create("status")).status).toBe(201);
      expect((await create("uid")).status).toBe(201);
    });
  });

  it("fails if it cannot be reached, has an untrusted certificate or times out", async () => {
    hooks.replies["/slow"] = () => "silence";
    const unreachable = webhook("/gone", { clientConfig: { url: "https://127.0.0.1:9/hook" } });
    await withWebhooks("Validating", [unreachable], async () => {
      expect((await create("x")).body.message).toBe(
        'Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: Post "https://127.0.0.1:9/hook?timeout=10s": dial tcp 127.0.0.1:9: connect: connection refused',
      );
    });
    await withWebhooks("Validating", [webhook("/see", { clientConfig: { url: `${hooks.url}/see` } })], async () => {
      expect((await create("x")).body.message).toContain(
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
      );
    });
    await withWebhooks("Validating", [webhook("/slow", { timeoutSeconds: 1 })], async () => {
      expect((await create("x")).body.message).toContain('/slow?timeout=1s": context deadline exceeded');
    });
  });

  it("sees new objects before they get what Kubernetes sets when it reads them", async () => {
    const resources = ["persistentvolumeclaims", "jobs"];
    const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources }];
    const container = { name: "c", image: "i" };
    const template = { spec: { restartPolicy: "Never", containers: [container] } };
    await withWebhooks("Validating", [webhook("/see", { rules })], async () => {
      const claim = await call("POST", "/api/v1/namespaces/default/persistentvolumeclaims", {
        body: {
          metadata: { name: "seen" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      });
      const job = await call("POST", "/apis/batch/v1/namespaces/default/jobs", {
        body: { metadata: { name: "seen" }, spec: { template } },
      });
      expect(hooks.asked.map(({ request }) => request.object.status)).toEqual([{}, {}]);
      expect(hooks.asked[1]?.request.object.metadata).not.toHaveProperty("labels");
      expect(claim.body.status).toEqual({ phase: "Pending" });
      expect(job.body.metadata.labels).toEqual(job.body.spec.template.metadata.labels);
    });
  });

  it("may delay a write until its request has timed out: the write is given up", async () => {
    hooks.replies["/slow"] = () => "silence";
    for (const kind of ["Validating", "Mutating"] as const) {
      await withWebhooks(kind, [webhook("/slow", { timeoutSeconds: 1, failurePolicy: "Ignore" })], async () => {
        const late = await call("POST", `${MAPS}?timeout=100ms`, { body: { metadata: { name: "late" } } });
        expect([late.status, late.body.reason]).toEqual([504, "Timeout"]);
        expect((await create(`later-${kind.toLowerCase()}`)).status).toBe(201);
        expect((await call("GET", `${MAPS}/late`)).status).toBe(404);
      });
    }
  });

  it("is called at its path without repeated and trailing slashes", async () => {
    const odd = webhook("/see", { clientConfig: { url: `${hooks.url}//see/`, caBundle: hooks.caBundle } });
    await withWebhooks("Validating", [odd], async () => {
      await call("POST", `${MAPS}?dryRun=All`, { body: { metadata: { name: "seen" } } });
      expect(hooks.asked.map(({ path }) => path)).toEqual(["/see?timeout=10s"]);
    });
  });

  it("receives the options of a patch as those of an update", async () => {
    hooks.replies["/see"] = () => ({ allowed: true });
    await call("POST", MAPS, { body: map("patched") });
    await withWebhooks("Validating", [webhook("/see")], async () => {
      await call("PATCH", `${MAPS}/patched?fieldManager=a&fieldValidation=Strict`, {
        type: "application/merge-patch+json",
        body: { data: { a: "1" } },
      });
      await call("PATCH", `${MAPS}/patched?fieldManager=b&force=true`, {
        type: "application/apply-patch+yaml",
        body: map("patched", { a: "2" }),
      });
      expect(hooks.asked.map(({ request }) => request.options)).toEqual([
        { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "a", fieldValidation: "Strict" },
        { kind: "UpdateOptions", apiVersion: "meta.k8s.io/v1", fieldManager: "b" },
      ]);
    });
  });

  it("is reached through its Service", async () => {
    const service = { name: "hooks", namespace: "default", path: "/see", port: hooks.port };
    const byService = webhook("/see", { clientConfig: { service, caBundle: hooks.caBundle } });
    await withWebhooks("Validating", [byService], async () => {
      expect((await create("x")).body.message).toContain(
        `Post "https://hooks.default.svc:${hooks.port}/see?timeout=10s": service "hooks" not found`,
      );
      const created = await call("POST", "/api/v1/namespaces/default/services", {
        body: {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "hooks" },
          spec: { type: "ExternalName", externalName: "localhost", ports: [{ port: hooks.port }] },
        },
      });
      expect(created.status).toBe(201);
      expect((await create("x")).status).toBe(201);
      expect(hooks.asked.map(({ path }) => path)).toEqual(["/see?timeout=10s"]);
    });
  });

  it("is called for a dry run, in the first AdmissionReview version that both sides support", async () => {
    hooks.replies["/see"] = () => ({ allowed: true });
    const beta = { sideEffects: "NoneOnDryRun", admissionReviewVersions: ["v2", "v1beta1", "v1"] };
    await withWebhooks("Validating", [webhook("/see", beta)], async () => {
      expect((await create("x")).status).toBe(201);
      expect(hooks.asked).toMatchObject([{ apiVersion: "admission.k8s.io/v1beta1", request: { dryRun: true } }]);
    });
  });

  it("is called only for requests that its selectors, conditions and rules match", async () => {
    hooks.replies["/no"] = () => ({ allowed: false });
    const selective = webhook("/no", {
      matchConditions: [
        { name: "not-free", expression: "object == null || object.metadata.name != 'free'" },
        { name: "allowed", expression: "authorizer.requestResource.check('create').allowed()" },
      ],
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
    });
    await withWebhooks("Validating", [selective], async () => {
      expect((await create("caught")).status).toBe(400);
      expect((await create("free")).status).toBe(201);
      const elsewhere = await call("POST", "/api/v1/namespaces/kube-system/configmaps?dryRun=All", {
        body: map("caught"),
      });
      expect(elsewhere.status).toBe(201);
    });
    const labelled = webhook("/no", {
      namespaceSelector: { matchLabels: { chosen: "yes" } },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["namespaces"] }],
    });
    await withWebhooks("Validating", [labelled], async () => {
      const createNamespace = (chosen: string) =>
        call("POST", "/api/v1/namespaces?dryRun=All", {
          body: { metadata: { generateName: "unnamed-", labels: { chosen } } },
        });
      expect((await createNamespace("yes")).status).toBe(400);
      expect((await createNamespace("no")).status).toBe(201);
    });
    const broken = { matchConditions: [{ name: "broken", expression: "object.data.missing == ''" }] };
    await withWebhooks("Validating", [webhook("/no", broken)], async () => {
      const refused = await create("x", "?dryRun=All", { a: "1" });
      expect(refused.status).toBe(403);
      expect(refused.body.message).toBe(
        `configmaps "x" is forbidden: expression 'object.data.missing == ''' resulted in error: no such key: missing`,
      );
    });
  });
});

describe("metrics of webhooks", () => {
  it("contain durations and results; time in webhooks does not count as latency of the server", async () => {
    const webhooks = [
      webhook("/counted", { name: "counted.example.com" }),
      webhook("/broken", { name: "broken.example.com", failurePolicy: "Ignore" }),
    ];
    hooks.replies["/counted"] = ({ request }) => ({ allowed: request.name !== "no", status: { code: 418 } });
    hooks.replies["/broken"] = () => ({ raw: "", status: 404 });
    await withWebhooks("Validating", webhooks, async () => {
      await call("POST", MAPS, { body: map("counted") });
      await call("POST", MAPS, { body: map("no") });
      await call("DELETE", `${MAPS}/counted`);
    });
    const { text } = await call("GET", "/metrics");
    const sample = (name: string, ...labels: string[]) => {
      const line = text
        .split("\n")
        .find((each) => each.startsWith(`${name}{`) && labels.every((l) => each.includes(l)));
      return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(" ")));
    };
    const counted = ['name="counted.example.com"', 'type="validating"', 'operation="CREATE"'];
    const [passed, refused] = ['rejected="false"', 'rejected="true"'];
    expect(sample("apiserver_admission_webhook_request_total", ...counted, 'code="200"', passed)).toBe(1);
    expect(sample("apiserver_admission_webhook_request_total", ...counted, 'code="418"', refused)).toBe(1);
    expect(sample("apiserver_admission_webhook_admission_duration_seconds_count", ...counted, passed)).toBe(1);
    expect(sample("apiserver_admission_webhook_admission_duration_seconds_sum", ...counted, passed)).toBeGreaterThan(0);
    const rejection = ['error_type="no_error"', 'rejection_code="418"'];
    expect(sample("apiserver_admission_webhook_rejection_count", ...counted, ...rejection)).toBe(1);
    const broken = ['name="broken.example.com"', 'type="validating"'];
    expect(sample("apiserver_admission_webhook_fail_open_count", ...broken)).toBe(3);
    expect(sample("apiserver_admission_webhook_request_total", ...broken, 'code="404"', passed)).toBe(2);
    const deletions = ['verb="DELETE"', 'resource="configmaps"'];
    const all = sample("apiserver_request_duration_seconds_sum", ...deletions) ?? 0;
    const own = sample("apiserver_request_sli_duration_seconds_sum", ...deletions) ?? 0;
    expect(own).toBeGreaterThan(0);
    expect(all - own).toBeGreaterThan(0);
  });
});

describe("a mutating webhook", () => {
  it("changes the object, which is then defaulted and validated", async () => {
    hooks.replies["/change"] = ({ request }) =>
      request.name === "bad"
        ? patchOf({ op: "add", path: "/data/no~1key", value: "x" })
        : patchOf({ op: "add", path: "/data/added", value: "2" }, { op: "add", path: "/unknown", value: 1 });
    await withWebhooks("Mutating", [webhook("/change")], async () => {
      const changed = await create("changed", "?dryRun=All", { a: "1" });
      expect(changed.status, JSON.stringify(changed.body)).toBe(201);
      expect(changed.body.data).toEqual({ a: "1", added: "2" });
      expect(changed.body.unknown).toBeUndefined();
      expect((await create("bad", "?dryRun=All", { a: "1" })).status).toBe(422);
    });
  });

  it("sees changes of earlier webhooks, and with IfNeeded those of later ones", async () => {
    hooks.replies["/first"] = ({ request }) =>
      request.object.data.second === undefined
        ? { allowed: true }
        : patchOf({ op: "add", path: "/data/third", value: "3" });
    hooks.replies["/second"] = () => patchOf({ op: "add", path: "/data/second", value: "2" });
    const order = () => hooks.asked.map(({ path }) => path.split("?")[0]);
    await withWebhooks(
      "Mutating",
      [webhook("/first", { reinvocationPolicy: "IfNeeded" }), webhook("/second")],
      async () => {
        const changed = await create("again", "?dryRun=All", { a: "1" });
        expect(changed.body.data).toEqual({ a: "1", second: "2", third: "3" });
        expect(order()).toEqual(["/first", "/second", "/first"]);
      },
    );
    hooks.asked.length = 0;
    await withWebhooks("Mutating", [webhook("/first"), webhook("/second")], async () => {
      const changed = await create("once", "?dryRun=All", { a: "1" });
      expect(changed.body.data).toEqual({ a: "1", second: "2" });
      expect(order()).toEqual(["/first", "/second"]);
    });
  });

  it("may reject a request, and cannot change an object that is deleted", async () => {
    hooks.replies["/change"] = ({ request }) =>
      request.operation === "CREATE"
        ? { allowed: request.name !== "denied", status: { message: "no" } }
        : patchOf({ op: "add", path: "/data/x", value: "1" });
    await withWebhooks("Mutating", [webhook("/change")], async () => {
      expect((await create("denied")).body.message).toBe(
        'admission webhook "change.example.com" denied the request: no',
      );
      await create("kept", "", { a: "1" });
      expect((await call("DELETE", `${MAPS}/kept`)).body.message).toBe(
        'Internal error occurred: admission webhook "change.example.com" attempted to modify the object, which is not supported for this operation',
      );
    });
    expect((await call("DELETE", `${MAPS}/kept`)).status).toBe(200);
  });

  it("whose patch cannot be applied fails the request", async () => {
    hooks.replies["/change"] = () => patchOf({ op: "remove", path: "/data/missing" });
    await withWebhooks("Mutating", [webhook("/change")], async () => {
      const refused = await create("x", "?dryRun=All", { a: "1" });
      expect(refused.status).toBe(500);
      expect(refused.body.message).toBe(
        "Internal error occurred: error in remove for path: '/data/missing': Unable to remove nonexistent key: missing: missing value",
      );
    });
  });

  it("that changes the name of an applied object does not cause endless retries", async () => {
    await call("POST", MAPS, { body: { metadata: { name: "taken" } } });
    hooks.replies["/rename"] = () => patchOf({ op: "replace", path: "/metadata/name", value: "taken" });
    const configuration = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fresh" } };
    await withWebhooks("Mutating", [webhook("/rename")], async () => {
      const refused = await call("PATCH", `${MAPS}/fresh?fieldManager=a`, {
        type: "application/apply-patch+yaml",
        body: configuration,
      });
      expect(refused.body).toMatchObject({ code: 409, reason: "AlreadyExists" });
      expect(hooks.asked.findLast(({ request }) => request.name === "fresh")?.request.options).toEqual({
        kind: "CreateOptions",
        apiVersion: "meta.k8s.io/v1",
        fieldManager: "a",
      });
    });
  });
});
