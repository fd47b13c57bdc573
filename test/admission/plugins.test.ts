import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createAdmissionChain } from "../../runtime/admission/create-admission-chain.ts";
import { selectPlugins } from "../../runtime/admission/plugin-names.ts";
import { createCertificateApproval } from "../../runtime/admission/plugins/certificate-approval.ts";
import { createCertificateSigning } from "../../runtime/admission/plugins/certificate-signing.ts";
import { createCertificateSubjectRestriction } from "../../runtime/admission/plugins/certificate-subject-restriction.ts";
import { createNamespaceLifecycle } from "../../runtime/admission/plugins/namespace-lifecycle.ts";
import { createNodeRestriction } from "../../runtime/admission/plugins/node-restriction.ts";
import { createPersistentVolumeClaimResize } from "../../runtime/admission/plugins/persistent-volume-claim-resize.ts";
import { createPriority } from "../../runtime/admission/plugins/priority.ts";
import { createResourceQuota } from "../../runtime/admission/plugins/resource-quota.ts";
import { createServiceAccount } from "../../runtime/admission/plugins/service-account.ts";
import type { Pod } from "../../runtime/admission/pod-shape.ts";
import type { AdmissionPlugin } from "../../runtime/contract/admission.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, environmentOver, FIRST_ROUND } from "./admission-requests.ts";

const core = (resource: string) => ({ group: "", resource });
const pod = (spec: object = {}, metadata: object = {}) => ({
  kind: "Pod",
  metadata: { name: "p", ...metadata },
  spec: { containers: [{ name: "main" }], ...spec },
});
let objects: InMemoryObjects;
beforeEach(async () => {
  objects = new InMemoryObjects();
  await objects.seed(core("namespaces"), { metadata: { name: "default" }, status: { phase: "Active" } });
  await objects.seed(core("serviceaccounts"), { metadata: { name: "default", namespace: "default" } });
});

describe("the choice of plugins", () => {
  it("starts from those Kubernetes enables, in its order", () => {
    const names = selectPlugins({});
    expect(names.slice(0, 4)).toEqual(["NamespaceLifecycle", "LimitRanger", "ServiceAccount", "TaintNodesByCondition"]);
    expect(names.at(-1)).toBe("ResourceQuota");
    expect(names).not.toContain("NodeRestriction");
  });

  it("follows the flags and refuses unknown names and contradictions", () => {
    expect(selectPlugins({ enable: ["NodeRestriction"], disable: ["ServiceAccount"] }).slice(0, 4)).toEqual([
      "NamespaceLifecycle",
      "LimitRanger",
      "NodeRestriction",
      "TaintNodesByCondition",
    ]);
    expect(() => selectPlugins({ enable: ["PodSecurty"] })).toThrow(
      'enable-admission-plugins plugin "PodSecurty" is unknown (did you mean "PodSecurity"?)',
    );
    expect(() => selectPlugins({ enable: ["Priority"], disable: ["Priority"] })).toThrow("overlapped");
    const environment = environmentOver(objects);
    expect(() => createAdmissionChain({ environment, enable: ["EventRateLimit"] })).toThrow("not part of this server");
  });

  it("runs mutating before validating steps, guards first, foreign plugins in their place", async () => {
    const order: string[] = [];
    const plugin = (name: string): AdmissionPlugin => ({
      name,
      operations: new Set(["CREATE"]),
      mutate: () => void order.push(`mutate ${name}`),
      validate: () => void order.push(`validate ${name}`),
    });
    const chain = createAdmissionChain({
      environment: environmentOver(objects),
      disable: ["NamespaceLifecycle"],
      plugins: [plugin("ValidatingAdmissionWebhook"), plugin("MutatingAdmissionWebhook"), plugin("NamespaceLifecycle")],
      guards: [plugin("Guard")],
    });
    const request = admissionRequest("/configmaps", {});
    await chain.mutate(request);
    await chain.validate(request);
    await chain.mutate(admissionRequest("/configmaps", {}, { operation: "UPDATE" }));
    expect(order).toEqual([
      "mutate Guard",
      "mutate MutatingAdmissionWebhook",
      "mutate ValidatingAdmissionWebhook",
      "validate Guard",
      "validate MutatingAdmissionWebhook",
      "validate ValidatingAdmissionWebhook",
    ]);
  });
});

