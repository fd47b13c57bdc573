import { describe, expect, it } from "vitest";
import { selectOpenApi } from "../../runtime/http/openapi/select-openapi.ts";
import type { ApiSurface } from "../../runtime/kinds/api-surface.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";

const served = new Set(["/v1/namespaces", "/v1/pods", "apps/v1/deployments"]);
const versions = new Set([...served].map((key) => key.slice(0, key.lastIndexOf("/"))));
const surface = {
  hasGroup: (group: string) => [...served].some((key) => key.startsWith(`${group}/`)),
  hasVersion: (group: string, version: string) => versions.has(`${group}/${version}`),
  find: (group: string, version: string, resource: string) =>
    served.has(`${group}/${version}/${resource}`) ? { descriptor: { subresources: [{ name: "status" }] } } : undefined,
} as unknown as ApiSurface;
const using = (...names: string[]) => ({ get: names.map((name) => ({ $ref: `#/definitions/${name}` })) });

describe("the OpenAPI document", () => {
  const document = {
    paths: {
      "/version/": {},
      "/api/v1/namespaces/{name}": using("Namespace"),
      "/api/v1/namespaces/{namespace}/pods/{name}/status": using("Pod"),
      "/api/v1/namespaces/{namespace}/pods/{name}/resize": using("Resize"),
      "/api/v1/watch/namespaces/{namespace}/secrets": using("Secret"),
      "/apis/apps/": {},
      "/apis/apps/v1/watch/deployments": using("Deployment"),
      "/apis/extensions/v1beta1/": {},
      "/apis/extensions/v1beta1/deployments": using("OldDeployment"),
    },
    definitions: {
      Namespace: {},
      Pod: { properties: { spec: { $ref: "#/definitions/PodSpec" } } },
      PodSpec: { self: { $ref: "#/definitions/Pod" } },
      Resize: {},
      Secret: {},
      Deployment: {},
      OldDeployment: { properties: { spec: { $ref: "#/definitions/OldSpec" } } },
      OldSpec: {},
    },
  };

  it("contains only the served paths and the definitions that they use", () => {
    const selected = atOnce(selectOpenApi(document, surface));
    expect(Object.keys(selected.paths)).toEqual([
      "/version/",
      "/api/v1/namespaces/{name}",
      "/api/v1/namespaces/{namespace}/pods/{name}/status",
      "/apis/apps/",
      "/apis/apps/v1/watch/deployments",
    ]);
    expect(Object.keys(selected.definitions ?? {})).toEqual(["Namespace", "Pod", "PodSpec", "Deployment"]);
  });

  it("is unchanged if all of its paths are served", () => {
    const whole = {
      paths: { "/version/": {}, "/apis/apps/v1/deployments": using("Unused") },
      definitions: { Other: {} },
    };
    expect(atOnce(selectOpenApi(whole, surface))).toBe(whole);
  });
});
