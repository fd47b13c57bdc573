import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { configMap, deployment, manifest } from "./manifests.ts";

export function deleting(cluster: Kubectl): void {
  describe("deleting", () => {
    const kubectl = cluster.in("deleting");

    /** Creates an owner and a dependent that blocks its deletion. */
    async function family(name: string): Promise<void> {
      await kubectl.given(configMap(name, {})).ok("create -f -");
      const uid = await kubectl.ok(`get cm ${name} -o jsonpath={.metadata.uid}`);
      const owner = { apiVersion: "v1", kind: "ConfigMap", name, uid, blockOwnerDeletion: true };
      const child = manifest("ConfigMap", `${name}-child`, {
        metadata: { name: `${name}-child`, ownerReferences: [owner] },
      });
      await kubectl.given(child).ok("create -f -");
    }

    beforeAll(() => cluster.ok("create namespace deleting"));

    it("deletes by name, by selector and all", async () => {
      const maps = ["a", "b", "c", "d"].map((name) =>
        configMap(name, {}, `{ odd: "${name < "c"}", group: deletable }`),
      );
      await kubectl.given(maps.join("---")).ok("create -f -");
      expect(await kubectl.ok("delete cm a")).toBe('configmap "a" deleted');
      expect(await kubectl.ok("delete cm -l odd=true")).toBe('configmap "b" deleted');
      expect(await kubectl.ok("delete cm -l group=deletable --wait=false")).toBe(
        'configmap "c" deleted\nconfigmap "d" deleted',
      );
      expect(await kubectl.fails("delete cm a")).toContain("(NotFound)");
      expect(await kubectl.ok("delete cm a --ignore-not-found")).toBe("");
    });

    it("deletes dependents in the background", async () => {
      await family("background");
      await kubectl.ok("delete cm background");
      expect(await kubectl.ok("wait --for=delete cm/background-child --timeout=300s")).toMatch(/^(configmap.* met)?$/);
    });

    it("deletes dependents first when asked", async () => {
      await family("foreground");
      await kubectl.ok("delete cm foreground --cascade=foreground --timeout=300s");
      expect(await kubectl.fails("get cm foreground-child")).toContain("(NotFound)");
    });

    it("orphans dependents when asked", async () => {
      await family("orphaning");
      await kubectl.ok("delete cm orphaning --cascade=orphan --timeout=300s");
      expect(await kubectl.ok("get cm orphaning-child -o jsonpath={.metadata.ownerReferences}")).toBe("");
    });

    it("waits for finalizers", async () => {
      const finalized = manifest("ConfigMap", "kept", { metadata: { name: "kept", finalizers: ["example.com/hold"] } });
      await kubectl.given(finalized).ok("create -f -");
      expect(await kubectl.fails("delete cm kept --timeout=1s")).toContain("timed out waiting for the condition");
      expect(await kubectl.ok("get cm kept -o jsonpath={.metadata.deletionTimestamp}")).toMatch(/^\d{4}-/);
      const waiting = kubectl.run("wait --for=delete cm/kept --timeout=300s");
      await kubectl.ok("patch cm kept --type=merge -p", '{"metadata":{"finalizers":null}}');
      expect((await waiting).code).toBe(0);
      expect(await kubectl.fails("get cm kept")).toContain("(NotFound)");
    });

    it("gives pods on nodes their grace, and takes it by force", async () => {
      const spec = { nodeName: "far", containers: [{ name: "c", image: "i" }] };
      const pod = manifest("Pod", "bound", { spec });
      await kubectl.given(pod).ok("create -f -");
      await kubectl.ok("delete pod bound --wait=false --grace-period=45");
      expect(await kubectl.ok("get pod bound -o jsonpath={.metadata.deletionGracePeriodSeconds}")).toBe("45");
      expect(await kubectl.ok("get pod bound")).toMatch(/bound +0\/1 +Terminating/);
      await kubectl.ok("delete pod bound --force --grace-period=0");
      expect(await kubectl.fails("get pod bound")).toContain("(NotFound)");
      await kubectl.ok("run unbound --image=i");
      await kubectl.ok("delete pod unbound --timeout=300s");
    });

    it("empties a namespace before it goes", async () => {
      await cluster.ok("create namespace doomed");
      const doomed = cluster.in("doomed");
      await doomed.given([deployment("web"), configMap("a", {})].join("---")).ok("create -f -");
      await cluster.ok("delete namespace doomed --timeout=30s");
      expect(await doomed.ok("get deploy,cm -o name")).toBe("");
      expect(await doomed.fails("create cm late")).toContain('namespaces "doomed" not found');
      expect(await cluster.fails("delete namespace default")).toContain("this namespace may not be deleted");
    });
  });
}
