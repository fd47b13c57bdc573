import { beforeEach, describe, expect, it } from "vitest";
import { planeWithWebhooks } from "./plane-with-webhooks.ts";
import { patchOf } from "./registered-webhooks.ts";

const PODS = "/api/v1/namespaces/default/pods";

const { call, hooks, webhook, withWebhooks } = await planeWithWebhooks({
  "disable-admission-plugins": "ServiceAccount",
});

beforeEach(() => {
  hooks.replies["/see"] = () => ({ allowed: true });
});

const rulesFor = (...resources: string[]) => ({
  rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources }],
});

const pod = (name: string) => ({ metadata: { name }, spec: { containers: [{ name: "c", image: "i" }] } });

describe("a webhook for pods and their subresources", () => {
  it("sees an eviction, and not the deletion of the pod by it", async () => {
    expect((await call("POST", PODS, { body: pod("evicted") })).status).toBe(201);
    await withWebhooks("Validating", [webhook("/see", rulesFor("pods", "pods/*"))], async () => {
      for (const query of ["?dryRun=All", ""]) {
        hooks.asked.length = 0;
        const evicted = await call("POST", `${PODS}/evicted/eviction${query}`, {
          body: { metadata: { name: "evicted" } },
        });
        expect(evicted.status).toBe(201);
        expect(hooks.asked.map(({ request }) => [request.operation, request.subResource, request.kind.kind])).toEqual([
          ["CREATE", "eviction", "Eviction"],
        ]);
      }
    });
  });

  it("sees the object of a subresource with its namespace and the owners of its fields", async () => {
    const body = {
      metadata: { name: "bound" },
      target: { name: "node" },
      spec: {},
      deleteOptions: { gracePeriodSeconds: 1 },
    };
    await call("POST", PODS, { body: pod("bound") });
    await call("POST", "/api/v1/namespaces/default/serviceaccounts", { body: { metadata: { name: "bound" } } });
    await withWebhooks("Validating", [webhook("/see", rulesFor("*/*"))], async () => {
      for (const [path, owned] of [
        [`${PODS}/bound/binding`, "f:target"],
        [`${PODS}/bound/eviction`, "f:deleteOptions"],
        ["/api/v1/namespaces/default/serviceaccounts/bound/token", "f:spec"],
      ] as const) {
        hooks.asked.length = 0;
        expect((await call("POST", `${path}?dryRun=All`, { body })).status, path).toBe(201);
        const metadata = hooks.asked[0]?.request.object.metadata;
        expect(metadata.namespace).toBe("default");
        expect(metadata.managedFields).toMatchObject([{ manager: "tests", subresource: path.split("/").at(-1) }]);
        expect(Object.keys(metadata.managedFields[0].fieldsV1)).toEqual([owned]);
      }
    });
  });

  it("sees the status of a token request as it is before a token is issued", async () => {
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await call("POST", accounts, { body: { metadata: { name: "issued" } } });
    await withWebhooks("Validating", [webhook("/see", rulesFor("serviceaccounts/token"))], async () => {
      expect((await call("POST", `${accounts}/issued/token`, { body: { spec: {} } })).status).toBe(201);
      expect(hooks.asked.map(({ request }) => request.object.status)).toEqual([
        { token: "", expirationTimestamp: null },
      ]);
    });
  });

  it("is not asked about another deletion of what is being deleted, unless it shortens the grace period", async () => {
    const spec = { ...pod("p").spec, nodeName: "n", terminationGracePeriodSeconds: 20 };
    await call("POST", PODS, { body: { metadata: { name: "leaving" }, spec } });
    const body = { metadata: { name: "leaving" }, spec: { finalizers: ["kubernetes"] } };
    await call("POST", "/api/v1/namespaces", { body });
    await withWebhooks("Validating", [webhook("/see", rulesFor("pods", "namespaces"))], async () => {
      const askedFor = async (path: string, options: object = {}): Promise<number> => {
        hooks.asked.length = 0;
        expect((await call("DELETE", path, { body: options })).status).toBe(200);
        return hooks.asked.length;
      };
      expect(await askedFor(`${PODS}/leaving`)).toBe(1);
      expect(await askedFor(`${PODS}/leaving`)).toBe(0);
      expect(await askedFor(`${PODS}/leaving`, { gracePeriodSeconds: 20 })).toBe(0);
      expect(await askedFor(`${PODS}/leaving`, { gracePeriodSeconds: 5 })).toBe(1);
      expect(await askedFor("/api/v1/namespaces/leaving")).toBe(1);
      expect(await askedFor("/api/v1/namespaces/leaving")).toBe(0);
    });
  });

  it("may change the name of a binding, which then is not that of the pod", async () => {
    await call("POST", PODS, { body: pod("free") });
    hooks.replies["/rename"] = () => patchOf({ op: "replace", path: "/metadata/name", value: "other" });
    await withWebhooks("Mutating", [webhook("/rename", rulesFor("pods/binding"))], async () => {
      const bound = await call("POST", `${PODS}/free/binding`, {
        body: { metadata: { name: "free" }, target: { name: "node" } },
      });
      expect(bound.body).toMatchObject({ code: 400, message: "name in URL does not match name in Binding object" });
    });
  });
});

