import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({ "authorization-mode": "RBAC,AlwaysAllow" });

it("/metrics counts the requests that each authorizer decided, by its type and name", async () => {
  const as = (user: string, group: string) => ({ headers: { "Impersonate-User": user, "Impersonate-Group": group } });
  const decided = async (type: string): Promise<number> => {
    const { text } = await call("GET", "/metrics");
    const sample = `apiserver_authorization_decisions_total{type="${type}",name="${type.toLowerCase()}",decision="allowed"} `;
    return Number(text.split(sample)[1]?.split("\n")[0] ?? 0);
  };
  const [roles, all] = [await decided("RBAC"), await decided("AlwaysAllow")];
  // A role of all authenticated users allows discovery; only the last authorizer allows pods.
  expect((await call("GET", "/version", as("somebody", "system:authenticated"))).status).toBe(200);
  expect([(await decided("RBAC")) - roles, (await decided("AlwaysAllow")) - all]).toEqual([1, 0]);
  expect((await call("GET", "/api/v1/namespaces/default/pods", as("somebody", "other"))).status).toBe(200);
  expect([(await decided("RBAC")) - roles, (await decided("AlwaysAllow")) - all]).toEqual([1, 1]);
});
