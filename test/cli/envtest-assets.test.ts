import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { AdminClient } from "../tools/admin-client.ts";
import { Envtest } from "../tools/envtest.ts";
import { Kubectl } from "../tools/kubectl.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/typeplane.js");
const directory = mkdtempSync(join(tmpdir(), "typeplane-assets-"));
const assets = join(directory, "assets");
const kubectlBinary = findTool("kubectl");
const etcdBinary = findTool("etcd");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [LAUNCHER, "assets", ...args], { cwd: directory });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

beforeAll(async () => {
  expect(await run(assets)).toMatchObject({ code: 0, out: `export KUBEBUILDER_ASSETS=${assets}\n` });
});

describe("typeplane assets", () => {
  it("replaces the programs it wrote, and refuses to replace others", async () => {
    expect((await run(assets)).code).toBe(0);
    const others = mkdtempSync(join(directory, "others-"));
    writeFileSync(join(others, "kube-apiserver"), "a real one");
    const refused = await run(others);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("exists and was not written by this command");
    expect(readFileSync(join(others, "kube-apiserver"), "utf8")).toBe("a real one");
    expect((await run()).err).toBe("name the directory first: typeplane assets DIR\n");
  });
});

describe("a test suite that starts the programs as envtest does", () => {
  let suite: Envtest;
  let admin: AdminClient;
  let kubeconfig: string;

  beforeAll(async () => {
    suite = new Envtest(assets);
    await suite.start(["--lease-reuse-duration-seconds=60", "--storage-media-type=application/json"]);
    kubeconfig = suite.addUser("admin", "system:masters");
    admin = AdminClient.fromKubeconfig(kubeconfig);
  });

  afterAll(async () => {
    admin.close();
    await suite.stop();
  });

  const post = async (path: string, body: object): Promise<Parsed> => {
    const answer = await admin.request("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  };

  it("knows its users by client certificates and authorizes them by RBAC", async () => {
    expect((await admin.request("GET", "/api/v1/namespaces/kube-system")).status).toBe(200);
    const guest = AdminClient.fromKubeconfig(suite.addUser("guest", "readers"));
    const { status, body } = await guest.request("GET", "/api/v1/nodes");
    guest.close();
    expect(status).toBe(403);
    expect((body as Parsed).message).toContain('User "guest" cannot list resource "nodes"');
  });

  it("finds no controllers and no ServiceAccount admission, as with a bare kube-apiserver", async () => {
    await post("/api/v1/namespaces", { metadata: { name: "bare" } });
    const container = { name: "main", image: "registry.invalid/main" };
    await post("/api/v1/namespaces/bare/pods", { metadata: { name: "pod" }, spec: { containers: [container] } });
    await admin.request("DELETE", "/api/v1/namespaces/bare");
    const status = async (path: string) => (await admin.request("GET", `/api/v1/namespaces/${path}`)).status;
    expect(await status("bare/serviceaccounts/default")).toBe(404);
    expect(await status("default/configmaps/kube-root-ca.crt")).toBe(404);
    expect(((await admin.request("GET", "/api/v1/namespaces/bare")).body as Parsed).status.phase).toBe("Terminating");
  });

  it("gets service account tokens that its EC key signs and its EC certificate verifies", async () => {
    await post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
    const { status: token } = await post("/api/v1/namespaces/default/serviceaccounts/robot/token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: {},
    });
    const [header = "", claims = ""] = token.token.split(".").map((part: string) => Buffer.from(part, "base64url"));
    expect(JSON.parse(header.toString()).alg).toBe("ES256");
    expect(JSON.parse(claims.toString()).iss).toBe(`${suite.url}/`);
    const review = await post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token: token.token } });
    expect(review.status.user.username).toBe("system:serviceaccount:default:robot");
  });

  it("leaves the working directory empty and adds nothing to --cert-dir", () => {
    expect(readdirSync(suite.workingDirectory)).toEqual([]);
    expect(readdirSync(suite.certDir).sort()).toEqual([
      "apiserver.crt",
      "apiserver.key",
      "client-cert-auth-ca.crt",
      "sa-signer.crt",
      "sa-signer.key",
    ]);
  });

  it("is warned about flags that have no effect here", () => {
    expect(suite.output).toContain("flags without effect: --lease-reuse-duration-seconds, --storage-media-type");
  });

  describe("with an operator that serves admission and conversion webhooks", () => {
    let operator: HttpsServer;

    beforeAll(async () => {
      operator = await startHttps(answerReviews);
      const clientConfig = (path: string) => ({
        url: `${operator.url}${path}`,
        caBundle: Buffer.from(operator.authority).toString("base64"),
      });
      await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
        ...PEOPLE,
        spec: {
          ...PEOPLE.spec,
          conversion: {
            strategy: "Webhook",
            webhook: { clientConfig: clientConfig("/convert"), conversionReviewVersions: ["v1"] },
          },
        },
      });
      await post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
        metadata: { name: "people" },
        webhooks: [
          {
            name: "people.example.com",
            clientConfig: clientConfig("/validate"),
            rules: [{ apiGroups: ["example.com"], apiVersions: ["v2"], operations: ["CREATE"], resources: ["people"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      });
      const served = async () => expect((await admin.request("GET", "/apis/example.com/v2")).status).toBe(200);
      await vi.waitFor(served, { timeout: 120_000 });
    });

    afterAll(() => operator.close());

    const person = (name: string, first: string) => ({
      apiVersion: "example.com/v2",
      kind: "Person",
      metadata: { name, namespace: "default" },
      spec: { first, last: "Lovelace" },
    });

    it("has objects converted and validated by the operator", async () => {
      await post("/apis/example.com/v2/namespaces/default/people", person("ada", "Ada"));
      const old = await admin.request("GET", "/apis/example.com/v1/namespaces/default/people/ada");
      expect((old.body as Parsed).spec).toEqual({ fullName: "Ada Lovelace" });
      const refused = await admin.request(
        "POST",
        "/apis/example.com/v2/namespaces/default/people",
        person("none", "Nobody"),
      );
      expect(refused.status).toBe(403);
      expect((refused.body as Parsed).message).toBe(
        'admission webhook "people.example.com" denied the request: nobody is refused',
      );
    });

    it.skipIf(kubectlBinary === undefined)(
      `works with the kubectl beside the programs${kubectlBinary === undefined ? ` (${skipMessage("kubectl")})` : ""}`,
      async () => {
        const binary = join(assets, "kubectl");
        if (!existsSync(binary)) symlinkSync(kubectlBinary ?? "", binary);
        const kubectl = new Kubectl({ binary, kubeconfig, home: directory, namespace: "default" });
        const given = kubectl.given(JSON.stringify(person("grace", "Grace")));
        expect(await given.ok("apply -f -")).toBe("person.example.com/grace created");
        expect(await kubectl.ok("get people.v1.example.com grace -o jsonpath={.spec.fullName}")).toBe("Grace Lovelace");
        expect(await kubectl.given(JSON.stringify(person("no", "Nobody"))).fails("create -f -")).toContain(
          "nobody is refused",
        );
        expect(await kubectl.ok("delete people grace")).toContain('"grace" deleted');
      },
    );
  });

  it("stops with SIGTERM while a watch is open", async () => {
    const watch = admin.request("GET", "/api/v1/namespaces?watch=true").catch(() => undefined);
    expect(await suite.stopApiServer()).toBe(0);
    await watch;
  });
});

