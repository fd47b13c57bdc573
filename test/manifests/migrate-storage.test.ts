import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { storedJsonText } from "../../runtime/store/value/stored-json.ts";
import { createClient } from "../fixtures/plane-client.ts";
import { DEFINITIONS, define, definitionOf } from "../kinds/custom/definitions.ts";
import { createMoved } from "../store/moved-objects.ts";
import { runCommand } from "./run-command.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-migrate-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The definition of figs, as it is in a data directory. */
async function storedVersionsOfFigs(data: string): Promise<unknown> {
  const store = await openEmbeddedStore(data);
  const entry = await store.get("/registry/apiextensions.k8s.io/customresourcedefinitions/figs.example.com");
  await store.close();
  const value = entry?.value ?? new Uint8Array();
  return JSON.parse(Buffer.from(storedJsonText(value) ?? value).toString()).status.storedVersions;
}

describe("typeplane migrate-storage", () => {
  it("rewrites what an older release stored, once", async () => {
    const plane = await startPlane({ directory, flags: { release: "1.20", controllers: "false" } });
    await plane.ready;
    const body = {
      apiVersion: "policy/v1beta1",
      kind: "PodDisruptionBudget",
      metadata: { name: "one" },
      spec: { selector: {} },
    };
    const path = "/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets";
    expect((await createClient(plane)("POST", path, { body })).status).toBe(201);
    await plane.stop();

    const first = runCommand(["migrate-storage", `--data-dir=${join(directory, "data")}`]);
    expect(first.err).toBe("");
    expect(first.out).toContain("poddisruptionbudgets.policy: 1 of 1 rewritten\n");
    const again = runCommand(["migrate-storage", `--data-dir=${join(directory, "data")}`]);
    expect([again.status, again.out]).toEqual([0, "0 objects rewritten for release 1.33\n"]);

    const later = await startPlane({ directory, flags: { controllers: "false" } });
    await later.ready;
    const found = await createClient(later)("GET", path.replace("v1beta1", "v1").concat("/one"));
    expect(found.body.spec.selector.matchExpressions[0].operator).toBe("Exists");
    await later.stop();
  });

  it("rewrites objects that were stored before their kind got a default, as kube-apiserver shows them, and no others", async () => {
    const home = mkdtempSync(join(tmpdir(), "typeplane-migrate-defaults-"));
    try {
      const plane = await startPlane({ directory: home, flags: { controllers: "false" } });
      await plane.ready;
      await createMoved(createClient(plane));
      await plane.stop();
      const data = join(home, "data");
      const store = await openEmbeddedStore(data);
      const old = {
        kind: "Service",
        apiVersion: "v1",
        metadata: { name: "old", namespace: "default", uid: "1", creationTimestamp: "2018-01-01T00:00:00Z" },
        spec: { ports: [{ port: 80, protocol: "TCP", targetPort: 80 }], clusterIP: "None", type: "ClusterIP" },
        status: { loadBalancer: {} },
      };
      await store.put("/registry/services/specs/default/old", Buffer.from(JSON.stringify(old)), { expected: 0 });
      await store.close();

      const { status, out, err } = runCommand(["migrate-storage", `--data-dir=${data}`]);
      expect([status, err]).toEqual([0, ""]);
      expect(out).toMatch(/^services: 1 of \d+ rewritten\n1 objects rewritten for release 1.33\n$/);
      const later = await startPlane({ directory: home, flags: { controllers: "false" } });
      const { body } = await createClient(later)("GET", "/api/v1/namespaces/default/services/old");
      await later.stop();
      expect(body.spec).toEqual({
        ...old.spec,
        clusterIPs: ["None"],
        ipFamilies: ["IPv4", "IPv6"],
        ipFamilyPolicy: "RequireDualStack",
        sessionAffinity: "None",
        internalTrafficPolicy: "Cluster",
      });
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("says so when there is no such data directory, and makes none", () => {
    const nowhere = join(directory, "nowhere");
    const { status, out, err } = runCommand(["migrate-storage", `--data-dir=${nowhere}`]);
    expect([status, out, err]).toEqual([2, "", `--data-dir=${nowhere}: there is no such directory\n`]);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("rewrites objects of custom kinds in the version that their definition stores now, served or not, and trims storedVersions", async () => {
    const home = mkdtempSync(join(tmpdir(), "typeplane-migrate-custom-"));
    const data = join(home, "data");
    const start = () => startPlane({ directory: home, flags: { controllers: "false" } });
    const path = (version: string) => `/apis/example.com/${version}/namespaces/default/figs`;
    const fig = (name: string) => ({
      apiVersion: "example.com/v1",
      kind: "Fig",
      metadata: { name },
      spec: { sweet: true, seeds: 3 },
    });
    const schema = {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { sweet: { type: "boolean" }, seeds: { type: "integer" } } },
        },
      },
    };
    // The only version that is served knows less.
    const less = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } };
    try {
      const plane = await start();
      const call = createClient(plane);
      await define(call, definitionOf("figs", "Fig", {}, { schema }));
      for (const name of ["a", "b"]) await call("POST", path("v1"), { body: fig(name) });
      const crd = (await call("GET", `${DEFINITIONS}/figs.example.com`)).body;
      crd.spec.versions = [
        { name: "v1", served: false, storage: false, schema },
        { name: "v2", served: false, storage: true, schema },
        { name: "v3", served: true, storage: false, schema: less },
      ];
      expect((await call("PUT", `${DEFINITIONS}/figs.example.com`, { body: crd })).status).toBe(200);
      await plane.stop();
      expect(await storedVersionsOfFigs(data)).toEqual(["v1", "v2"]);

      expect(runCommand(["migrate-storage", `--data-dir=${data}`])).toMatchObject({
        status: 0,
        err: "",
        out: [
          "figs.example.com: 2 of 2 rewritten",
          "figs.example.com: removed v1 from status.storedVersions",
          "2 objects rewritten for release 1.33\n",
        ].join("\n"),
      });
      expect(await storedVersionsOfFigs(data)).toEqual(["v2"]);
      expect(runCommand(["migrate-storage", `--data-dir=${data}`]).out).toBe("0 objects rewritten for release 1.33\n");

      const store = await openEmbeddedStore(data);
      const { entries } = await store.range({ prefix: "/registry/example.com/figs/" });
      const texts = entries.map(({ value }) => Buffer.from(storedJsonText(value) ?? value).toString());
      await store.close();
      expect(texts).toHaveLength(2);
      for (const text of texts) {
        expect(text).toContain('"apiVersion":"example.com/v2"');
        expect(text).toContain('"spec":{"seeds":3,"sweet":true}');
      }
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("leaves objects that need a webhook to be converted as they are, says which, and does not trim storedVersions", async () => {
    const home = mkdtempSync(join(tmpdir(), "typeplane-migrate-webhook-"));
    const data = join(home, "data");
    try {
      const plane = await startPlane({ directory: home, flags: { controllers: "false" } });
      const call = createClient(plane);
      await define(call, definitionOf("figs", "Fig", { type: "object" }));
      const figs = "/apis/example.com/v1/namespaces/default/figs";
      await call("POST", figs, { body: { apiVersion: "example.com/v1", kind: "Fig", metadata: { name: "a" } } });
      const crd = (await call("GET", `${DEFINITIONS}/figs.example.com`)).body;
      const [v1] = crd.spec.versions;
      crd.spec.versions = [
        { ...v1, storage: false },
        { ...v1, name: "v2" },
      ];
      crd.spec.conversion = {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://hook.invalid" } },
      };
      expect((await call("PUT", `${DEFINITIONS}/figs.example.com`, { body: crd })).status).toBe(200);
      await plane.stop();
      expect(runCommand(["migrate-storage", `--data-dir=${data}`])).toEqual({
        status: 1,
        err: "/registry/example.com/figs/default/a: cannot be read; not changed\n",
        out: "0 objects rewritten for release 1.33\n",
      });
      expect(await storedVersionsOfFigs(data)).toEqual(["v1", "v2"]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
