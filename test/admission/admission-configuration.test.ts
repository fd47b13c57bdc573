import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { type HttpsServer, startHttps } from "../fixtures/https-server.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-admission-"));
const file = (name: string, document: object | string) => {
  const path = join(directory, name);
  writeFileSync(path, typeof document === "string" ? document : stringify(document));
  return path;
};
const configuration = (...plugins: object[]) => ({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "AdmissionConfiguration",
  plugins,
});
const podSecurity = (rest: object) => ({
  apiVersion: "pod-security.admission.config.k8s.io/v1",
  kind: "PodSecurityConfiguration",
  ...rest,
});

const resourceQuota = (rest: object) => ({
  apiVersion: "apiserver.config.k8s.io/v1",
  kind: "ResourceQuotaConfiguration",
  ...rest,
});

const rateLimit = (rest: object) => ({
  apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
  kind: "Configuration",
  ...rest,
});

const tolerations = (rest: object) => ({
  apiVersion: "podtolerationrestriction.admission.k8s.io/v1alpha1",
  kind: "Configuration",
  ...rest,
});

let plane: Plane;
let call: ReturnType<typeof createClient>;
let hooks: HttpsServer;
const authorizations = new Set<string>();

beforeAll(async () => {
  hooks = await startHttps((incoming, outgoing) => {
    let text = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => {
      authorizations.add(String(incoming.headers.authorization));
      const { apiVersion, kind, request } = JSON.parse(text);
      outgoing.setHeader("Content-Type", "application/json");
      outgoing.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: true } }));
    });
  });
  file("quota.yaml", {
    apiVersion: "resourcequota.admission.k8s.io/v1beta1",
    kind: "Configuration",
    limitedResources: [
      { resource: "persistentvolumeclaims", matchContains: [".storageclass.storage.k8s.io/requests.storage"] },
      { resource: "pods", matchScopes: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
    ],
  });
  const settings = podSecurity({
    defaults: { enforce: "baseline", warn: "restricted", "warn-version": "v1.20" },
    exemptions: { usernames: ["system:admin"], namespaces: ["exempt"], runtimeClasses: ["sandbox"] },
  });
  plane = await startPlane({
    flags: {
      "admission-control-config-file": file(
        "admission.yaml",
        configuration(
          { name: "PodSecurity", configuration: settings },
          { name: "ResourceQuota", path: "quota.yaml" },
          {
            name: "ValidatingAdmissionWebhook",
            configuration: {
              apiVersion: "apiserver.config.k8s.io/v1",
              kind: "WebhookAdmissionConfiguration",
              kubeConfigFile: file("webhooks.kubeconfig", {
                apiVersion: "v1",
                kind: "Config",
                users: [{ name: new URL(hooks.url).host, user: { token: "secret" } }],
              }),
            },
          },
        ),
      ),
    },
  });
  await plane.ready;
  call = createClient(plane);
  for (const name of ["plain", "exempt", "free"]) {
    const labels = name === "free" ? { "pod-security.kubernetes.io/enforce": "privileged" } : {};
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name, labels } } });
    await call("POST", `/api/v1/namespaces/${name}/serviceaccounts`, { body: { metadata: { name: "default" } } });
  }
  const body = { metadata: { name: "sandbox" }, handler: "sandbox" };
  await call("POST", "/apis/node.k8s.io/v1/runtimeclasses", { body });
});

afterAll(async () => {
  await plane.stop();
  await hooks.close();
  rmSync(directory, { recursive: true });
});

const create = (namespace: string, spec: object, headers = {}) =>
  call("POST", `/api/v1/namespaces/${namespace}/pods?dryRun=All`, {
    headers,
    body: { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }], ...spec } },
  });