describe("NamespaceLifecycle", () => {
  it("keeps content out of terminating namespaces, naming the cause", async () => {
    await objects.seed(core("namespaces"), { metadata: { name: "going" }, status: { phase: "Terminating" } });
    const plugin = createNamespaceLifecycle(environmentOver(objects));
    const request = admissionRequest("/configmaps", { metadata: { name: "x" } }, { namespace: "going" });
    await expect(plugin.mutate?.(request, FIRST_ROUND)).rejects.toMatchObject({
      status: {
        code: 403,
        message:
          'configmaps "x" is forbidden: unable to create new content in namespace going because it is being terminated',
        details: { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] },
      },
    });
    await plugin.mutate?.({ ...request, operation: "UPDATE" }, FIRST_ROUND);
    await plugin.mutate?.({ ...request, operation: "DELETE" }, FIRST_ROUND);
  });

  it("lets no one delete the namespaces a cluster needs", async () => {
    const plugin = createNamespaceLifecycle(environmentOver(objects));
    const remove = (name: string) =>
      plugin.mutate?.(
        admissionRequest("/namespaces", undefined, {
          operation: "DELETE",
          name,
          namespace: "",
          kind: { group: "", version: "v1", kind: "Namespace" },
        }),
        FIRST_ROUND,
      );
    await expect(remove("kube-system")).rejects.toThrow(
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    );
    await remove("web");
  });
});

describe("ServiceAccount", () => {
  const admit = async (object: object) => {
    const plugin = createServiceAccount(environmentOver(objects));
    const request = admissionRequest("/pods", object);
    await plugin.mutate?.(request, FIRST_ROUND);
    await plugin.validate?.(request);
    return (request.object as Pod).spec;
  };

  it("gives a pod the default account and mounts its token once", async () => {
    const spec = await admit(pod({ initContainers: [{ name: "init" }] }));
    expect(spec).toMatchObject({ serviceAccountName: "default", serviceAccount: "default" });
    const mount = {
      name: "kube-api-access-abcd0",
      readOnly: true,
      mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
    };
    expect(spec.containers[0]?.volumeMounts).toEqual([mount]);
    expect(spec.initContainers?.[0]?.volumeMounts).toEqual([mount]);
    expect(spec.volumes).toEqual([
      {
        name: "kube-api-access-abcd0",
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
            {
              downwardAPI: {
                items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
              },
            },
          ],
        },
      },
    ]);
    const again = await admit({ metadata: { name: "p" }, spec });
    expect(again.volumes).toHaveLength(1);
    expect(again.containers[0]?.volumeMounts).toHaveLength(1);
  });

  it("mounts nothing for those who do not want it, and passes on pull secrets", async () => {
    await objects.seed(core("serviceaccounts"), {
      metadata: { name: "quiet", namespace: "default" },
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: "registry" }],
    });
    const spec = await admit(pod({ serviceAccountName: "quiet" }));
    expect(spec.volumes).toBeUndefined();
    expect(spec.imagePullSecrets).toEqual([{ name: "registry" }]);
    expect((await admit(pod({ automountServiceAccountToken: false }))).volumes).toBeUndefined();
  });

  it("refuses unknown accounts, and waits a little for the default one", async () => {
    await expect(admit(pod({ serviceAccountName: "nobody" }))).rejects.toThrow(
      'pods "p" is forbidden: error looking up service account default/nobody: serviceaccount "nobody" not found',
    );
    let waits = 0;
    const environment = environmentOver(objects, {
      delay: async () => {
        if (++waits === 3)
          await objects.seed(core("serviceaccounts"), { metadata: { name: "default", namespace: "new" } });
      },
    });
    const request = admissionRequest("/pods", pod(), { namespace: "new" });
    await createServiceAccount(environment).mutate?.(request, FIRST_ROUND);
    expect(waits).toBe(3);
  });

  it("holds pods to the secrets of an account that asks for it", async () => {
    await objects.seed(core("serviceaccounts"), {
      metadata: {
        name: "strict",
        namespace: "default",
        annotations: { "kubernetes.io/enforce-mountable-secrets": "true" },
      },
      secrets: [{ name: "mine" }],
    });
    const env = [{ name: "A", valueFrom: { secretKeyRef: { name: "other" } } }];
    await expect(admit(pod({ serviceAccountName: "strict", containers: [{ name: "main", env }] }))).rejects.toThrow(
      'container main with envVar A referencing secret.secretName="other" is not allowed because service account strict does not reference that secret',
    );
    await admit(pod({ serviceAccountName: "strict", volumes: [{ name: "v", secret: { secretName: "mine" } }] }));
  });

  it("lets mirror pods have neither accounts nor secrets", async () => {
    const metadata = { annotations: { "kubernetes.io/config.mirror": "x" } };
    expect((await admit(pod({}, metadata))).serviceAccountName).toBeUndefined();
    await expect(admit(pod({ serviceAccountName: "default" }, metadata))).rejects.toThrow(
      "a mirror pod may not reference service accounts",
    );
    await expect(admit(pod({ volumes: [{ name: "v", secret: {} }] }, metadata))).rejects.toThrow(
      "a mirror pod may not reference secrets",
    );
  });
});

