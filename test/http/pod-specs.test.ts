import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "disable-admission-plugins": "ServiceAccount" });

const CORE = "/api/v1/namespaces/default";
/** A repeated test uses other names. */
let tries = 0;
const template = {
  metadata: { labels: { app: "x" } },
  spec: { containers: [{ name: "main", image: "example.com/i" }] },
};

describe("a pod spec", () => {
  it("has a negative grace period in templates, and not in pods", async () => {
    const spec = { ...template.spec, terminationGracePeriodSeconds: -1 };
    const controller = { selector: { app: "x" }, template: { ...template, spec } };
    const metadata = { name: `impatient-${++tries}` };
    const body = { metadata, spec: controller };
    const created = await call("POST", `${CORE}/replicationcontrollers`, { body });
    expect(created.body.spec.template.spec.terminationGracePeriodSeconds).toBe(-1);
    const pod = await call("POST", `${CORE}/pods`, { body: { metadata, spec } });
    expect(pod.body.spec.terminationGracePeriodSeconds).toBe(1);
  });

  it("whose volumes are removed is shown without volumes in the error message", async () => {
    const spec = { ...template.spec, volumes: [{ name: "h", hostPath: { path: "/" } }] };
    const name = `voluminous-${++tries}`;
    const { body } = await call("POST", `${CORE}/pods`, { body: { metadata: { name }, spec } });
    body.spec.volumes = [];
    body.spec.containers[0].volumeMounts = [];
    const refused = await call("PUT", `${CORE}/pods/${name}`, { body });
    expect(refused.body.message).toContain(
      "VolumeSource: core.VolumeSource{HostPath: &core.HostPathVolumeSource{...}}",
    );
    expect(refused.body.message).toMatch(/\+\s+Volumes: +nil,/);
    expect(refused.body.message).not.toContain("VolumeMounts");
  });
});
