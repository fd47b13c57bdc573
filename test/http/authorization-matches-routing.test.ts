import { Agent, request } from "node:https";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { AccessAttributes, ResourceAccess } from "../../runtime/contract/authorization.ts";
import type { ApiRequest } from "../../runtime/handlers/api-request.ts";
import type { Plane } from "../../runtime/plane.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { ANY_PATH, escaped, METHODS, QUERY } from "./random-requests.ts";
import { KINDS, type Outcome, recordingApp } from "./recording-app.ts";

const send = recordingApp();

function isResource(attributes: AccessAttributes | undefined): attributes is ResourceAccess {
  return attributes !== undefined && "resource" in attributes;
}

/** Compares what was authorized with what was served. */
function expectAlike({ authorized, served, servedPath, status }: Outcome): void {
  if (served !== undefined) expect(status).toBe(418);
  if (servedPath !== undefined) expect(authorized).toMatchObject({ path: servedPath });
  if (served === undefined) return;
  const { route, request: asked } = served;
  if (!isResource(authorized)) throw new Error("a resource was served that nobody authorized");
  const { descriptor } = route.entry;
  expect(authorized).toMatchObject({
    group: descriptor.group,
    version: descriptor.version,
    resource: descriptor.resource,
    subresource: route.subresource?.name ?? "",
    name: asked.info.name,
  });
  if (route.subresource?.connect === undefined) expect(authorized.verb).toBe(route.verb);
  const isNamespace = descriptor.group === "" && descriptor.resource === "namespaces";
  if (descriptor.namespaced) expect(asked.info.namespace).toBe(authorized.namespace);
  else
    expect([asked.info.namespace, authorized.namespace]).toEqual([
      "",
      isNamespace ? (asked.info.named ? asked.info.name : "") : "",
    ]);
  if (asked.info.named && descriptor.namespaced) expect(authorized.namespace).not.toBe("");
  for (const key of ["fieldSelector", "labelSelector"] as const) {
    const selected = asked.info.selectors[key]?.requirements ?? [];
    // An authorizer may receive fewer selectors than the handler uses, but never different ones.
    if (authorized[key] !== undefined) expect(authorized[key]).toBe(selected);
    else if (!asked.info.verbInPath && !isFailing(asked)) expect(selected).toEqual([]);
  }
}

function isFailing({ info: { selectors } }: ApiRequest): boolean {
  return selectors.fieldSelector?.error !== undefined || selectors.labelSelector?.error !== undefined;
}

describe("the server authorizes exactly the request that it serves", () => {
  it("for random paths, methods and queries", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...METHODS), ANY_PATH, QUERY, async (method, path, query) => {
        expectAlike(await send(method, path + query));
      }),
      { numRuns: 3000 },
    );
  });

  it("for paths of every kind of resource with random percent-encoding", async () => {
    const parts = fc.record({
      kind: fc.constantFrom(...KINDS.filter(([, resource]) => resource !== "watch" && resource !== "status")),
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      namespace: fc.option(fc.constantFrom("a", "b", "constructor")),
      name: fc.option(fc.constantFrom("a", "x", "é", "watch")),
      subresource: fc.option(fc.constantFrom("status", "scale")),
      slashes: fc.constantFrom("", "/", "//"),
      query: QUERY,
    });
    const cases = parts.chain((given) => {
      const [group, resource] = given.kind;
      const below = given.namespace === null ? "" : `namespaces/${given.namespace}/`;
      const rest =
        given.name === null ? "" : `/${given.name}${given.subresource === null ? "" : `/${given.subresource}`}`;
      const path = `/${group === "" ? "api" : `apis/${group}`}/v1/${below}${resource}${rest}`;
      // The first slash is what makes it a path.
      return escaped(path.slice(1)).map((text) => ({ ...given, target: `/${text}${given.slashes}${given.query}` }));
    });
    let servedOnes = 0;
    await fc.assert(
      fc.asyncProperty(
        cases,
        async ({ kind: [group, resource, namespaced], method, namespace, name, subresource, target }) => {
          const outcome = await send(method, target);
          expectAlike(outcome);
          if (outcome.served === undefined) return;
          servedOnes += 1;
          const { info } = outcome.served.request;
          expect(namespace === null || namespaced).toBe(true);
          expect([info.group, info.resource, info.namespace]).toEqual([group, resource, namespace ?? ""]);
          if (name !== null) expect([info.name, info.subresource]).toEqual([name, subresource ?? ""]);
        },
      ),
      { numRuns: 2000 },
    );
    expect(servedOnes).toBeGreaterThan(200);
  });
});

