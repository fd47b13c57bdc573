import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Kubectl } from "../tools/kubectl.ts";
import { findTool } from "../tools/tools.ts";
import { eventually } from "./extension-server.ts";
import { GROUP, serveTwoPlanes } from "./second-plane.ts";

const binary = findTool("kubectl");

describe.skipIf(binary === undefined)("kubectl with kinds of an extension server", () => {
  const { first, second, directory } = serveTwoPlanes();
  const connect = (): Kubectl => {
    const kubeconfig = join(directory, "kubeconfig");
    writeFileSync(kubeconfig, first().plane.kubeconfig);
    return new Kubectl({ binary: binary ?? "", kubeconfig, home: directory, namespace: "default" });
  };

  it("finds, explains, creates, watches and deletes them", async () => {
    await eventually(
      () => first().call("GET", "/openapi/v3"),
      ({ body }) => body.paths[`apis/${GROUP}/v1`] !== undefined,
    );
    const kubectl = connect();
    expect(await kubectl.ok(`api-resources --api-group=${GROUP} --no-headers`)).toMatch(
      /^goods +gd +shop\.example\.com\/v1/,
    );
    expect(await kubectl.ok("explain goods.spec.price")).toContain("What it costs.");
    const watching = kubectl.follow("get goods --watch -o name");
    const manifest = { apiVersion: `${GROUP}/v1`, kind: "Good", metadata: { name: "tea" }, spec: { price: 3 } };
    expect(await kubectl.given(JSON.stringify(manifest)).ok("create -f -")).toBe(`good.${GROUP}/tea created`);
    await watching.printed(/good\.shop\.example\.com\/tea/);
    await watching.stop();
    const refused = { ...manifest, spec: { price: "dear" } };
    expect(await kubectl.given(JSON.stringify(refused)).fails("apply -f -")).toContain("price");
    expect(await kubectl.ok("get gd tea -o jsonpath={.spec.price}")).toBe("3");
    expect((await second().call("GET", `/apis/${GROUP}/v1/namespaces/default/goods/tea`)).body.spec).toEqual({
      price: 3,
    });
    expect(await kubectl.ok("delete good tea")).toContain("deleted");
  });

  it("can impersonate a user only if this server allows it", async () => {
    const kubectl = connect();
    const forbidden = `goods.${GROUP} is forbidden: User "jane" cannot list resource "goods"`;
    expect(await kubectl.fails("get goods --as=jane")).toContain(forbidden);
    await kubectl.ok(`create clusterrole reader --verb=list --resource=goods.${GROUP}`);
    await kubectl.ok("create clusterrolebinding reader --clusterrole=reader --user=jane");
    // The first server authorizes jane by now; the second has its own rules.
    expect(await kubectl.fails("get goods --as=jane")).toContain(forbidden);
    expect(await kubectl.ok("get goods --as=jane --as-group=system:masters")).toBe("");
  });
});
