import { describe, expect, it } from "vitest";
import { readRequestInfo } from "../../runtime/http/pipeline/request-info.ts";

function read(line: string) {
  const [method = "", url = ""] = line.split(" ");
  return readRequestInfo(method, url);
}

describe("request info", () => {
  it.each([
    ["GET /api/v1/pods", { verb: "list", group: "", version: "v1", resource: "pods", namespace: "", name: "" }],
    ["GET /api/v1/namespaces/a/pods/b", { verb: "get", namespace: "a", resource: "pods", name: "b", named: true }],
    ["GET /api/v1/namespaces/a/pods/b/log", { subresource: "log", name: "b" }],
    ["GET /api/v1/namespaces/a", { verb: "get", resource: "namespaces", name: "a", namespace: "a" }],
    ["PUT /api/v1/namespaces/a/finalize", { verb: "update", resource: "namespaces", subresource: "finalize" }],
    ["GET /api/v1/namespaces", { verb: "list", resource: "namespaces", namespace: "" }],
    ["POST /apis/apps/v1/namespaces/a/deployments", { verb: "create", group: "apps", resource: "deployments" }],
    ["PATCH /apis/apps/v1/namespaces/a/deployments/d/scale", { verb: "patch", subresource: "scale" }],
    ["DELETE /api/v1/namespaces/a/pods", { verb: "deletecollection", named: false }],
    ["DELETE /api/v1/namespaces/a/pods/p", { verb: "delete" }],
    ["GET /api/v1/pods?watch=1", { verb: "watch" }],
    ["GET /api/v1/pods?watch=false", { verb: "list" }],
    ["GET /api/v1/watch/namespaces/a/pods", { verb: "watch", namespace: "a", resource: "pods" }],
    ["POST /api/v1/proxy/namespaces/a/pods/b", { verb: "proxy", namespace: "a", resource: "pods", name: "b" }],
    ["GET /api/v1/pods?fieldSelector=metadata.name=x", { verb: "list", name: "x", named: false }],
    ["GET /api/v1/pods?fieldSelector=metadata.name=x&limit=a", { verb: "list", name: "" }],
    ["GET /api/v1/pods?fieldSelector=metadata.name=x&timeoutSeconds=", { verb: "list", name: "" }],
    ["GET /api/v1/namespaces//configmaps", { verb: "list", namespace: "", resource: "configmaps" }],
  ])("is parsed from %s", (line, expected) => {
    expect(read(line)).toMatchObject({ isResource: true, ...expected });
  });

  it.each(["GET /", "GET /version", "GET /api", "GET /api/v1", "GET /apis/apps", "GET /apis/apps/v1", "GET /healthz"])(
    "names no resource for %s",
    (line) => {
      expect(read(line)).toMatchObject({ isResource: false, verb: "get" });
    },
  );
});