describe("a user who is cluster-admin in one namespace only", () => {
  const { call, running } = servePlane({ "authorization-mode": "RBAC", "disable-admission-plugins": "ServiceAccount" });
  const CANARY = "seen-from-outside";
  const RBAC = "/apis/rbac.authorization.k8s.io/v1";

  const make = async (path: string, body: object): Promise<void> => {
    const made = await call("POST", path, { body });
    expect(made.status, made.text).toBe(201);
  };
  const marked = (name: string) => ({ name, annotations: { CANARY }, labels: { canary: CANARY } });

  beforeAll(async () => {
    for (const name of ["a", "b"])
      await make("/api/v1/namespaces", { metadata: name === "a" ? { name } : marked(name) });
    await make(`${RBAC}/namespaces/a/rolebindings`, {
      metadata: { name: "everything" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "tenant" }],
    });
    await make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition("namespaces"));
    for (const namespace of ["a", "b"]) {
      const metadata = namespace === "a" ? { name: "x" } : marked("x");
      await make(`/api/v1/namespaces/${namespace}/configmaps`, { metadata });
      await make(`/api/v1/namespaces/${namespace}/secrets`, { metadata });
    }
    await make("/api/v1/nodes", { metadata: marked("x") });
    await make(`${RBAC}/clusterroles`, { metadata: marked("x"), rules: [] });
    await make("/apis/zoo.example.com/v1/namespaces", {
      apiVersion: "zoo.example.com/v1",
      kind: "Zoo",
      metadata: marked("a"),
    });
  });

  it("can neither read nor change objects outside of that namespace with random requests", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4, ca: running().client.certificateAuthority });
    const heads = ["/api/v1/", `${RBAC}/`, "/apis/zoo.example.com/v1/", "/api/v1/watch/", "/api/v1/namespaces/a/", "/"];
    const resources = [
      "configmaps",
      "secrets",
      "nodes",
      "clusterroles",
      "namespaces",
      "customresourcedefinitions",
      "rolebindings",
    ];
    const words = fc.constantFrom(
      ...resources,
      "a",
      "b",
      "x",
      "",
      "status",
      "finalize",
      "namespaces",
      "..",
      "%2e%2e",
      "a%2f..%2fb",
      "b%2fsecrets",
      "scale",
    );
    const targets = fc
      .tuple(
        fc.constantFrom(...heads),
        fc.array(words, { maxLength: 5 }),
        QUERY,
        fc.constantFrom("", "&timeoutSeconds=1&timeout=2s"),
      )
      .map(([head, path, query, more]) => `${head}${path.join("/")}${query === "" ? `?${more}` : query + more}`);
    const methods = fc.constantFrom("GET", "GET", "GET", "PUT", "PATCH", "POST", "DELETE");
    const before = await outside();
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(methods, targets, async (method, target) => {
        // The deletion of its namespace would leave nothing for the remaining requests.
        fc.pre(!(method === "DELETE" && /\/namespaces\/+a\/*($|\?)/.test(target)));
        const { status, text } = await sendAsTenant(running(), agent, method, target);
        if (status < 300) allowed += 1;
        expect(status).toBeLessThan(600);
        expect(text).not.toContain(CANARY);
      }),
      { numRuns: 600 },
    );
    agent.destroy();
    expect(await outside()).toEqual(before);
    expect(allowed).toBeGreaterThan(0);
  });

  /** Returns the versions of objects outside of the namespace. */
  async function outside(): Promise<Record<string, string>> {
    const versions: Record<string, string> = {};
    const paths = [
      "/api/v1/configmaps",
      "/api/v1/secrets",
      "/api/v1/nodes",
      "/api/v1/namespaces",
      "/apis/zoo.example.com/v1/namespaces",
    ];
    const lists = [...paths, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"];
    for (const path of [
      ...lists,
      ...["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map((one) => `${RBAC}/${one}`),
    ]) {
      for (const { metadata } of (await call("GET", path)).body.items) {
        const isOwn = metadata.namespace === "a" || (path === "/api/v1/namespaces" && metadata.name === "a");
        if (!isOwn) versions[`${path} ${metadata.namespace}/${metadata.name}`] = metadata.resourceVersion;
      }
    }
    return versions;
  }
});

function definition(plural: string): object {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const names = { plural, singular: "zoo", kind: "Zoo", listKind: "ZooList" };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  return {
    metadata: { name: `${plural}.zoo.example.com` },
    spec: { group: "zoo.example.com", scope: "Cluster", names, versions },
  };
}

function sendAsTenant(
  plane: Plane,
  agent: Agent,
  method: string,
  path: string,
): Promise<{ status: number; text: string }> {
  const { server, token } = plane.client;
  const { hostname, port } = new URL(server);
  const headers = {
    Authorization: `Bearer ${token}`,
    "Impersonate-User": "tenant",
    "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
  };
  const body = method === "GET" || method === "DELETE" ? "" : '{"metadata":{"name":"x","labels":{"taken":"yes"}}}';
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, method, headers, agent }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      const done = () => resolve({ status: incoming.statusCode ?? 0, text });
      // A watch without a timeout never ends. Its events arrive immediately.
      const patience = setTimeout(() => {
        done();
        incoming.destroy();
      }, 1000);
      incoming.on("end", done).on("error", reject);
      incoming.on("close", () => clearTimeout(patience));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
