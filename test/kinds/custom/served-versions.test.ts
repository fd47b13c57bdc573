import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define, definitionOf, OBJECTS, objectOf, until } from "./definitions.ts";

const { call } = servePlane({ controllers: "true" });

describe("versions of a custom kind", () => {
  const versionOf = (name: string, properties: object, more: object = {}) => ({
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
    ...more,
  });
  const text = { type: "string" };

  beforeAll(async () => {
    const definition = definitionOf("kiwis", "Kiwi", {}) as { spec: { versions: object[] } };
    definition.spec.versions = [
      versionOf("v1", { a: text, old: text }, { storage: true }),
      versionOf("v2", { a: text, fresh: { ...text, default: "n" } }),
      versionOf("v1beta1", { a: text }, { deprecated: true, deprecationWarning: "use kiwis v2" }),
      versionOf("v1alpha1", { a: text }, { deprecated: true }),
      versionOf("v0", {}, { served: false }),
    ];
    await define(call, definition);
    await call("POST", `${OBJECTS}/kiwis`, { body: objectOf("Kiwi", "k", { a: "1", old: "o" }) });
  });

  const at = (version: string) => call("GET", `/apis/example.com/${version}/namespaces/default/kiwis/k`);

  it("serve an object with the fields of each version", async () => {
    expect((await at("v1")).body).toMatchObject({ apiVersion: "example.com/v1", spec: { a: "1", old: "o" } });
    expect((await at("v2")).body).toMatchObject({ apiVersion: "example.com/v2", spec: { a: "1" } });
    expect((await at("v2")).body.spec).toEqual({ a: "1" });
  });

  it("return a warning if they are deprecated", async () => {
    expect((await at("v1beta1")).headers.warning).toBe('299 - "use kiwis v2"');
    const nothing = await call("GET", "/apis/example.com/v1beta1/namespaces/default/kiwis/k/nothing");
    expect([nothing.status, nothing.headers.warning]).toEqual([404, '299 - "use kiwis v2"']);
    expect((await at("v1alpha1")).headers.warning).toBe(
      '299 - "example.com/v1alpha1 Kiwi is deprecated; use example.com/v2 Kiwi"',
    );
  });

  it("are counted in metrics if they are deprecated", async () => {
    await at("v1alpha1");
    await at("v2");
    const metrics = (await call("GET", "/metrics")).text;
    const counted = (version: string) =>
      `apiserver_requested_deprecated_apis{group="example.com",version="${version}",resource="kiwis",subresource="",removed_release=""} 1`;
    expect(metrics).toContain(counted("v1alpha1"));
    expect(metrics).not.toContain(counted("v2"));
  });

  it("that are not served get 404", async () => {
    const answer = await at("v0");
    expect([answer.status, answer.text]).toEqual([404, "404 page not found\n"]);
  });

  it("are registered again when their APIService is deleted", async () => {
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.example.com";
    let uid = "";
    await until(call, path, ({ metadata }) => {
      uid = metadata?.uid ?? "";
      return uid !== "";
    });
    expect((await call("DELETE", path)).status).toBe(200);
    await until(call, path, ({ metadata }, status) => status === 200 && metadata.uid !== uid);
  });

  it("are listed, most preferred first, registered and published", async () => {
    const group = await call("GET", "/apis/example.com");
    expect(group.body.preferredVersion).toEqual({ groupVersion: "example.com/v2", version: "v2" });
    expect(group.body.versions.map(({ version }: { version: string }) => version)).toEqual([
      "v2",
      "v1",
      "v1beta1",
      "v1alpha1",
    ]);
    await until(call, "/apis/apiregistration.k8s.io/v1/apiservices/v2.example.com", (_body, status) => status === 200);
    const v3 = await call("GET", "/openapi/v3/apis/example.com/v2");
    expect(v3.body.components.schemas["com.example.v2.Kiwi"].properties.spec.properties.fresh).toEqual({
      type: "string",
      default: "n",
    });
    const path = v3.body.paths["/apis/example.com/v2/namespaces/{namespace}/kiwis/{name}"];
    expect(path.patch.operationId).toBe("patchExampleComV2NamespacedKiwi");
    expect(Object.keys(path.patch.requestBody.content)).not.toContain("application/strategic-merge-patch+json");
    expect(Object.keys(path.put.requestBody.content)).toEqual(["application/json", "application/yaml"]);
    expect(Object.keys(path.patch.responses)).toEqual(["200", "401"]);
    expect(path.get.parameters.map(({ name }: { name: string }) => name)).toEqual(["resourceVersion"]);
    const { delete: deleteAll } = v3.body.paths["/apis/example.com/v2/namespaces/{namespace}/kiwis"];
    expect(deleteAll).not.toHaveProperty("requestBody");
    expect(deleteAll.parameters.map(({ name }: { name: string }) => name)).toEqual([
      "allowWatchBookmarks",
      "continue",
      "fieldSelector",
      "labelSelector",
      "limit",
      "resourceVersion",
      "resourceVersionMatch",
      "sendInitialEvents",
      "timeoutSeconds",
      "watch",
    ]);
    const v2 = await call("GET", "/openapi/v2");
    expect(v2.body.definitions["com.example.v1.KiwiList"].properties.items.items).toEqual({
      $ref: "#/definitions/com.example.v1.Kiwi",
    });
  });
});