describe("the configuration of admission", () => {
  it("sets the pod security level of namespaces without labels", async () => {
    const refused = await create("plain", { hostNetwork: true });
    expect(refused.status).toBe(403);
    expect(refused.body.message).toContain('violates PodSecurity "baseline:latest": host namespaces');
    const warned = await create("plain", {});
    expect(warned.status).toBe(201);
    expect(warned.headers.warning).toContain('would violate PodSecurity \\"restricted:v1.20\\"');
    expect((await create("free", { hostNetwork: true })).status).toBe(201);
  });

  it("exempts users, namespaces and runtime classes from pod security", async () => {
    expect((await create("exempt", { hostNetwork: true })).headers.warning).toBeUndefined();
    const asAdmin = { "Impersonate-User": "system:admin", "Impersonate-Group": "system:masters" };
    expect((await create("plain", { hostNetwork: true }, asAdmin)).status).toBe(201);
    expect((await create("plain", { hostNetwork: true, runtimeClassName: "sandbox" })).status).toBe(201);
    const labelled = await call("PATCH", "/api/v1/namespaces/exempt", {
      type: "application/merge-patch+json",
      body: { metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } } },
    });
    expect(labelled.headers.warning).toContain(
      'namespace \\"exempt\\" is exempt from Pod Security, and the policy (enforce=restricted:latest) will be ignored',
    );
  });

  it("names resources that need a quota", async () => {
    const claim = (storageClassName: string) =>
      call("POST", "/api/v1/namespaces/plain/persistentvolumeclaims?dryRun=All", {
        body: {
          metadata: { name: "c" },
          spec: { storageClassName, accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      });
    expect((await claim("")).status).toBe(201);
    const refused = await claim("gold");
    expect(refused.status).toBe(403);
    expect(refused.body.message).toBe(
      'persistentvolumeclaims "c" is forbidden: insufficient quota to consume: gold.storageclass.storage.k8s.io/requests.storage',
    );
    await call("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", {
      body: { metadata: { name: "high" }, value: 7 },
    });
    const uncovered = await create("plain", { priorityClassName: "high" });
    expect(uncovered.status).toBe(500);
    expect(uncovered.body.message).toBe("insufficient quota to match these scopes: [{PriorityClass In [high]}]");
    const quota = (name: string, spec: object) =>
      call("POST", "/api/v1/namespaces/plain/resourcequotas", { body: { metadata: { name }, spec } });
    await quota("storage", { hard: { "gold.storageclass.storage.k8s.io/requests.storage": "5Gi" } });
    await quota("pods", {
      hard: { pods: "3" },
      scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
    });
    await expect.poll(async () => (await claim("gold")).status).toBe(201);
    await expect.poll(async () => (await create("plain", { priorityClassName: "high" })).status).toBe(201);
  });

  it("configures the credentials that are sent to webhooks", async () => {
    await call("POST", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      body: {
        metadata: { name: "hooks" },
        webhooks: [
          {
            name: "hooks.example.com",
            clientConfig: { url: `${hooks.url}/a`, caBundle: Buffer.from(hooks.authority).toString("base64") },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          },
        ],
      },
    });
    const body = { metadata: { name: "m" } };
    const asked = async () => {
      await call("POST", "/api/v1/namespaces/plain/configmaps?dryRun=All", { body });
      return [...authorizations];
    };
    await expect.poll(asked).toEqual(["Bearer secret"]);
  });

  it.each([
    [[{ name: "PodSecurty" }], 'plugins[0].name: plugin "PodSecurty" is unknown (did you mean "PodSecurity"?)'],
    [[{ name: "" }], "plugins[0].name: is required"],
    [[{ name: "PodSecurity" }, { name: "PodSecurity" }], 'plugins[1].name: plugin "PodSecurity" is configured twice'],
    [[{ name: "EventRateLimit", configuration: rateLimit({ limits: [] }) }], "limits"],
    [[{ name: "EventRateLimit", configuration: rateLimit({ limits: [{ type: "Pod", qps: 1, burst: 1 }] }) }], "Pod"],
    [[{ name: "EventRateLimit", configuration: podSecurity({}) }], "cannot be used here"],
    [[{ name: "PodNodeSelector", configuration: { podNodeSelectorPluginConfig: { a: 1 } } }], "map of node selectors"],
    [
      [{ name: "ResourceQuota", configuration: resourceQuota({ limitedResources: [{ matchContains: ["a"] }] }) }],
      "limitedResources[0].resource: Required value",
    ],
    [
      [{ name: "PodTolerationRestriction", configuration: tolerations({ default: [{ key: "a", effect: "Never" }] }) }],
      'default[0].effect: Unsupported value: "Never"',
    ],
    [
      [{ name: "PodTolerationRestriction", configuration: tolerations({ whitelist: [{ operator: "Equal" }] }) }],
      'whitelist[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty',
    ],
    [[{ name: "ImagePolicyWebhook", configuration: { imagePolicy: {} } }], "imagePolicy.kubeConfigFile: is required"],
    [
      [{ name: "ImagePolicyWebhook", configuration: { imagePolicy: { kubeConfigFile: "k", allowTTL: 5000 } } }],
      "imagePolicy.allowTTL: must be from 1 to 1800, 0 for the default or -1 for none",
    ],
    [
      [{ name: "ImagePolicyWebhook", configuration: { imagePolicy: { kubeConfigFil: "k" } } }],
      'imagePolicy: unknown field "kubeConfigFil" (did you mean "kubeConfigFile"?)',
    ],
  ])("is rejected with the plugins %j", async (plugins, message) => {
    const flags = {
      "admission-control-config-file": file("odd.yaml", configuration(...plugins)),
      "enable-admission-plugins": "EventRateLimit,PodNodeSelector,PodTolerationRestriction,ImagePolicyWebhook",
    };
    await expect(startPlane({ flags, listen: false })).rejects.toThrow(message);
  });

  it("is ignored for plugins that are off", async () => {
    const path = file(
      "off.yaml",
      configuration(
        { name: "EventRateLimit", configuration: rateLimit({ limits: [] }) },
        { name: "ImagePolicyWebhook", path: "absent.yaml" },
        { name: "PodSecurity", path: "absent.yaml" },
      ),
    );
    const flags = { "admission-control-config-file": path, "disable-admission-plugins": "PodSecurity" };
    await (await startPlane({ flags, listen: false })).stop();
  });

  it.each([
    { name: "PodNodeSelector", configuration: { podNodeSelectorPluginConfig: null } },
    { name: "PodSecurity", configuration: podSecurity({ defaults: { enforce: "", "enforce-version": "" } }) },
  ])("may be empty: %j", async (plugin) => {
    const flags = {
      "admission-control-config-file": file("empty.yaml", configuration(plugin)),
      "enable-admission-plugins": "PodNodeSelector",
    };
    await (await startPlane({ flags, listen: false })).stop();
  });

  it.each(["EventRateLimit", "ImagePolicyWebhook"])("is required for %s", async (plugin) => {
    const flags = { "enable-admission-plugins": plugin };
    await expect(startPlane({ flags, listen: false })).rejects.toThrow(`plugin "${plugin}" needs`);
  });

  it.each([
    [podSecurity({ defaults: { enforce: "strict" } }), 'defaults.enforce: Invalid value: "strict": must be one of'],
    [podSecurity({ defaults: { "warn-version": "1.20" } }), 'defaults.warn-version: Invalid value: "1.20": must be'],
    [podSecurity({ exemptions: { namespaces: ["a", "a"] } }), 'exemptions.namespaces[1]: Duplicate value: "a"'],
    [podSecurity({ exemptions: { usernames: [""] } }), "username must not be empty"],
    [podSecurity({ defaults: { enforced: "baseline" } }), "enforced"],
    [{ apiVersion: "v1", kind: "Secret" }, "v1 Secret cannot be used here"],
  ])("is refused if it makes no sense: %j", async (settings, words) => {
    const path = file("bad.yaml", configuration({ name: "PodSecurity", configuration: settings }));
    const flags = { "admission-control-config-file": path };
    await expect(startPlane({ flags, listen: false })).rejects.toThrow(words);
  });
});
