import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { configMap, deployment } from "./manifests.ts";

export function reading(cluster: Kubectl): void {
  describe("reading", () => {
    const kubectl = cluster.in("reading");

    beforeAll(async () => {
      await cluster.ok("create namespace reading");
      const maps = ["a", "b", "c"].map((name) =>
        configMap(name, { from: name }, `{ tier: ${name === "c" ? "back" : "front"} }`),
      );
      await kubectl.given([...maps, deployment("web", "replicas: 3")].join("---")).ok("create -f -");
    });

    it("prints tables, wide ones and those without headers", async () => {
      expect(await kubectl.ok("get deployments")).toMatch(
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nweb +0\/3 +0 +0 +\d+s$/,
      );
      expect(await kubectl.ok("get deploy -o wide --no-headers")).toMatch(
        /^web .* main +example\.com\/web:1 +app=web$/,
      );
      expect(await kubectl.ok("get cm a -o name")).toBe("configmap/a");
      expect(await kubectl.ok("get cm -L tier -l tier")).toMatch(/^NAME +DATA +AGE +TIER\na +1 +\d+s +front\n/);
    });

    it("prints yaml, json, jsonpath, templates and columns of one's own", async () => {
      expect(await kubectl.ok("get cm a -o yaml")).toMatch(
        /^apiVersion: v1\ndata:\n {2}from: a\nkind: ConfigMap\nmetadata:/,
      );
      expect(await kubectl.json("get cm a")).toMatchObject({ kind: "ConfigMap", data: { from: "a" } });
      expect(await kubectl.ok("get deploy web -o jsonpath={.spec.replicas}")).toBe("3");
      expect(await kubectl.ok("get cm -l tier -o", "go-template={{range .items}}{{.metadata.name}} {{end}}")).toBe(
        "a b c",
      );
      expect(await kubectl.ok("get cm c -o custom-columns=NAME:.metadata.name,FROM:.data.from")).toBe(
        "NAME   FROM\nc      c",
      );
      expect(await kubectl.ok("get cm a -o yaml --show-managed-fields")).toContain("manager: kubectl-create");
    });

    it("selects by labels and fields", async () => {
      const names = async (...selection: string[]): Promise<string[]> =>
        (await kubectl.ok("get cm -o name", ...selection)).split("\n");
      expect(await names("-l", "tier in (front, middle)")).toEqual(["configmap/a", "configmap/b"]);
      expect(await names("-l", "tier,tier!=front")).toEqual(["configmap/c"]);
      expect(await names("--field-selector", "metadata.name=b")).toEqual(["configmap/b"]);
      expect(await kubectl.fails("get cm --field-selector data.from=a")).toContain(
        '"data.from" is not a known field selector',
      );
      expect(await kubectl.fails("get cm -l", "a b")).toContain("unable to parse requirement");
    });

    it("reads page by page", async () => {
      const { stdout, stderr } = await kubectl.run("get cm --chunk-size=2 -o name -v=6");
      expect(stdout).toBe("configmap/a\nconfigmap/b\nconfigmap/c\nconfigmap/kube-root-ca.crt\n");
      expect(stderr.match(/GET https:.*limit=2/g)).toHaveLength(2);
    });

    it("takes kinds by full name, by version and several at once, and sorts", async () => {
      expect(await kubectl.ok("get deployments.v1.apps web -o name")).toBe("deployment.apps/web");
      expect(await kubectl.ok("get deployment.apps/web configmap/a -o name")).toBe("deployment.apps/web\nconfigmap/a");
      expect(await kubectl.ok("get all -o name")).toBe("deployment.apps/web");
      expect(await kubectl.ok("get cm -l tier=front --sort-by={.data.from} -o name")).toBe("configmap/a\nconfigmap/b");
      expect(await cluster.ok("get cm --all-namespaces --field-selector metadata.name=a -o name")).toBe("configmap/a");
    });

    it("watches", async () => {
      const watch = kubectl.follow("get cm -l watched=yes --watch --output-watch-events");
      const print = kubectl.follow("get cm a --watch -o jsonpath={.data.from}/");
      await print.printed(/a\//);
      // The start of the watch is not visible, so the object is changed until a change is received.
      for (let n = 0; !watch.stdout().includes("seen"); n++) {
        await kubectl.given(configMap("seen", { n: String(n) }, "{ watched: 'yes' }")).ok("apply -f -");
      }
      await kubectl.ok("label cm seen watched-");
      await watch.printed(/DELETED +seen/);
      await kubectl.ok("patch cm a -p", '{"data":{"from":"z"}}');
      await print.printed(/a\/z\//);
      await Promise.all([watch.stop(), print.stop()]);
    });

    it("describes an object", async () => {
      const text = await kubectl.ok("describe deployment web");
      expect(text).toMatch(/^Replicas: +3 desired \| 0 updated \| 0 total \| 0 available \| 0 unavailable$/m);
      expect(text).toMatch(/Image: +example\.com\/web:1/);
    });
  });
}
