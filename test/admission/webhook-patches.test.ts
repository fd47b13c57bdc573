import { beforeAll, describe, expect, it, vi } from "vitest";
import { planeWithWebhooks } from "./plane-with-webhooks.ts";
import { patchOf } from "./registered-webhooks.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const SCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/example.com/v1/namespaces/default/things";

const { call, hooks, webhook, withWebhooks } = await planeWithWebhooks();

const RULES = [
  {
    apiGroups: ["*"],
    apiVersions: ["*"],
    operations: ["CREATE", "UPDATE"],
    resources: ["configmaps", "horizontalpodautoscalers", "things", "things/status", "serviceaccounts/token"],
  },
];

/** Calls `run` while a mutating webhook changes all objects with these operations. */
async function whilePatched(operations: unknown, run: () => Promise<void>): Promise<void> {
  hooks.replies["/patch"] = () => ({ ...patchOf(), patch: Buffer.from(JSON.stringify(operations)).toString("base64") });
  await withWebhooks("Mutating", [webhook("/patch", { rules: RULES })], run);
}

const replace = (path: string, value: unknown) => [{ op: "replace", path, value }];
const add = (path: string, value: unknown) => [{ op: "add", path, value }];
const createMap = () => call("POST", `${MAPS}?dryRun=All`, { body: { metadata: { name: "new" }, data: { a: "1" } } });

describe("the patch of a webhook for an object of a built-in kind", () => {
  it.each([
    [
      replace("/kind", "Unknown"),
      'no kind "Unknown" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [replace("/kind", "Secret"), "illegal base64 data at input byte 0"],
    [
      replace("/kind", 3),
      "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string",
    ],
    [
      replace("/apiVersion", "v2"),
      'no kind "ConfigMap" is registered for version "v2" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [replace("/apiVersion", "a/b/c"), "unexpected GroupVersion string: a/b/c"],
  ])("must leave it an object of the kind: %j", async (operations, problem) => {
    await whilePatched(operations, async () => {
      expect((await createMap()).body).toMatchObject({ code: 500, message: `Internal error occurred: ${problem}` });
    });
  });

  it("must not make it an object of another kind that fits", async () => {
    await whilePatched([...replace("/kind", "Secret"), { op: "remove", path: "/data" }], async () => {
      expect((await createMap()).body).toMatchObject({
        code: 500,
        message: "converting (v1.Secret) to (core.ConfigMap): unknown conversion",
      });
    });
  });

  it("may remove apiVersion and kind", async () => {
    await whilePatched(
      [
        { op: "remove", path: "/kind" },
        { op: "remove", path: "/apiVersion" },
      ],
      async () => {
        const created = await createMap();
        expect(created.body).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", data: { a: "1" } });
      },
    );
  });

  it("may change it to another version of its kind", async () => {
    const spec = {
      minReplicas: 1,
      maxReplicas: 3,
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
    };
    const operations = [
      ...replace("/apiVersion", "autoscaling/v1"),
      ...add("/spec/targetCPUUtilizationPercentage", 42),
    ];
    await whilePatched(operations, async () => {
      const created = await call("POST", `${SCALERS}?dryRun=All`, { body: { metadata: { name: "new" }, spec } });
      expect(created.status, created.text).toBe(201);
      expect(created.body).toMatchObject({
        apiVersion: "autoscaling/v2",
        spec: { metrics: [{ resource: { name: "cpu", target: { averageUtilization: 42 } } }] },
      });
    });
  });

  it("that is null changes nothing", async () => {
    await whilePatched(null, async () => expect((await createMap()).status).toBe(201));
  });

  it("cannot move it to another namespace, and may leave the namespace out", async () => {
    await call("POST", MAPS, { body: { metadata: { name: "live" } } });
    const update = () =>
      call("PUT", `${MAPS}/live?dryRun=All`, { body: { metadata: { name: "live" }, data: { a: "2" } } });
    await whilePatched(replace("/metadata/namespace", "other"), async () => {
      expect((await update()).body).toMatchObject({
        code: 400,
        message: "the namespace of the provided object does not match the namespace sent on the request",
      });
    });
    await whilePatched([{ op: "remove", path: "/metadata/namespace" }], async () => {
      expect((await update()).body).toMatchObject({ metadata: { namespace: "default" }, data: { a: "2" } });
    });
  });

  it("cannot make its managedFields invalid", async () => {
    await whilePatched(add("/metadata/managedFields", [{ manager: "m", operation: "Wrong" }]), async () => {
      const created = await createMap();
      expect(created.headers.warning).toBe(
        '299 - ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: operation must be `Apply` or `Update`"',
      );
      expect(created.body.metadata.managedFields).toMatchObject([{ manager: "tests", operation: "Update" }]);
    });
    await whilePatched(add("/metadata/managedFields", []), async () => {
      const created = await createMap();
      expect(created.headers.warning).toBeUndefined();
      expect(created.body.metadata.managedFields).toBeUndefined();
    });
  });
});

describe("the patch of a webhook for the object of a subresource", () => {
  const requestToken = () =>
    call("POST", "/api/v1/namespaces/default/serviceaccounts/default/token?dryRun=All", { body: { spec: {} } });

  it("must leave it an object of the kind", async () => {
    await whilePatched(replace("/kind", "Unknown"), async () => {
      expect((await requestToken()).body).toMatchObject({
        code: 500,
        message:
          'Internal error occurred: no kind "Unknown" is registered for version "authentication.k8s.io/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
      });
    });
    await whilePatched(replace("/spec/expirationSeconds", "long"), async () => {
      expect((await requestToken()).body.message).toContain("json: cannot unmarshal string into Go struct field");
    });
  });

  it("may change it", async () => {
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "default" } } });
    await whilePatched(replace("/spec/expirationSeconds", 700), async () => {
      expect((await requestToken()).body).toMatchObject({ kind: "TokenRequest", spec: { expirationSeconds: 700 } });
    });
  });
});

