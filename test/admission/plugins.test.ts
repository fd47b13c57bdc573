import { beforeEach, describe, expect, it } from "vitest";
import { createAdmissionChain } from "../../runtime/admission/create-admission-chain.ts";
import { selectPlugins } from "../../runtime/admission/plugin-names.ts";
import { createNamespaceLifecycle } from "../../runtime/admission/plugins/namespace-lifecycle.ts";
import { createPriority } from "../../runtime/admission/plugins/priority.ts";
import { createServiceAccount } from "../../runtime/admission/plugins/service-account.ts";
import type { Pod } from "../../runtime/admission/pod-shape.ts";
import type { AdmissionPlugin } from "../../runtime/contract/admission.ts";
import type { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, core, environmentOver, FIRST_ROUND, firstObjects, pod } from "./admission-requests.ts";

let objects: InMemoryObjects;
beforeEach(async () => {
  objects = await firstObjects();
});

describe("which admission plugins run", () => {
  it("enables the default plugins of Kubernetes, in Kubernetes' order", () => {
    const names = selectPlugins({});
    expect(names.slice(0, 4)).toEqual(["NamespaceLifecycle", "LimitRanger", "ServiceAccount", "TaintNodesByCondition"]);
    expect(names.at(-1)).toBe("ResourceQuota");
    expect(names).not.toContain("NodeRestriction");
  });

  it("applies --enable- and --disable-admission-plugins and rejects unknown names and contradictions", () => {
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
    expect(() => createAdmissionChain({ environment, enable: ["MutatingAdmissionPolicy"] })).toThrow(
      "not part of this server",
    );
    expect(() => createAdmissionChain({ environment, enable: ["EventRateLimit"] })).toThrow("needs a configuration");
  });

  it("runs mutating plugins, then guards, then validating plugins, and plugins of a caller at their place", async () => {
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
      "mutate MutatingAdmissionWebhook",
      "mutate ValidatingAdmissionWebhook",
      "mutate Guard",
      "validate MutatingAdmissionWebhook",
      "validate ValidatingAdmissionWebhook",
    ]);
  });
});

describe("NamespaceLifecycle", () => {
  it("rejects new objects in a terminating namespace and names the cause", async () => {
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

  it("rejects the deletion of a system namespace", async () => {
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

  it("sets the default service account of a pod and mounts its token once", async () => {
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

  it("mounts no token where automount is off, and copies image pull secrets of the account", async () => {
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

  it("rejects an unknown service account, and waits a short time for the default one", async () => {
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

  it("limits pods to the secrets of an account with the annotation enforce-mountable-secrets", async () => {
    await objects.seed(core("serviceaccounts"), {
      metadata: {
        name: "strict",
        namespace: "default",
        annotations: { "kubernetes.io/enforce-mountable-secrets": "true" },
      },
      secrets: [{ name: "mine" }],
    });
    const early = admissionRequest(
      "/pods",
      pod({ serviceAccountName: "strict", volumes: [{ name: "v", secret: {} }] }),
    );
    await expect(createServiceAccount(environmentOver(objects)).mutate?.(early, FIRST_ROUND)).rejects.toThrow(
      "is not allowed because service account strict does not reference that secret",
    );
    const env = [{ name: "A", valueFrom: { secretKeyRef: { name: "other" } } }];
    await expect(admit(pod({ serviceAccountName: "strict", containers: [{ name: "main", env }] }))).rejects.toThrow(
      'container main with envVar A referencing secret.secretName="other" is not allowed because service account strict does not reference that secret',
    );
    await admit(pod({ serviceAccountName: "strict", volumes: [{ name: "v", secret: { secretName: "mine" } }] }));
    // CVE-2024-3177: whole secrets as environment; CVE-2023-2728: containers that are added later.
    const envFrom = [{ secretRef: { name: "other" } }];
    for (const list of ["containers", "initContainers"])
      await expect(admit(pod({ serviceAccountName: "strict", [list]: [{ name: "main", envFrom }] }))).rejects.toThrow(
        'with envFrom referencing secret.secretName="other" is not allowed',
      );
    const debugged = pod({ serviceAccountName: "strict", ephemeralContainers: [{ name: "debug", envFrom }] });
    const request = admissionRequest("/pods/ephemeralcontainers", debugged, { operation: "UPDATE" });
    await expect(createServiceAccount(environmentOver(objects)).validate?.(request)).rejects.toThrow(
      'ephemeral container debug with envFrom referencing secret.secretName="other" is not allowed',
    );
  });

  it("rejects mirror pods with service accounts or secrets", async () => {
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

describe("Priority", () => {
  it("rejects the deletion of the system's priority classes", async () => {
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
