import { describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";

/** Discovery and other information that the server provides about itself. */
export function discovering(kubectl: Kubectl): void {
  describe("discovering", () => {
    it("lists resources with short names, kinds and verbs", async () => {
      const resources = await kubectl.ok("api-resources -o wide");
      expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment +create,delete,.*watch +all$/m);
      expect(resources).toMatch(/^namespaces +ns +v1 +false +Namespace/m);
      const cluster = await kubectl.ok(
        "api-resources --namespaced=false --api-group=rbac.authorization.k8s.io -o name",
      );
      expect(cluster.split("\n")).toEqual([
        "clusterrolebindings.rbac.authorization.k8s.io",
        "clusterroles.rbac.authorization.k8s.io",
      ]);
    });

    it("lists versions", async () => {
      const versions = (await kubectl.ok("api-versions")).split("\n");
      expect(versions).toEqual(
        expect.arrayContaining(["apps/v1", "autoscaling/v1", "autoscaling/v2", "batch/v1", "v1"]),
      );
      expect(versions).not.toContain("extensions/v1beta1");
    });

    it("explains kinds and fields, recursively too", async () => {
      expect(await kubectl.ok("explain pods.spec.containers.image")).toMatch(
        /FIELD: image <string>[\s\S]*DESCRIPTION:\n +\S/,
      );
      const tree = await kubectl.ok("explain deployment.spec --recursive");
      expect(tree).toMatch(/^ {2}replicas\t<integer>$/m);
      expect(tree).toMatch(/^ {8}image\t<string>$/m);
      expect(await kubectl.ok("explain hpa --api-version=autoscaling/v1")).toContain("VERSION:    v1");
      expect(await kubectl.fails("explain pods.spec.nothing")).toContain('field "nothing" does not exist');
    });

    it("tells its version, where it runs and that it is ready", async () => {
      expect(await kubectl.ok("version")).toMatch(/Server Version: v1\.33\.\d+/);
      expect(await kubectl.ok("cluster-info")).toMatch(/control plane.* is running at .*https:\/\/127\.0\.0\.1:\d+/);
      expect(await kubectl.ok("get --raw /readyz?verbose")).toMatch(/\[\+\]ping ok[\s\S]*readyz check passed$/);
      expect(JSON.parse(await kubectl.ok("get --raw /apis/apps/v1"))).toMatchObject({ kind: "APIResourceList" });
    });

    it("says what it does not have", async () => {
      expect(await kubectl.fails("get fruit")).toBe(`error: the server doesn't have a resource type "fruit"`);
      expect(await kubectl.fails("get configmap absent")).toBe(
        'Error from server (NotFound): configmaps "absent" not found',
      );
      expect(await kubectl.fails("get --raw /apis/nowhere")).toContain("(NotFound)");
      expect(await kubectl.fails("top nodes")).toBe("error: Metrics API not available");
    });

    it("is reached through kubectl proxy", async () => {
      const proxy = kubectl.follow("proxy --port=0");
      const [, port] = await proxy.printed(/127\.0\.0\.1:(\d+)/);
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/namespaces/default`);
      expect(await answer.json()).toMatchObject({ kind: "Namespace", metadata: { name: "default" } });
      await proxy.stop();
    });
  });
}
