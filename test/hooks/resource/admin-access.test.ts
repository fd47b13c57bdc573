import { describe, expect, it } from "vitest";
import type { Answer, Parsed } from "../../fixtures/plane-client.ts";
import { servePlaneInTest } from "../../fixtures/serve-plane.ts";

const VERSION = "resource.k8s.io/v1beta1";
const GATES = "DynamicResourceAllocation=true,DRAAdminAccess=true";
const MERGE = "application/merge-patch+json";
const LABEL = "resource.k8s.io/admin-access";
const REFUSAL = `admin access to devices requires the \`${LABEL}: true\` label on the containing namespace`;

const requests = (adminAccess: boolean) => [{ name: "a", deviceClassName: "c", adminAccess }];
const claim = (name: string, adminAccess: boolean): Parsed => ({
  metadata: { name },
  spec: { devices: { requests: requests(adminAccess) } },
});
const allocated = (adminAccess: boolean): Parsed => ({
  status: {
    allocation: {
      devices: { results: [{ request: "a", driver: "d.example.com", pool: "p", device: "d", adminAccess }] },
    },
  },
});
const found = ({ status, body }: Answer): unknown =>
  status < 300 ? [] : body.details.causes.map(({ field, message }: Parsed) => `${field}: ${message}`);

describe("admin access to devices", () => {
  it("is granted in namespaces with a label only", async () => {
    const { call } = await servePlaneInTest({
      flags: { "feature-gates": GATES, "runtime-config": `${VERSION}=true` },
    });
    const label = (value: string) => ({ body: { metadata: { labels: { [LABEL]: value } } }, type: MERGE });
    const claims = `/apis/${VERSION}/namespaces/default/resourceclaims`;
    const create = async (name: string, isAdmin: boolean) =>
      found(await call("POST", claims, { body: claim(name, isAdmin) }));
    const template = { metadata: { name: "t" }, spec: { spec: { devices: { requests: requests(true) } } } };
    const createTemplate = async () =>
      found(await call("POST", `/apis/${VERSION}/namespaces/default/resourceclaimtemplates`, { body: template }));
    const allocate = async (name: string, isAdmin: boolean) =>
      found(await call("PATCH", `${claims}/${name}/status`, { body: allocated(isAdmin), type: MERGE }));

    const refused = [`spec.devices.requests[0].adminAccess: Forbidden: ${REFUSAL}`];
    const refusedStatus = [`status.allocation.devices.results[0].adminAccess: Forbidden: ${REFUSAL}`];
    expect(await create("plain", false)).toEqual([]);
    expect(await create("admin", true)).toEqual(refused);
    expect(await createTemplate()).toEqual(refused);
    expect(await allocate("plain", true)).toEqual(refusedStatus);

    await call("PATCH", "/api/v1/namespaces/default", label("True"));
    expect(await create("admin", true)).toEqual(refused);

    await call("PATCH", "/api/v1/namespaces/default", label("true"));
    expect(await create("admin", true)).toEqual([]);
    expect(await createTemplate()).toEqual([]);
    expect(await allocate("admin", true)).toEqual([]);

    await call("PATCH", "/api/v1/namespaces/default", label("false"));
    expect(await allocate("admin", true)).toEqual([]);
    expect(await allocate("plain", false)).toEqual([]);
  });
});