describe("the options that a webhook sees", () => {
  const optionsSeen = async (method: string, path: string, body?: object): Promise<unknown> => {
    hooks.asked.length = 0;
    await call(method, path, body && { body });
    return hooks.asked.map(({ request }) => request.options);
  };
  const deletion = { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1" };

  it("of a deletion have the grace period of the pod and the uid of the namespace", async () => {
    const spec = { ...pod("p").spec, terminationGracePeriodSeconds: 20 };
    await call("POST", PODS, { body: { metadata: { name: "waiting" }, spec } });
    await call("POST", PODS, { body: { metadata: { name: "running" }, spec: { ...spec, nodeName: "n" } } });
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name: "gone" } } });
    const { uid } = (await call("GET", "/api/v1/namespaces/gone")).body.metadata;
    await withWebhooks("Validating", [webhook("/see", rulesFor("pods", "namespaces"))], async () => {
      expect(await optionsSeen("DELETE", `${PODS}/waiting`)).toEqual([{ ...deletion, gracePeriodSeconds: 0 }]);
      expect(await optionsSeen("DELETE", `${PODS}/running`)).toEqual([{ ...deletion, gracePeriodSeconds: 20 }]);
      const options = { propagationPolicy: "Background", gracePeriodSeconds: -5 };
      expect(await optionsSeen("DELETE", "/api/v1/namespaces/gone", options)).toEqual([
        { ...deletion, propagationPolicy: "Background", gracePeriodSeconds: 1, preconditions: { uid } },
      ]);
    });
  });

  it("of a connection are null", async () => {
    await withWebhooks("Validating", [webhook("/see", rulesFor("pods/*"))], async () => {
      await call("POST", PODS, { body: pod("connected") });
      expect(await optionsSeen("POST", `${PODS}/connected/exec?command=a`)).toEqual([null]);
    });
  });
});

describe("a webhook for the scale subresource", () => {
  const PATH = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { app: "a" };
  const deployment = {
    metadata: { name: "scaled" },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod("p").spec } },
  };
  const scale = (replicas: number) =>
    call("PATCH", `${PATH}/scaled/scale`, { type: "application/merge-patch+json", body: { spec: { replicas } } });

  it("sees the Scale, before and after", async () => {
    expect((await call("POST", PATH, { body: deployment })).status).toBe(201);
    const reviewed = {
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      requestKind: { group: "autoscaling", version: "v1", kind: "Scale" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      subResource: "scale",
      name: "scaled",
      object: { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "scaled" }, spec: { replicas: 3 } },
      oldObject: { kind: "Scale", spec: { replicas: 1 }, status: { replicas: 0, selector: "app=a" } },
    };
    for (const kind of ["Mutating", "Validating"] as const) {
      await call("PATCH", `${PATH}/scaled`, { type: "application/merge-patch+json", body: { spec: { replicas: 1 } } });
      await withWebhooks(kind, [webhook("/see", rulesFor("deployments/scale"))], async () => {
        expect((await scale(3)).body.spec).toEqual({ replicas: 3 });
        expect(hooks.asked.map(({ request }) => request)).toMatchObject([reviewed]);
      });
    }
  });

  it("may change the replicas, and nothing else of the object", async () => {
    hooks.replies["/limit"] = () =>
      patchOf(
        { op: "replace", path: "/spec/replicas", value: 2 },
        { op: "add", path: "/metadata/labels", value: { a: "b" } },
      );
    await withWebhooks("Mutating", [webhook("/limit", rulesFor("deployments/scale"))], async () => {
      expect((await scale(9)).body.spec).toEqual({ replicas: 2 });
    });
    const { metadata, spec } = (await call("GET", `${PATH}/scaled`)).body;
    expect(metadata.labels).toBeUndefined();
    expect(spec.replicas).toBe(2);
  });

  it("cannot make the Scale invalid", async () => {
    hooks.replies["/limit"] = () => patchOf({ op: "replace", path: "/spec/replicas", value: -1 });
    await withWebhooks("Mutating", [webhook("/limit", rulesFor("deployments/scale"))], async () => {
      expect((await scale(9)).body).toMatchObject({
        code: 422,
        message:
          'Scale.autoscaling "scaled" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      });
    });
  });
});

describe("a binding", () => {
  it("that names a resourceVersion is for that version of the pod only", async () => {
    const { metadata } = (await call("POST", PODS, { body: pod("versioned") })).body;
    const bind = (resourceVersion: string) =>
      call("POST", `${PODS}/versioned/binding`, {
        body: { metadata: { name: "versioned", resourceVersion }, target: { name: "node" } },
      });
    expect((await bind("1")).body).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on pods "versioned": StorageError: invalid object, Code: 4, Key: /registry/pods/default/versioned, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ${metadata.resourceVersion}`,
    });
    expect((await bind(metadata.resourceVersion)).status).toBe(201);
  });
});
