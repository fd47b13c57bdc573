import { describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";

const { call } = servePlane({ controllers: "true" });

describe("endpoints", () => {
  it.each(["127.0.0.1", "::1", "169.254.169.254", "fe80::1", "224.0.0.1", "0.0.0.0"])(
    "of %s are refused in Endpoints and EndpointSlices (CVE-2021-25737)",
    async (ip) => {
      const slice = {
        metadata: { name: "local" },
        addressType: ip.includes(":") ? "IPv6" : "IPv4",
        endpoints: [{ addresses: [ip] }],
      };
      const slices = await call("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", { body: slice });
      expect([slices.status, slices.body.reason]).toEqual([422, "Invalid"]);
      const endpoints = { metadata: { name: "local" }, subsets: [{ addresses: [{ ip }] }] };
      expect((await call("POST", "/api/v1/namespaces/default/endpoints", { body: endpoints })).status).toBe(422);
    },
  );

  it("cannot be written with the roles edit and admin (CVE-2021-25740)", async () => {
    for (const name of ["edit", "admin", "system:aggregate-to-edit", "system:aggregate-to-admin"]) {
      const { body } = await call("GET", `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`);
      const writes = (body.rules ?? []).filter(
        ({ resources = [], verbs }: { resources?: string[]; verbs: string[] }) =>
          resources.some((resource) => /^(?:endpoints|endpointslices|\*)/.test(resource)) &&
          verbs.some((verb) => ["create", "update", "patch", "*"].includes(verb)),
      );
      expect(writes, name).toEqual([]);
    }
  });
});

describe("connections to nodes, pods and services", () => {
  it("are never opened, whatever addresses they have (CVE-2020-8562, CVE-2022-3294, CVE-2018-1002102)", async () => {
    await call("POST", "/api/v1/nodes", { body: { metadata: { name: "proxied" } } });
    await call("PATCH", "/api/v1/nodes/proxied/status", {
      type: "application/merge-patch+json",
      body: { status: { addresses: [{ type: "InternalIP", address: "127.0.0.1" }] } },
    });
    for (const name of ["proxied", "proxied:1", "https:proxied:10250", "127.0.0.1", "proxied@127.0.0.1"])
      for (const rest of ["", "/", "/pods", "/%2e%2e/%2e%2e/metrics"])
        expect((await call("GET", `/api/v1/nodes/${name}/proxy${rest}`)).status, name + rest).toBeGreaterThanOrEqual(
          300,
        );
  });
});
