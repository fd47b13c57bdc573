import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ release: "1.15" });
const { call: newer } = servePlane({ release: "1.29" });

const daemonSet = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "main:1" }], hostUsers: false },
    },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
  },
});
const PATH = "/apis/apps/v1/namespaces/default/daemonsets";

it("a field of a later release is an unknown field that strict validation refuses, also if a feature gate introduced it", async () => {
  const spec = { ports: [{ port: 80 }], trafficDistribution: "PreferClose" };
  const body = { apiVersion: "v1", kind: "Service", metadata: { name: "near" }, spec };
  const path = "/api/v1/namespaces/default/services?fieldValidation=Strict";
  const refused = await newer("POST", path, { body });
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'Service in version "v1" cannot be handled as a Service: strict decoding error: unknown field "spec.trafficDistribution"',
  ]);
});

it("a field of a later release is dropped, and not defaulted", async () => {
  const { status, body } = await call("POST", PATH, { body: daemonSet("one") });
  expect(status).toBe(201);
  expect(body.spec.updateStrategy).toEqual({ type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } });
  expect(body.spec.template.spec.hostUsers).toBeUndefined();
  const read = (await call("GET", `${PATH}/one`)).body;
  expect(read.spec).toEqual(body.spec);
  const fields = JSON.stringify(read.metadata.managedFields ?? []);
  expect(fields).not.toContain("maxSurge");
});

it("a Service has the fields of its release, and keeps its address when it is updated", async () => {
  const path = "/api/v1/namespaces/default/services";
  const { status, body } = await call("POST", path, {
    body: { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec: { ports: [{ port: 80 }] } },
  });
  expect(status).toBe(201);
  expect(body.spec.clusterIP).toMatch(/^10\./);
  for (const later of ["clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"])
    expect(body.spec, later).not.toHaveProperty(later);
  const updated = await call("PUT", `${path}/web`, {
    body: { ...body, spec: { ...body.spec, ports: [{ port: 81 }] } },
  });
  expect([updated.status, updated.body.spec?.clusterIP]).toEqual([200, body.spec.clusterIP]);
});

it("OpenAPI describes the fields of the release only", async () => {
  const { body } = await call("GET", "/openapi/v2");
  const properties = (name: string) => Object.keys(body.definitions[`io.k8s.api.${name}`].properties);
  expect(properties("apps.v1.RollingUpdateDaemonSet")).toEqual(["maxUnavailable"]);
  expect(properties("core.v1.PodSpec")).not.toContain("hostUsers");
  expect(properties("core.v1.PodSpec")).toContain("containers");
  expect(properties("core.v1.ServiceSpec")).not.toContain("clusterIPs");
});
