import { describe, expect, it } from "vitest";
import { RemoteOpenApi } from "../../runtime/aggregation/remote-openapi.ts";
import type { RemoteVersion } from "../../runtime/aggregation/remote-versions.ts";

const REMOTE: RemoteVersion = {
  ...{ name: "v1.g", group: "g", version: "v1", groupPriority: 1, versionPriority: 1, available: true },
  ...{ service: { namespace: "default", name: "ext", port: 443 }, transport: "" },
};

/** Returns how the documents of a server are published. */
function published(index: unknown, swagger: unknown) {
  const asked: (string | undefined)[] = [];
  const openApi = new RemoteOpenApi({
    kindKey: "x-kubernetes-group-version-kind",
    async ask(_remote, { path, etag }) {
      asked.push(etag);
      const body = path === "/openapi/v3" ? index : swagger;
      const status = body === undefined ? 404 : etag === "one" ? 304 : 200;
      const text = typeof body === "string" ? body : JSON.stringify(body ?? "");
      return { status, statusText: "", contentType: "", etag: "one", body: Buffer.from(text) };
    },
  });
  return { openApi, asked };
}

describe("the OpenAPI document of an extension server", () => {
  const own = { paths: { "/apis/g/v1/as": {}, "/api/v1/pods": { evil: true } }, definitions: {} };

  it("is reduced to the paths of its APIService", async () => {
    const address = (path: string) => ({ serverRelativeURL: `//evil.example.com/${path}?hash=A1` });
    const paths = Object.fromEntries(["api/v1", "apis/g/v1", "apis/g/v2"].map((path) => [path, address(path)]));
    const { openApi } = published({ paths }, own);
    await openApi.refresh(REMOTE);
    expect([...openApi.addresses()]).toEqual([["apis/g/v1", "/openapi/v3/apis/g/v1?hash=A1"]]);
    expect(openApi.ownerOf("/openapi/v3/apis/g/v1")).toBe(REMOTE);
    expect(openApi.ownerOf("/openapi/v3/api/v1")).toBeUndefined();
    expect(openApi.extend({ paths: { "/api/v1/pods": {} } }).paths).toEqual({
      "/apis/g/v1/as": {},
      "/api/v1/pods": {},
    });
    openApi.forget(REMOTE);
    expect([openApi.isEmpty, openApi.addresses().size]).toEqual([true, 0]);
  });

  it("is downloaded again only if its ETag changed", async () => {
    const { openApi, asked } = published(undefined, own);
    await openApi.refresh(REMOTE);
    const { generation } = openApi;
    await openApi.refresh(REMOTE);
    expect([openApi.generation, asked]).toEqual([generation, [undefined, undefined, undefined, "one"]]);
    expect(openApi.made("apis/g/v1")).toMatchObject({ openapi: "3.0.0", paths: { "/apis/g/v1/as": {} } });
  });

  it.each([
    ["null"],
    ["[]"],
    ['{"paths":null}'],
    [`{"paths":{"/apis/g/v1/a":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}}`],
    ["{"],
  ])("is ignored if it is not an OpenAPI document: %.20s", async (text) => {
    const { openApi } = published({ paths: 7 }, text);
    await expect(openApi.refresh(REMOTE)).rejects.toThrow();
    expect(openApi.extend({ paths: {} })).toEqual({ paths: {} });
  });
});
