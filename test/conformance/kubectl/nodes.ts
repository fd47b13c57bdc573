import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { manifest } from "./manifests.ts";

/** Nodes are plain objects here: labels, taints and similar changes work, and commands that need a running node fail with a clear message. */
export function nodes(cluster: Kubectl): void {
  describe("nodes", () => {
    const kubectl = cluster.in("nodes");

    beforeAll(async () => {
      await cluster.ok("create namespace nodes");
      await cluster.given(manifest("Node", "far")).ok("create -f -");
      await kubectl.ok("run lonely --image=example.com/lonely");
    });

    it("taints, cordons, uncordons and drains", async () => {
      expect(await cluster.ok("taint node far dedicated=db:NoSchedule")).toBe("node/far tainted");
      expect(await cluster.ok("cordon far")).toBe("node/far cordoned");
      expect(await cluster.ok("get node far --no-headers")).toMatch(/^far +\S*SchedulingDisabled/);
      expect(await cluster.ok("uncordon far")).toBe("node/far uncordoned");
      expect(await cluster.ok("taint node far dedicated-")).toBe("node/far untainted");
      expect(await cluster.ok("drain far")).toMatch(/node\/far drained$/);
    });

    it("keeps a pod that nothing runs waiting", async () => {
      expect(await kubectl.ok("get pod lonely --no-headers")).toMatch(/^lonely +0\/1 +Pending +0 /);
    });

    it("refuses what needs a node that runs the pod", async () => {
      expect(await kubectl.fails("exec lonely -- ls")).toBe(
        "Error from server (BadRequest): pod lonely does not have a host assigned",
      );
      expect(await kubectl.fails("attach lonely")).toContain("pod lonely does not have a host assigned");
      expect(await kubectl.fails("port-forward pod/lonely :80")).toContain(
        "pod is not running. Current status=Pending",
      );
      expect(await kubectl.fails("top pods")).toBe("error: Metrics API not available");
    });

    it("binds pods to nodes and evicts them", async () => {
      const binding = manifest("Binding", "lonely", { target: { kind: "Node", name: "far" } });
      await kubectl.given(binding).ok("create --raw /api/v1/namespaces/nodes/pods/lonely/binding -f -");
      expect(await kubectl.ok("get pod lonely -o jsonpath={.spec.nodeName}")).toBe("far");
      expect(await kubectl.fails("logs lonely")).toMatch(/Error from server/);
      const eviction = manifest("Eviction", "lonely", {}, "policy/v1");
      await kubectl.given(eviction).ok("create --raw /api/v1/namespaces/nodes/pods/lonely/eviction -f -");
      expect(await kubectl.ok("get pod lonely -o jsonpath={.metadata.deletionTimestamp}")).toMatch(/^\d{4}-/);
    });
  });
}
