import { expect, it } from "vitest";
import { createPodSecurity } from "../../runtime/admission/plugins/pod-security.ts";
import { admissionRequest, core, environmentOver, firstObjects, pod } from "./admission-requests.ts";

const root = {
  securityContext: { seccompProfile: { type: "RuntimeDefault" }, runAsUser: 0 },
  containers: [
    {
      name: "main",
      image: "i",
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, procMount: "Unmasked" },
    },
  ],
};

async function check(spec: object, gates: readonly string[]): Promise<string> {
  const objects = await firstObjects();
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await objects.seed(core("namespaces"), { metadata: { name: "strict", labels } });
  const environment = environmentOver(objects, { featureEnabled: (gate) => gates.includes(gate) });
  const request = admissionRequest("/pods", pod(spec), { namespace: "strict" });
  const refused = async () => createPodSecurity(environment).validate?.(request);
  return refused().then(
    () => "allowed",
    ({ message }: Error) => message.replace(/.*latest": /, ""),
  );
}

it("allows pods in a user namespace of their own to run as root where the feature for that is on", async () => {
  const violations =
    'procMount (container "main" must not set securityContext.procMount to "Unmasked"), runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), runAsUser=0 (pod must not set runAsUser=0)';
  const gate = ["UserNamespacesPodSecurityStandards"];
  expect(await check({ ...root, hostUsers: false }, gate)).toBe("allowed");
  expect(await check({ ...root, hostUsers: false }, [])).toBe(violations);
  expect(await check({ ...root, hostUsers: true }, gate)).toBe(violations);
  expect(await check(root, gate)).toBe(violations);
});
