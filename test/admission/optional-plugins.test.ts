import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requestedOrganizations } from "../../runtime/admission/certificate-request.ts";
import { createAdmissionChain } from "../../runtime/admission/create-admission-chain.ts";
import type { Pod } from "../../runtime/admission/pod-shape.ts";
import type { AdmissionRequest } from "../../runtime/contract/admission.ts";
import { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { admissionRequest, environmentOver } from "./admission-requests.ts";

const DEFAULTS = [
  "NamespaceLifecycle",
  "ServiceAccount",
  "PodSecurity",
  "Priority",
  "DefaultTolerationSeconds",
  "RuntimeClass",
];
const objects = new InMemoryObjects();

/** Runs a request through one plugin that is disabled by default, without other plugins that would affect it. */
async function admit<T extends AdmissionRequest>(name: string, request: T): Promise<T> {
  const chain = createAdmissionChain({ environment: environmentOver(objects), enable: [name], disable: DEFAULTS });
  await chain.mutate(request);
  await chain.validate(request);
  return request;
}
const pod = (spec: object) => ({
  metadata: { name: "p" },
  spec: { containers: [{ name: "main", image: "i" }], ...spec },
});

describe("plugins that are off by default", () => {
  it("AlwaysPullImages sets the pull policy Always on containers and image volumes", async () => {
    const request = await admit(
      "AlwaysPullImages",
      admissionRequest("/pods", pod({ volumes: [{ name: "v", image: { reference: "x" } }] })),
    );
    const { spec } = request.object as Pod;
    expect(spec.containers[0]).toMatchObject({ imagePullPolicy: "Always" });
    expect(spec.volumes?.[0]).toMatchObject({ image: { pullPolicy: "Always" } });
    const same = admissionRequest("/pods", pod({}), { operation: "UPDATE", oldObject: pod({}) as never });
    expect(((await admit("AlwaysPullImages", same)).object as Pod).spec.containers[0]).not.toHaveProperty(
      "imagePullPolicy",
    );
  });

  it("AlwaysPullImages keeps the pull policy of ephemeral containers that are added later", async () => {
    const debugged = pod({ ephemeralContainers: [{ name: "debug", image: "d", imagePullPolicy: "IfNotPresent" }] });
    const request = admissionRequest("/pods/ephemeralcontainers", debugged, {
      operation: "UPDATE",
      oldObject: pod({}) as never,
    });
    const { spec } = (await admit("AlwaysPullImages", request)).object as Pod;
    expect(spec.ephemeralContainers).toMatchObject([{ imagePullPolicy: "IfNotPresent" }]);
    expect(spec.containers[0]).not.toHaveProperty("imagePullPolicy");
  });

  it("NamespaceExists rejects objects in missing namespaces; NamespaceAutoProvision creates the namespace", async () => {
    const request = () => admissionRequest("/configmaps", { metadata: { name: "c" } }, { namespace: "absent" });
    await expect(admit("NamespaceExists", request())).rejects.toThrow('namespaces "absent" not found');
    await admit("NamespaceAutoProvision", { ...request(), dryRun: true });
    expect(await objects.get({ group: "", resource: "namespaces" }, "", "absent")).toBeUndefined();
    await admit("NamespaceAutoProvision", request());
    await admit("NamespaceExists", request());
  });

  it("LimitPodHardAntiAffinityTopology rejects required anti-affinity with a topology other than the host name", async () => {
    const keep = (topologyKey: string) =>
      admissionRequest(
        "/pods",
        pod({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } } }),
      );
    await admit("LimitPodHardAntiAffinityTopology", keep("kubernetes.io/hostname"));
    await expect(admit("LimitPodHardAntiAffinityTopology", keep("zone"))).rejects.toThrow(
      "has TopologyKey zone but only key kubernetes.io/hostname is allowed",
    );
  });

  it("ExtendedResourceToleration adds tolerations for the extended resources that a pod requests", async () => {
    const resources = { requests: { cpu: "1", "example.com/gpu": "1" } };
    const request = await admit(
      "ExtendedResourceToleration",
      admissionRequest("/pods", pod({ containers: [{ name: "main", resources }] })),
    );
    expect((request.object as Pod).spec.tolerations).toEqual([
      { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" },
    ]);
  });

  it("ExtendedResourceToleration keeps a toleration that a pod has already at its place", async () => {
    const tolerations = [
      { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" },
      { key: "zone", operator: "Exists" },
    ];
    const resources = { requests: { "example.com/gpu": "1", "example.com/net": "1" } };
    const request = await admit(
      "ExtendedResourceToleration",
      admissionRequest("/pods", pod({ containers: [{ name: "main", resources }], tolerations })),
    );
    expect((request.object as Pod).spec.tolerations).toEqual([
      ...tolerations,
      { key: "example.com/net", operator: "Exists", effect: "NoSchedule" },
    ]);
  });

  it("PodTolerationRestriction adds no toleration of memory pressure to pods of the class BestEffort", async () => {
    const resources = { requests: { memory: "1Gi" } };
    const keys = async (part: object, gates: readonly string[] = []) => {
      const request = admissionRequest("/pods", { ...pod({}), ...part });
      const featureEnabled = (gate: string) => gates.includes(gate);
      const chain = createAdmissionChain({
        environment: environmentOver(objects, { featureEnabled }),
        enable: ["PodTolerationRestriction"],
        disable: DEFAULTS,
      });
      await chain.mutate(request);
      return (request.object as Pod).spec.tolerations?.map(({ key }) => key) ?? [];
    };
    const pressure = ["node.kubernetes.io/memory-pressure"];
    expect(await keys(pod({}))).toEqual([]);
    expect(await keys(pod({ containers: [{ name: "main", resources }] }))).toEqual(pressure);
    expect(await keys(pod({ resources }))).toEqual([]);
    expect(await keys(pod({ resources }), ["PodLevelResources"])).toEqual(pressure);
    expect(await keys({ status: { qosClass: "Burstable" } })).toEqual(pressure);
  });

  it("DenyServiceExternalIPs rejects new external IPs and keeps existing ones", async () => {
    const service = (...externalIPs: string[]) => ({ metadata: { name: "s" }, spec: { externalIPs } });
    const change = (to: object, from?: object) =>
      admit(
        "DenyServiceExternalIPs",
        admissionRequest("/services", to, from && { operation: "UPDATE", oldObject: from as never }),
      );
    await change(service("192.0.2.1"), service("192.0.2.1", "192.0.2.2"));
    await expect(change(service("192.0.2.1"))).rejects.toThrow("Use of external IPs is denied by admission control");
  });

  it("AlwaysDeny rejects every request", async () => {
    await expect(admit("AlwaysDeny", admissionRequest("/configmaps", {}))).rejects.toThrow(
      "admission control is denying all modifications",
    );
  });
});

describe("a certificate request", () => {
  it("of random bytes is parsed or rejected, and never throws another error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const body = Buffer.from(bytes).toString("base64");
        const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${body}\n-----END CERTIFICATE REQUEST-----\n`;
        const organizations = requestedOrganizations(Buffer.from(pem).toString("base64"));
        expect(organizations === undefined || Array.isArray(organizations)).toBe(true);
      }),
    );
  });
});