describe("ResourceQuota", () => {
  const quota = (hard: Record<string, string>, used: Record<string, string>, spec = {}) =>
    objects.seed(core("resourcequotas"), {
      metadata: { name: "q", namespace: "default" },
      spec,
      status: { hard, used },
    });
  const used = async () =>
    ((await objects.get(core("resourcequotas"), "default", "q")) as ApiObject & { status: { used: object } }).status
      .used;

  it("books concurrent requests one after the other and never too many", async () => {
    await quota({ configmaps: "3" }, { configmaps: "0" });
    const plugin = createResourceQuota(environmentOver(objects));
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((n) => plugin.validate?.(admissionRequest("/configmaps", { metadata: { name: `c${n}` } }))),
    );
    expect(results.map((result) => result.status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(await used()).toEqual({ configmaps: "3" });
  });

  it("books growth only, and nothing on a dry run", async () => {
    await quota({ "requests.storage": "3Gi" }, { "requests.storage": "1Gi" });
    const plugin = createResourceQuota(environmentOver(objects));
    const claim = (storage: string) => ({
      metadata: { name: "c", resourceVersion: "1" },
      spec: { resources: { requests: { storage } } },
    });
    const grow = (to: string, dryRun = false) =>
      plugin.validate?.(
        admissionRequest("/persistentvolumeclaims", claim(to), {
          operation: "UPDATE",
          oldObject: claim("1Gi") as never,
          dryRun,
        }),
      );
    await grow("2Gi", true);
    expect(await used()).toEqual({ "requests.storage": "1Gi" });
    await grow("2Gi");
    expect(await used()).toEqual({ "requests.storage": "2Gi" });
    await expect(grow("5Gi")).rejects.toThrow(
      "exceeded quota: q, requested: requests.storage=4Gi, used: requests.storage=2Gi, limited: requests.storage=3Gi",
    );
  });

  it("counts only pods in its scopes, with overhead and the largest init container", async () => {
    await quota(
      { pods: "10", "requests.cpu": "10" },
      { pods: "0", "requests.cpu": "0" },
      { scopes: ["NotBestEffort"] },
    );
    const plugin = createResourceQuota(environmentOver(objects));
    await plugin.validate?.(admissionRequest("/pods", pod()));
    expect(await used()).toEqual({ pods: "0", "requests.cpu": "0" });
    const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });
    const spec = {
      containers: [
        { name: "a", ...cpu("1") },
        { name: "b", ...cpu("500m") },
      ],
      initContainers: [
        { name: "side", restartPolicy: "Always", ...cpu("250m") },
        { name: "big", ...cpu("3") },
      ],
      overhead: { cpu: "100m" },
    };
    await plugin.validate?.(admissionRequest("/pods", pod(spec)));
    expect(await used()).toEqual({ pods: "1", "requests.cpu": "3350m" });
  });

  it("refuses while a quota's usage is unknown", async () => {
    await objects.seed(core("resourcequotas"), {
      metadata: { name: "q", namespace: "default" },
      status: { hard: { pods: "1" } },
    });
    const plugin = createResourceQuota(environmentOver(objects));
    await expect(plugin.validate?.(admissionRequest("/pods", pod()))).rejects.toThrow(
      "status unknown for quota: q, resources: pods",
    );
  });
});

