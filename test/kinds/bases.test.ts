import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Base } from "../../runtime/contract/resource-descriptor.ts";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { customDefinition } from "../fixtures/custom-definition.ts";
import { fleet } from "../fixtures/fleet-registry.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { Kubectl } from "../tools/kubectl.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const TRUCKS = "/apis/fleet.example.com/v1/namespaces/default/trucks";
const truck = (name: string) => ({ apiVersion: "fleet.example.com/v1", kind: "Truck", metadata: { name }, spec: {} });

/** Groups of each base besides the unnamed one. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  core: [
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "apiregistration.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "coordination.k8s.io",
    "events.k8s.io",
    "fleet.example.com",
    "flowcontrol.apiserver.k8s.io",
    "rbac.authorization.k8s.io",
  ],
  none: ["authentication.k8s.io", "authorization.k8s.io", "fleet.example.com", "rbac.authorization.k8s.io"],
};
const CORE_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  core: [
    "configmaps",
    "events",
    "namespaces",
    "namespaces/finalize",
    "namespaces/status",
    "secrets",
    "serviceaccounts",
    "serviceaccounts/token",
  ],
  none: ["namespaces", "namespaces/finalize", "namespaces/status"],
};

interface Served {
  readonly plane: Plane;
  get(path: string): Promise<Parsed>;
  send(method: string, path: string, body?: object, token?: string): Promise<{ status: number; body: Parsed }>;
}

async function serve(base: Base, flags: Readonly<Record<string, string>> = {}): Promise<Served> {
  const plane = await startPlane({ kinds: fleet(), base, flags });
  await plane.ready;
  const send: Served["send"] = async (method, path, body, token) => {
    const response = await plane.fetch(path, {
      method,
      headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
  };
  return { plane, send, get: async (path) => (await send("GET", path)).body };
}

/** Returns the resources that roles name, except those in rules for all resources. */
function namedIn(roles: Parsed): Set<string> {
  const named = new Set<string>();
  for (const { rules } of roles.items)
    for (const { apiGroups = [], resources = [] } of rules ?? [])
      for (const group of apiGroups)
        for (const resource of resources) if (resource !== "*") named.add(`${group}/${resource}`);
  return named;
}

