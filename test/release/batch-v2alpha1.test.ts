import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ release: "1.20", "runtime-config": "batch/v2alpha1" });

it("batch/v2alpha1 is served at 1.20 if --runtime-config turns it on, and shares its CronJobs with v1beta1", async () => {
  const path = (version: string) => `/apis/batch/${version}/namespaces/default/cronjobs`;
  const template = { spec: { containers: [{ name: "a", image: "a" }], restartPolicy: "Never" } };
  const spec = { schedule: "@daily", jobTemplate: { spec: { template } } };
  const created = await call("POST", path("v2alpha1"), { body: { metadata: { name: "a" }, spec } });
  expect([created.status, created.body.apiVersion]).toEqual([201, "batch/v2alpha1"]);
  expect(created.body.spec).toMatchObject({ concurrencyPolicy: "Allow", suspend: false });
  const read = await call("GET", `${path("v1beta1")}/a`);
  expect([read.status, read.body.apiVersion, read.body.spec.schedule]).toEqual([200, "batch/v1beta1", "@daily"]);
});
