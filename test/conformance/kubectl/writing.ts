import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl } from "../../tools/kubectl.ts";
import { configMap, deployment, manifest } from "./manifests.ts";

export function writing(cluster: Kubectl): void {
  describe("writing", () => {
    const kubectl = cluster.in("writing");

    beforeAll(() => cluster.ok("create namespace writing"));

    it("creates objects from commands", async () => {
      expect(await kubectl.ok("create configmap greeting --from-literal=text=hello")).toBe(
        "configmap/greeting created",
      );
      expect(await kubectl.ok("create secret generic key --from-literal=password=secret")).toBe("secret/key created");
      expect(await kubectl.ok("get secret key -o jsonpath={.data.password}")).toBe("c2VjcmV0");
      expect(await kubectl.ok("create job once --image=example.com/job")).toBe("job.batch/once created");
      expect(await kubectl.ok("create cronjob hourly --image=example.com/job --schedule", "0 * * * *")).toBe(
        "cronjob.batch/hourly created",
      );
      expect(await kubectl.ok("create ingress front --rule=example.com/path=web:80")).toBe(
        "ingress.networking.k8s.io/front created",
      );
      expect(await kubectl.ok("create poddisruptionbudget few --selector=app=web --min-available=1")).toBe(
        "poddisruptionbudget.policy/few created",
      );
      expect(await kubectl.ok("run one --image=example.com/one --restart=Never")).toBe("pod/one created");
      expect(await kubectl.fails("create configmap greeting")).toBe(
        'error: failed to create configmap: configmaps "greeting" already exists',
      );
    });

    it("makes names that start with what was asked for", async () => {
      const nameless = manifest("ConfigMap", "", { metadata: { generateName: "some-" } });
      expect(await kubectl.given(nameless).ok("create -f - -o name")).toMatch(/^configmap\/some-[a-z0-9]{5}$/);
    });

    it("patches in three ways", async () => {
      await kubectl.given(deployment("patched")).ok("create -f -");
      const containers = '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"example.com/side"}]}}}}';
      const images = "get deploy patched -o jsonpath={.spec.template.spec.containers[*].image}";
      expect(await kubectl.ok("patch deploy patched -p", containers)).toBe("deployment.apps/patched patched");
      expect(await kubectl.ok(images)).toBe("example.com/side example.com/web:1");
      await kubectl.ok(
        "patch deploy patched --type=json -p",
        '[{"op":"remove","path":"/spec/template/spec/containers/0"}]',
      );
      expect(await kubectl.ok(images)).toBe("example.com/web:1");
      await kubectl.ok("patch deploy patched --type=merge -p", containers);
      expect(await kubectl.ok(images)).toBe("example.com/side");
      expect(await kubectl.ok("patch deploy patched --type=merge -p", containers)).toBe(
        "deployment.apps/patched patched (no change)",
      );
      expect(
        await kubectl.fails("patch deploy patched --type=json -p", '[{"op":"remove","path":"/spec/none"}]'),
      ).toContain("the server rejected our request due to an error in our request");
    });

    it("replaces, and refuses to replace what changed in between", async () => {
      await kubectl.given(configMap("replaced", { a: "1", b: "1" })).ok("create -f -");
      const old = await kubectl.ok("get cm replaced -o yaml");
      expect(await kubectl.given(configMap("replaced", { a: "2" })).ok("replace -f -")).toBe(
        "configmap/replaced replaced",
      );
      expect(await kubectl.ok("get cm replaced -o jsonpath={.data}")).toBe('{"a":"2"}');
      expect(await kubectl.given(old).fails("replace -f -")).toContain(
        'Operation cannot be fulfilled on configmaps "replaced": the object has been modified',
      );
    });

    it("edits in an editor", async () => {
      await kubectl.given(configMap("edited", { word: "before" })).ok("create -f -");
      const editor = kubectl.with({ KUBE_EDITOR: "sed -i s/before/after/" });
      expect(await editor.ok("edit cm edited")).toBe("configmap/edited edited");
      expect(await kubectl.ok("get cm edited -o jsonpath={.data.word}")).toBe("after");
      expect((await editor.run("edit cm edited")).stderr).toBe("Edit cancelled, no changes made.\n");
    });

    it("labels and annotates", async () => {
      await kubectl.given(configMap("marked", {})).ok("create -f -");
      expect(await kubectl.ok("label cm marked a=1")).toBe("configmap/marked labeled");
      expect(await kubectl.fails("label cm marked a=2")).toContain("already has a value");
      expect(await kubectl.ok("label cm marked a=2 --overwrite")).toBe("configmap/marked labeled");
      expect(await kubectl.ok("label cm marked a-")).toBe("configmap/marked unlabeled");
      expect(await kubectl.ok("annotate cm marked note=one")).toBe("configmap/marked annotated");
      expect(await kubectl.json("get cm marked")).toMatchObject({ metadata: { annotations: { note: "one" } } });
      expect(await kubectl.fails("label cm marked a=_")).toContain("a valid label must be");
    });

    it("sets images, variables, resources, service accounts and selectors", async () => {
      await kubectl.given(deployment("configured")).ok("create -f -");
      expect(await kubectl.ok("set image deploy/configured main=example.com/web:2")).toBe(
        "deployment.apps/configured image updated",
      );
      await kubectl.ok("set env deploy/configured LEVEL=info");
      await kubectl.ok("set resources deploy/configured --limits=cpu=200m,memory=64Mi");
      await kubectl.ok("set serviceaccount deploy/configured builder");
      const { spec } = await kubectl.json<{ spec: { template: { spec: unknown } } }>("get deploy configured");
      expect(spec.template.spec).toMatchObject({
        serviceAccountName: "builder",
        containers: [
          {
            image: "example.com/web:2",
            env: [{ name: "LEVEL", value: "info" }],
            resources: { limits: { cpu: "200m", memory: "64Mi" } },
          },
        ],
      });
      await kubectl.ok("create service clusterip picky --tcp=80");
      await kubectl.ok("set selector service picky app=configured");
      expect(await kubectl.ok("get service picky -o jsonpath={.spec.selector}")).toBe('{"app":"configured"}');
    });

    it("exposes a workload under an address that is its own", async () => {
      await kubectl.given(deployment("exposed")).ok("create -f -");
      expect(await kubectl.ok("expose deployment exposed --port=80 --type=NodePort")).toBe("service/exposed exposed");
      expect(await kubectl.ok("get service exposed")).toMatch(
        /exposed +NodePort +10\.\d+\.\d+\.\d+ +<none> +80:3\d{4}\/TCP/,
      );
    });

    it("rehearses on the server and leaves nothing behind", async () => {
      const rehearsed = kubectl.given(deployment("rehearsed"));
      expect(await rehearsed.ok("create -f - --dry-run=server")).toBe(
        "deployment.apps/rehearsed created (server dry run)",
      );
      expect(await rehearsed.ok("apply -f - --dry-run=server -o jsonpath={.spec.strategy.type}")).toBe("RollingUpdate");
      expect(await kubectl.fails("get deploy rehearsed")).toContain("(NotFound)");
      expect(await kubectl.ok("delete cm greeting --dry-run=server")).toContain("(server dry run)");
      expect(await kubectl.ok("get cm greeting -o name")).toBe("configmap/greeting");
    });

    it("refuses unknown and repeated fields when it is strict, and warns when it is not", async () => {
      const misspelt = kubectl.given(deployment("misspelt", "replica: 3"));
      expect(await misspelt.fails("create -f - --validate=strict")).toContain(
        'strict decoding error: unknown field "spec.replica"',
      );
      const warned = await misspelt.run("create -f - --validate=warn");
      expect(warned).toMatchObject({ code: 0, stderr: 'Warning: unknown field "spec.replica"\n' });
      const ignored = await kubectl.given(deployment("ignored", "replica: 3")).run("create -f - --validate=ignore");
      expect(ignored).toMatchObject({ code: 0, stderr: "" });
    });

    it("names every field that is wrong", async () => {
      const wrong = deployment("wrong", "replicas: -1").replace(
        "{ matchLabels: { app: wrong } }",
        "{ matchLabels: { app: other } }",
      );
      const complaint = await kubectl.given(wrong).fails("create -f -");
      expect(complaint).toContain('The Deployment "wrong" is invalid:');
      expect(complaint).toContain("* spec.replicas: Invalid value: -1: must be greater than or equal to 0");
      expect(complaint).toContain("`selector` does not match template `labels`");
    });
  });
}