describe("the patch of a webhook for an object of a custom kind", () => {
  const createThing = () => call("POST", `${THINGS}?dryRun=All`, { body: thing("new") });
  const thing = (name: string) => ({
    apiVersion: "example.com/v1",
    kind: "Thing",
    metadata: { name },
    spec: { size: 1 },
  });

  beforeAll(async () => {
    const schema = {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
      },
    };
    const version = (name: string, storage: boolean) => ({
      name,
      served: true,
      storage,
      schema,
      subresources: { status: {} },
    });
    await call("POST", CRDS, {
      body: {
        metadata: { name: "things.example.com" },
        spec: {
          group: "example.com",
          scope: "Namespaced",
          names: { plural: "things", kind: "Thing" },
          versions: [version("v1", true), version("v2", false)],
        },
      },
    });
    await vi.waitFor(async () => expect((await call("POST", THINGS, { body: thing("live") })).status).toBe(201));
  });

  it.each([
    [replace("/kind", "Other"), 422, 'Other.example.com "new" is invalid: kind: Invalid value: "Other": must be Thing'],
    [
      replace("/apiVersion", "v1"),
      500,
      '/v1, Kind=Thing is unstructured and is not suitable for converting to "example.com/v1"',
    ],
    [
      replace("/apiVersion", "example.com/v3"),
      500,
      "request to convert CR from an invalid group/version: example.com/v3",
    ],
    [replace("", {}), 500, "Internal error occurred: Object 'Kind' is missing in '{}'"],
  ])("must leave it an object of the kind: %j", async (operations, code, message) => {
    await whilePatched(operations, async () => {
      expect((await createThing()).body).toMatchObject({ code, message });
    });
  });

  it("may change it to another version of its kind", async () => {
    await whilePatched([...replace("/apiVersion", "example.com/v2"), ...replace("/spec/size", 2)], async () => {
      expect((await createThing()).body).toMatchObject({ apiVersion: "example.com/v1", spec: { size: 2 } });
    });
  });

  it("cannot change the kind of one whose status is written", async () => {
    await whilePatched(replace("/kind", "Other"), async () => {
      const written = await call("PATCH", `${THINGS}/live/status?dryRun=All`, {
        type: "application/merge-patch+json",
        body: { status: {} },
      });
      expect(written.body).toMatchObject({ kind: "Thing", apiVersion: "example.com/v1" });
    });
  });
});