describe.each(["core", "none"] as const)("base %s", (base) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(base);
  });
  afterAll(() => served.plane.stop());

  it("has only its own groups and resources in discovery", async () => {
    const { groups } = await served.get("/apis");
    expect(groups.map(({ name }: { name: string }) => name).sort()).toEqual(GROUPS[base]);
    const { resources } = await served.get("/api/v1");
    expect(resources.map(({ name }: { name: string }) => name).sort()).toEqual(CORE_RESOURCES[base]);
    expect((await served.send("GET", "/apis/apps/v1/deployments")).status).toBe(404);
    expect((await served.send("GET", "/api/v1/pods")).status).toBe(404);
  });

  it("has only its own groups and resources in OpenAPI", async () => {
    const { paths } = await served.get("/openapi/v3");
    const groups = Object.keys(paths).flatMap((path) => /^apis\/([^/]+)\/[^/]+$/.exec(path)?.[1] ?? []);
    expect([...new Set(groups)].sort()).toEqual(GROUPS[base]);
    const swagger = await served.get("/openapi/v2");
    expect(Object.keys(swagger.paths).filter((path) => /\/(pods|services|nodes|deployments)\b/.test(path))).toEqual([]);
    expect(Object.keys(swagger.paths)).toContain(`/apis/fleet.example.com/v1/namespaces/{namespace}/trucks`);
  });

  it("stores, lists and deletes kinds of the project", async () => {
    expect((await served.send("POST", TRUCKS, truck("red"))).status).toBe(201);
    expect((await served.get(TRUCKS)).items.map(({ metadata }: Parsed) => metadata.name)).toEqual(["red"]);
    expect((await served.send("DELETE", `${TRUCKS}/red`)).status).toBe(200);
  });

  it("has the default namespaces but no Service and no namespace for leases of nodes", async () => {
    const { items } = await served.get("/api/v1/namespaces");
    expect(items.map(({ metadata }: Parsed) => metadata.name)).toEqual(["default", "kube-public", "kube-system"]);
    expect((await served.send("GET", "/api/v1/namespaces/default/services/kubernetes")).status).toBe(404);
  });

  it("has default roles that name only what is served", async () => {
    const root = "/apis/rbac.authorization.k8s.io/v1";
    const roles = await served.get(`${root}/clusterroles`);
    const names = roles.items.map(({ metadata }: Parsed) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(["cluster-admin", "admin", "edit", "view", "system:basic-user"]));
    expect(names).not.toContain("system:node");
    const known = new Set<string>();
    for (const group of ["", ...(GROUPS[base] as string[])]) {
      const { resources } = await served.get(group === "" ? "/api/v1" : `/apis/${group}/v1`);
      for (const { name } of resources) known.add(`${group}/${name}`);
    }
    const allowed = ({ group, name }: { group: string; name: string }) =>
      known.has(`${group}/${name}`) || (name.endsWith("/finalizers") && known.has(`${group}/${name.split("/")[0]}`));
    for (const list of [roles, await served.get(`${root}/roles`)]) {
      const unknown = [...namedIn(list)].filter((named) => {
        const [group = "", ...rest] = named.split("/");
        return !allowed({ group, name: rest.join("/") });
      });
      expect(unknown).toEqual([]);
    }
    const bindings = await served.get(`${root}/clusterrolebindings`);
    expect(bindings.items.filter(({ roleRef }: Parsed) => !names.includes(roleRef.name))).toEqual([]);
  });

  it("aggregates user roles of what is served", async () => {
    const view = "/apis/rbac.authorization.k8s.io/v1/clusterroles/view";
    await expect.poll(async () => (await served.get(view)).rules?.length ?? 0, { timeout: 120_000 }).toBeGreaterThan(0);
    const { rules } = await served.get(view);
    expect(rules.flatMap(({ resources }: Parsed) => resources)).not.toContain("pods");
  });

  it("deletes a namespace with its objects", async () => {
    await served.send("POST", "/api/v1/namespaces", { metadata: { name: "gone" } });
    await served.send("POST", TRUCKS.replace("default", "gone"), truck("red"));
    await served.send("DELETE", "/api/v1/namespaces/gone");
    const status = async () => (await served.send("GET", "/api/v1/namespaces/gone")).status;
    await expect.poll(status, { timeout: 120_000 }).toBe(404);
    expect((await served.get(TRUCKS.replace("default", "gone"))).items).toEqual([]);
  });

  it("deletes dependents of a deleted object", async () => {
    const { body: owner } = await served.send("POST", TRUCKS, truck("owner"));
    const ownerReferences = [{ apiVersion: owner.apiVersion, kind: "Truck", name: "owner", uid: owner.metadata.uid }];
    const dependent = truck("dependent");
    await served.send("POST", TRUCKS, { ...dependent, metadata: { ...dependent.metadata, ownerReferences } });
    await served.send("DELETE", `${TRUCKS}/owner`);
    const status = async () => (await served.send("GET", `${TRUCKS}/dependent`)).status;
    await expect.poll(status, { timeout: 120_000 }).toBe(404);
  });

  it("reports no metrics of services", async () => {
    const text = String(await served.get("/metrics"));
    expect(text).toContain("apiserver_request_total");
    expect(text).not.toContain("kube_apiserver_clusterip_allocator");
  });

  it("refuses anonymous requests for objects", async () => {
    const { status } = await served.send("GET", TRUCKS, undefined, "wrong");
    expect(status).toBe(401);
  });
});

describe("base core", () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve("core");
  });
  afterAll(() => served.plane.stop());

  it("serves custom kinds and publishes their schemas", async () => {
    const titled = { type: "object", properties: { title: { type: "string" } } };
    const definition = customDefinition("books.library.example.com", "Book", {
      type: "object",
      properties: { spec: titled },
    });
    const root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    expect((await served.send("POST", root, definition)).status).toBe(201);
    const books = "/apis/library.example.com/v1/namespaces/default/books";
    const book = {
      apiVersion: "library.example.com/v1",
      kind: "Book",
      metadata: { name: "one" },
      spec: { title: "T" },
    };
    const create = async () => (await served.send("POST", books, book)).status;
    await expect.poll(create, { timeout: 120_000 }).toBe(201);
    const documents = async () => Object.keys((await served.get("/openapi/v3")).paths);
    await expect.poll(documents, { timeout: 120_000 }).toContain("apis/library.example.com/v1");
    const { paths } = await served.get("/openapi/v3/apis/library.example.com/v1");
    expect(Object.keys(paths)).toContain("/apis/library.example.com/v1/namespaces/{namespace}/books/{name}");
  });

  it("authenticates tokens of service accounts and authorizes them by RBAC", async () => {
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await expect.poll(async () => (await served.send("GET", `${accounts}/default`)).status).toBe(200);
    const { body } = await served.send("POST", `${accounts}/default/token`, { spec: { audiences: [] } });
    const { token } = body.status;
    expect((await served.send("GET", TRUCKS, undefined, token)).status).toBe(403);
    const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
    const rules = [{ apiGroups: ["fleet.example.com"], resources: ["trucks"], verbs: ["list"] }];
    await served.send("POST", `${rbac}/roles`, { metadata: { name: "drivers" }, rules });
    await served.send("POST", `${rbac}/rolebindings`, {
      metadata: { name: "drivers" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "drivers" },
      subjects: [{ kind: "ServiceAccount", name: "default", namespace: "default" }],
    });
    const list = async () => (await served.send("GET", TRUCKS, undefined, token)).status;
    await expect.poll(list, { timeout: 120_000 }).toBe(200);
  });

  it("enforces admission policies on kinds of the project", async () => {
    const root = "/apis/admissionregistration.k8s.io/v1";
    await served.send("POST", `${root}/validatingadmissionpolicies`, {
      metadata: { name: "no-lorry" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["fleet.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["trucks"] },
          ],
        },
        validations: [{ expression: "object.metadata.name != 'lorry'", message: "no lorries" }],
      },
    });
    await served.send("POST", `${root}/validatingadmissionpolicybindings`, {
      metadata: { name: "no-lorry" },
      spec: { policyName: "no-lorry", validationActions: ["Deny"] },
    });
    const create = async () => {
      const { status, body } = await served.send("POST", `${TRUCKS}?dryRun=All`, truck("lorry"));
      return status === 422 ? body.message : status;
    };
    await expect.poll(create, { timeout: 120_000 }).toContain("no lorries");
  });
});

