import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { deployment } from "./manifests.ts";

/** Workloads whose controller is played by the test. */
export function rollouts(cluster: Kubectl): void {
  describe("rollouts", () => {
    const kubectl = cluster.in("rollouts");

    beforeAll(async () => {
      await cluster.ok("create namespace rollouts");
      await kubectl.given(deployment("web", "replicas: 2")).ok("create -f -");
    });

    /** Writes the status that a controller would report for this number of running pods. */
    async function report(updated: number, ready: number): Promise<void> {
      const observedGeneration = Number(await kubectl.ok("get deploy web -o jsonpath={.metadata.generation}"));
      const conditions = [{ type: "Available", status: ready >= 2 ? "True" : "False", reason: "Tested", message: "" }];
      const status = {
        observedGeneration,
        replicas: 2,
        updatedReplicas: updated,
        readyReplicas: ready,
        availableReplicas: ready,
        conditions,
      };
      await kubectl.ok("patch deploy web --subresource=status --type=merge -p", JSON.stringify({ status }));
    }

    it("follows a rollout to its end", async () => {
      const rollout = kubectl.follow("rollout status deploy/web --timeout=600s");
      await rollout.printed(/Waiting for deployment (spec update|"web" rollout)/);
      await report(1, 0);
      await rollout.printed(/1 out of 2 new replicas have been updated/);
      await report(2, 1);
      await rollout.printed(/1 of 2 updated replicas are available/);
      await report(2, 2);
      await rollout.printed(/deployment "web" successfully rolled out/);
      expect(await rollout.ended).toBe(0);
      expect(await kubectl.ok("get deploy web --no-headers")).toMatch(/^web +2\/2 +2 +2 /);
    });

    it("waits for conditions and fields", async () => {
      expect(await kubectl.ok("wait --for=condition=Available deploy/web --timeout=120s")).toBe(
        "deployment.apps/web condition met",
      );
      expect(await kubectl.ok("wait --for=jsonpath={.status.readyReplicas}=2 deploy/web --timeout=120s")).toContain(
        "met",
      );
      expect(await kubectl.fails("wait --for=condition=Progressing deploy/web --timeout=1s")).toContain("timed out");
    });

    it("pauses, resumes, restarts and keeps generation in step with the spec alone", async () => {
      const generation = async (): Promise<number> =>
        Number(await kubectl.ok("get deploy web -o jsonpath={.metadata.generation}"));
      const before = await generation();
      expect(await kubectl.ok("rollout pause deploy/web")).toBe("deployment.apps/web paused");
      expect(await kubectl.fails("rollout pause deploy/web")).toContain("is already paused");
      expect(await kubectl.ok("rollout resume deploy/web")).toBe("deployment.apps/web resumed");
      expect(await kubectl.ok("rollout restart deploy/web")).toBe("deployment.apps/web restarted");
      expect(await generation()).toBe(before + 3);
      await kubectl.ok("label deploy web note=1");
      await report(2, 2);
      expect(await generation()).toBe(before + 3);
    });

    it("shows the history of revisions and goes back in it", async () => {
      const uid = await kubectl.ok("get deploy web -o jsonpath={.metadata.uid}");
      const replicaSet = (revision: number): string => `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-${revision}
  labels: { app: web }
  annotations: { deployment.kubernetes.io/revision: "${revision}" }
  ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: ${uid}, controller: true }]
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "example.com/web:${revision}" }] }
`;
      await kubectl.given([replicaSet(6), replicaSet(7)].join("---")).ok("create -f -");
      expect(await kubectl.ok("rollout history deploy/web")).toMatch(/REVISION +CHANGE-CAUSE\n6 +<none>\n7 +<none>/);
      expect(await kubectl.ok("rollout undo deploy/web --to-revision=6")).toBe("deployment.apps/web rolled back");
      expect(await kubectl.ok("get deploy web -o jsonpath={.spec.template.spec.containers[0].image}")).toBe(
        "example.com/web:6",
      );
    });

    it("scales, when the present size is as expected", async () => {
      expect(await kubectl.ok("scale deploy web --replicas=5")).toBe("deployment.apps/web scaled");
      expect(await kubectl.fails("scale deploy web --current-replicas=2 --replicas=1")).toContain(
        "Expected replicas to be 2, was 5",
      );
      const scale = await kubectl.ok("get --raw /apis/apps/v1/namespaces/rollouts/deployments/web/scale");
      expect(JSON.parse(scale)).toMatchObject({ kind: "Scale", spec: { replicas: 5 } });
    });

    it("autoscales", async () => {
      expect(await kubectl.ok("autoscale deploy web --min=2 --max=9 --cpu-percent=60")).toBe(
        "horizontalpodautoscaler.autoscaling/web autoscaled",
      );
      expect(await kubectl.ok("get hpa web --no-headers")).toMatch(
        /^web +Deployment\/web +cpu: <unknown>\/60% +2 +9 +0 /,
      );
      expect(
        await kubectl.ok(
          "get horizontalpodautoscalers.v1.autoscaling web -o jsonpath={.spec.targetCPUUtilizationPercentage}",
        ),
      ).toBe("60");
    });
  });
}