describe("PersistentVolumeClaimResize", () => {
  it("lets bound claims grow where their class allows", async () => {
    await objects.seed({ group: "storage.k8s.io", resource: "storageclasses" }, { metadata: { name: "fixed" } });
    const claim = (storage: string, phase = "Bound") => ({
      metadata: { name: "c" },
      spec: { storageClassName: "fixed", resources: { requests: { storage } } },
      status: { phase },
    });
    const plugin = createPersistentVolumeClaimResize(environmentOver(objects));
    const resize = (old: object) =>
      plugin.validate?.(
        admissionRequest("/persistentvolumeclaims", claim("2Gi"), { operation: "UPDATE", oldObject: old as never }),
      );
    await expect(resize(claim("1Gi", "Pending"))).rejects.toThrow(
      "Only bound persistent volume claims can be expanded",
    );
    await expect(resize(claim("1Gi"))).rejects.toThrow("only dynamically provisioned pvc can be resized");
    await resize(claim("2Gi"));
  });
});

describe("certificate plugins", () => {
  const target = "certificates.k8s.io/certificatesigningrequests";
  const deny = { authorizer: { authorize: () => ({ decision: "noOpinion" as const, reason: "" }) } };
  const csr = (signerName: string, status = {}, request = "") => ({
    metadata: { name: "c" },
    spec: { signerName, request },
    status,
  });

  it("ask for the right to approve and to sign, by signer or its domain", async () => {
    const asked: string[] = [];
    const authorizer = {
      authorize: (attributes: AccessAttributes) => {
        if ("resource" in attributes) asked.push(`${attributes.verb} ${attributes.name}`);
        return { decision: "noOpinion" as const, reason: "" };
      },
    };
    const old = csr("example.com/s") as never;
    const approval = admissionRequest(`${target}/approval`, csr("example.com/s"), {
      operation: "UPDATE",
      oldObject: old,
    });
    await expect(
      createCertificateApproval(environmentOver(objects, { authorizer })).validate?.(approval),
    ).rejects.toThrow(
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
    );
    expect(asked).toEqual(["approve example.com/s", "approve example.com/*"]);
    const signed = csr("example.com/s", { certificate: "x" });
    const signing = createCertificateSigning(environmentOver(objects, deny));
    await signing.validate?.(
      admissionRequest(`${target}/status`, csr("example.com/s"), { operation: "UPDATE", oldObject: old }),
    );
    await expect(
      signing.validate?.(admissionRequest(`${target}/status`, signed, { operation: "UPDATE", oldObject: old })),
    ).rejects.toThrow("user not permitted to sign requests");
  });

  it("let nobody into system:masters through a request", (context) => {
    const directory = mkdtempSync(join(tmpdir(), "csr-"));
    try {
      const make = (subject: string) => {
        const file = join(directory, "r.csr");
        execFileSync(
          "openssl",
          [
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            join(directory, "k"),
            "-subj",
            subject,
            "-out",
            file,
          ],
          { stdio: "ignore" },
        );
        return readFileSync(file).toString("base64");
      };
      const plugin = createCertificateSubjectRestriction(environmentOver(objects));
      const signer = "kubernetes.io/kube-apiserver-client";
      const check = (request: string, name = signer) =>
        plugin.validate?.(admissionRequest(target, csr(name, {}, request)));
      const masters = make("/O=dev/O=system:masters/CN=eve");
      expect(() => check(masters)).toThrow(`use of ${signer} signer with system:masters group is not allowed`);
      check(masters, "example.com/own");
      check(make("/O=dev/CN=bob"));
      expect(() => check(Buffer.from("junk").toString("base64"))).toThrow("failed to parse CSR");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      context.skip("no openssl here");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

describe("NodeRestriction", () => {
  const user = { name: "system:node:n1", groups: ["system:nodes"] };
  const admit = (target: string, object: object | undefined, parts = {}) =>
    createNodeRestriction(environmentOver(objects)).mutate?.(
      admissionRequest(target, object, { user, ...parts }),
      FIRST_ROUND,
    );

  it("keeps a node to itself", async () => {
    const node = (name: string, labels = {}) => ({ metadata: { name, labels } });
    await admit(
      "/nodes",
      node("n1", { "kubernetes.io/hostname": "n1", "node.kubernetes.io/x": "1", "example.com/y": "1" }),
    );
    await expect(admit("/nodes", node("n2"))).rejects.toThrow('node "n1" is not allowed to modify node "n2"');
    await expect(
      admit("/nodes", node("n1", { "node-role.kubernetes.io/admin": "", "node-restriction.kubernetes.io/a": "" })),
    ).rejects.toThrow(
      'node "n1" is not allowed to set the following labels: node-restriction.kubernetes.io/a, node-role.kubernetes.io/admin',
    );
    const taints = { metadata: { name: "n1" }, spec: { taints: [] } };
    const old = { metadata: { name: "n1" }, spec: { taints: [{ key: "k" }] } };
    await expect(admit("/nodes", taints, { operation: "UPDATE", oldObject: old })).rejects.toThrow(
      'node "n1" is not allowed to modify taints',
    );
  });

  it("keeps a node to its own pods, leases and tokens", async () => {
    await objects.seed(core("pods"), {
      metadata: { name: "mine", namespace: "default", uid: "u1" },
      spec: { nodeName: "n1" },
    });
    await objects.seed(core("pods"), {
      metadata: { name: "theirs", namespace: "default", uid: "u2" },
      spec: { nodeName: "n2" },
    });
    await admit("/pods", undefined, { operation: "DELETE", name: "mine" });
    await expect(admit("/pods", undefined, { operation: "DELETE", name: "theirs" })).rejects.toThrow(
      "can only delete pods with spec.nodeName set to itself",
    );
    await expect(admit("/pods", pod())).rejects.toThrow('pod does not have "kubernetes.io/config.mirror" annotation');
    await expect(
      admit("coordination.k8s.io/leases", { metadata: { name: "n2" } }, { namespace: "kube-node-lease" }),
    ).rejects.toThrow("same name as the requesting node");
    const token = (name: string, uid: string) =>
      admit(
        "/serviceaccounts/token",
        { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid } } },
        { name: "default" },
      );
    await token("mine", "u1");
    await expect(token("theirs", "u2")).rejects.toThrow(
      "node requested token bound to a pod scheduled on a different node",
    );
  });

  it("does not concern other users", async () => {
    await admit("/nodes", { metadata: { name: "n2" } }, { user: { name: "bob", groups: [] } });
  });
});

describe("Priority", () => {
  it("keeps the classes of the system", async () => {
    const plugin = createPriority(environmentOver(objects));
    const remove = (name: string) =>
      plugin.mutate?.(
        admissionRequest("scheduling.k8s.io/priorityclasses", undefined, { operation: "DELETE", name, namespace: "" }),
        FIRST_ROUND,
      );
    await expect(remove("system-cluster-critical")).rejects.toThrow(
      'priorityclasses.scheduling.k8s.io "system-cluster-critical" is forbidden: this is a system priority class and cannot be deleted',
    );
    await remove("mine");
  });
});