describe("base none", () => {
  it("has no service account tokens: neither their documents nor a signing key", async () => {
    const directory = mkdtempSync(join(tmpdir(), "typeplane-none-"));
    const plane = await startPlane({ kinds: fleet(), base: "none", directory, listen: false });
    try {
      await plane.ready;
      expect((await plane.fetch("/.well-known/openid-configuration")).status).toBe(404);
      expect(readdirSync(join(directory, "pki")).filter((name) => /^(sa|service-account)/.test(name))).toEqual([]);
    } finally {
      await plane.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe("choosing a base", () => {
  it("takes the base of the project's configuration unless a flag names another one", async () => {
    const own = fleet();
    const catalogue = own.readCatalogue();
    const project = { name: "fleet", title: "Fleet", domain: "example.com", release: "1.33", base: "none" as const };
    const kinds = { ...own, readCatalogue: () => ({ ...catalogue, project }) };
    const groupsOf = async (base?: Base): Promise<string[]> => {
      const plane = await startPlane({ kinds, listen: false, ...(base && { base }) });
      try {
        const { groups } = (await (await plane.fetch("/apis")).json()) as Parsed;
        return groups.map(({ name }: Parsed) => name);
      } finally {
        await plane.stop();
      }
    };
    expect(await groupsOf()).not.toContain("apps");
    expect(await groupsOf("kubernetes")).toContain("apps");
  });

  it("explains base none without kinds of the project, and a base that does not exist", async () => {
    await expect(startPlane({ base: "none", listen: false })).rejects.toThrow(
      'base "none" serves only the project\'s own kinds, and the project defines none',
    );
    await expect(startPlane({ flags: { base: "tiny" }, listen: false })).rejects.toThrow(
      "--base=tiny: there is no such base; use kubernetes, core, none",
    );
  });
});

const binary = findTool("kubectl");
describe.skipIf(binary === undefined)(`kubectl with each base (${skipMessage("kubectl")} otherwise)`, () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-bases-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(["core", "none"] as const)(
    "lists, explains and applies kinds of the project on base %s",
    async (base) => {
      const { plane } = await serve(base);
      try {
        const kubeconfig = join(directory, `${base}.kubeconfig`);
        writeFileSync(kubeconfig, plane.kubeconfig);
        const kubectl = new Kubectl({ binary: binary as string, kubeconfig, home: join(directory, base) });
        const names = (await kubectl.ok("api-resources --no-headers -o name")).split("\n");
        expect(names).toContain("trucks.fleet.example.com");
        expect(names).not.toContain("pods");
        const manifest = JSON.stringify(truck("red"));
        expect(await kubectl.given(manifest).ok("apply -f -")).toBe("truck.fleet.example.com/red created");
        expect(await kubectl.given(manifest).ok("apply -f -")).toBe("truck.fleet.example.com/red unchanged");
        expect(await kubectl.given(manifest).ok("apply --server-side --force-conflicts -f -")).toContain("red");
        expect(await kubectl.ok("get trucks -o name")).toBe("truck.fleet.example.com/red");
        expect(await kubectl.ok("explain truck")).toContain("A truck.");
        expect(await kubectl.ok("auth can-i create trucks")).toBe("yes");
        expect((await kubectl.run("auth can-i list trucks --as jane")).stdout.trim()).toBe("no");
        await kubectl.ok("create role drivers --verb=get,list --resource=trucks.fleet.example.com");
        await kubectl.ok("create rolebinding drivers --role=drivers --user=jane");
        await expect
          .poll(async () => (await kubectl.run("auth can-i list trucks --as jane")).stdout.trim(), { timeout: 120_000 })
          .toBe("yes");
        expect(await kubectl.fails("delete truck red --as jane")).toContain("is forbidden");
        expect(await kubectl.ok("auth whoami -o name")).toBeDefined();
        await kubectl.ok("create namespace depot");
      } finally {
        await plane.stop();
      }
    },
    120_000,
  );
});