describe("a suite that restarts kube-apiserver beside the same etcd", () => {
  async function restart(programs: string): Promise<void> {
    const suite = new Envtest(programs);
    try {
      await suite.start();
      const admin = AdminClient.fromKubeconfig(suite.addUser("admin", "system:masters"));
      const created = await admin.request("POST", "/api/v1/namespaces", { metadata: { name: "kept" } });
      admin.close();
      await suite.stopApiServer();
      await suite.startApiServer();
      const again = AdminClient.fromKubeconfig(suite.addUser("admin", "system:masters"));
      const found = await again.request("GET", "/api/v1/namespaces/kept");
      again.close();
      expect((found.body as Parsed).metadata.uid).toBe((created.body as Parsed).metadata.uid);
    } finally {
      await suite.stop();
    }
  }

  it("finds its objects again although the stand-in for etcd stores nothing", () => restart(assets));

  it.skipIf(etcdBinary === undefined)(
    `finds its objects again in a real etcd${etcdBinary === undefined ? ` (${skipMessage("etcd")})` : ""}`,
    async () => {
      const mixed = join(directory, "with-etcd");
      expect((await run(mixed, `--etcd=${etcdBinary}`)).code).toBe(0);
      await restart(mixed);
    },
  );
});

const TEXT = { type: "string" };
const version = (name: string, properties: object, storage: boolean) => ({
  name,
  storage,
  served: true,
  schema: {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
  },
});

/** v1 has `spec.fullName`, which v2 splits into `spec.first` and `spec.last`. */
const PEOPLE = {
  metadata: { name: "people.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "people", singular: "person", kind: "Person" },
    versions: [version("v1", { fullName: TEXT }, true), version("v2", { first: TEXT, last: TEXT }, false)],
  },
};

/** The operator: refuses people called Nobody, and converts between both versions. */
const answerReviews: RequestListener = async (incoming, outgoing) => {
  const { apiVersion, kind, request } = JSON.parse(await text(incoming)) as Parsed;
  const verdict = () => {
    const allowed = request.object.spec.first !== "Nobody";
    return { allowed, ...(!allowed && { status: { code: 403, message: "nobody is refused" } }) };
  };
  const converted = () => ({
    result: { status: "Success" },
    convertedObjects: request.objects.map((object: Parsed) => convert(object, request.desiredAPIVersion)),
  });
  const response = { uid: request.uid, ...(incoming.url?.startsWith("/validate") ? verdict() : converted()) };
  outgoing.setHeader("Content-Type", "application/json");
  outgoing.end(JSON.stringify({ apiVersion, kind, response }));
};

function convert(object: Parsed, apiVersion: string): Parsed {
  const { fullName = "", first, last } = object.spec;
  const [given, family] = fullName.split(" ");
  const spec = apiVersion.endsWith("v1") ? { fullName: `${first} ${last}` } : { first: given, last: family };
  return { ...object, apiVersion, spec };
}
