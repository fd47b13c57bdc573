import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { configMap, deployment } from "./manifests.ts";

interface Owned {
  readonly metadata: { readonly managedFields: readonly { readonly manager: string; readonly operation: string }[] };
}

export function applying(cluster: Kubectl): void {
  describe("applying", () => {
    const kubectl = cluster.in("applying");

    beforeAll(() => cluster.ok("create namespace applying"));

    it("creates, leaves alone, and changes only what the manifest says", async () => {
      const first = kubectl.given(deployment("web"));
      expect(await first.ok("apply -f -")).toBe("deployment.apps/web created");
      expect(await first.ok("apply -f -")).toBe("deployment.apps/web unchanged");
      await kubectl.ok("scale deploy web --replicas=4");
      const changed = deployment("web").replace("web:1", "web:2");
      expect(await kubectl.given(changed).ok("apply -f -")).toBe("deployment.apps/web configured");
      expect(await kubectl.ok("get deploy web -o jsonpath={.spec.replicas}")).toBe("4");
      expect(await kubectl.ok("apply view-last-applied deploy web")).toContain("image: example.com/web:2");
    });

    it("shows the difference that applying would make", async () => {
      await kubectl.given(configMap("differing", { a: "1" })).ok("apply -f -");
      const same = await kubectl.given(configMap("differing", { a: "1" })).run("diff -f -");
      expect(same).toMatchObject({ code: 0, stdout: "" });
      const { code, stdout } = await kubectl.given(configMap("differing", { a: "2" })).run("diff -f -");
      expect(code).toBe(1);
      expect(stdout).toMatch(/^- {2}a: "1"\n\+ {2}a: "2"$/m);
      const onServer = await kubectl
        .given(configMap("differing", { a: "3" }))
        .run("diff --server-side --force-conflicts -f -");
      expect(onServer.stdout).toMatch(/^\+ {2}a: "3"$/m);
    });

    it("prunes what the manifests no longer have", async () => {
      const both = [configMap("kept", { a: "1" }, "{ set: pruned }"), configMap("dropped", {}, "{ set: pruned }")].join(
        "---",
      );
      await kubectl.given(both).ok("apply -f -");
      const prune = "apply -f - --prune -l set=pruned --prune-allowlist=core/v1/ConfigMap";
      expect(await kubectl.given(configMap("kept", { a: "1" }, "{ set: pruned }")).ok(prune)).toBe(
        "configmap/kept unchanged\nconfigmap/dropped pruned",
      );
    });

    it("prunes by apply set", async () => {
      const sets = kubectl.with({ KUBECTL_APPLYSET: "true" });
      const command = "apply -f - --prune --applyset=configmaps/members";
      await sets.given([configMap("first", {}), configMap("second", {})].join("---")).ok(command);
      expect(await sets.given(configMap("second", {})).ok(command)).toContain("configmap/first pruned");
    });

    it("applies on the server, with owners of fields, conflicts and force", async () => {
      const server = "apply --server-side -f -";
      expect(await kubectl.given(configMap("owned", { a: "1", b: "1" })).ok(server)).toBe(
        "configmap/owned serverside-applied",
      );
      const other = kubectl.given(configMap("owned", { a: "2" }));
      expect(await other.fails(`${server} --field-manager=other`)).toMatch(
        /^error: Apply failed with 1 conflict: conflict with "kubectl": \.data\.a\n/,
      );
      await other.ok(`${server} --field-manager=other --force-conflicts`);
      await kubectl.given(configMap("owned", { b: "1" })).ok(server);
      expect(await kubectl.ok("get cm owned -o jsonpath={.data}")).toBe('{"a":"2","b":"1"}');
      await kubectl.given(configMap("owned", { c: "1" })).ok(server);
      expect(await kubectl.ok("get cm owned -o jsonpath={.data}")).toBe('{"a":"2","c":"1"}');
      const { metadata } = await kubectl.json<Owned>("get cm owned --show-managed-fields");
      expect(metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(
        expect.arrayContaining(["kubectl Apply", "other Apply"]),
      );
    });

    it("hands a field over to another owner before leaving it out, so that no default comes in between", async () => {
      const deployment = (replicas: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: handed }
spec:
  ${replicas}
  selector: { matchLabels: { app: handed } }
  template:
    metadata: { labels: { app: handed } }
    spec: { containers: [{ name: main, image: "registry.invalid/app:1" }] }
`;
      const replicas = "get deployment handed -o jsonpath={.spec.replicas}";
      const only = "apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: handed }\nspec: { replicas: 3 }\n";
      await kubectl.given(deployment("replicas: 3")).ok("apply --server-side -f -");
      await kubectl.given(only).ok("apply --server-side --field-manager=handover --validate=false -f -");
      await kubectl.given(deployment("")).ok("apply --server-side -f -");
      expect(await kubectl.ok(replicas)).toBe("3");
      await kubectl.ok("scale deployment handed --replicas=5");
      await kubectl.given(deployment("")).ok("apply --server-side -f -");
      expect(await kubectl.ok(replicas)).toBe("5");
    });

    it("moves from applying on the client to applying on the server", async () => {
      await kubectl.given(configMap("moved", { a: "1", b: "1" })).ok("apply -f -");
      await kubectl.given(configMap("moved", { a: "2" })).ok("apply --server-side -f -");
      expect(await kubectl.ok("get cm moved -o jsonpath={.data}")).toBe('{"a":"2"}');
    });

    it("merges lists by their keys", async () => {
      const ports = (list: string): string => `
apiVersion: v1
kind: Service
metadata: { name: listed }
spec: { selector: { app: listed }, ports: ${list} }
`;
      const named = "get service listed -o jsonpath={.spec.ports[*].name}";
      await kubectl.given(ports("[{ name: a, port: 1 }]")).ok("apply --server-side --field-manager=one -f -");
      await kubectl.given(ports("[{ name: b, port: 2 }]")).ok("apply --server-side --field-manager=two -f -");
      expect((await kubectl.ok(named)).split(" ").sort()).toEqual(["a", "b"]);
      await kubectl.given(ports("[]")).ok("apply --server-side --field-manager=one -f -");
      expect(await kubectl.ok(named)).toBe("b");
    });
  });
}
