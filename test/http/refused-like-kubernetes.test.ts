import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const CORE = "/api/v1/namespaces/default";
const APPS = "/apis/apps/v1/namespaces/default";
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "m", image: "i" }] } };
const selector = { matchLabels: { a: "b" } };

describe("the class of a volume's attributes, while the feature is off", () => {
  const claimSpec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    volumeAttributesClassName: "Odd_name",
  };

  it("is left out of claims and volumes", async () => {
    const { body: claim } = await call("POST", `${CORE}/persistentvolumeclaims`, {
      body: { metadata: { name: "plain" }, spec: claimSpec },
    });
    expect(claim.spec).not.toHaveProperty("volumeAttributesClassName");
    const { body: volume } = await call("POST", "/api/v1/persistentvolumes", {
      body: {
        metadata: { name: "plain" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          capacity: { storage: "1Gi" },
          hostPath: { path: "/x" },
          volumeAttributesClassName: "Odd_name",
        },
      },
    });
    expect(volume.spec).not.toHaveProperty("volumeAttributesClassName");
  });

  it("is kept in templates of claims, which may not change", async () => {
    const set = (volumeAttributesClassName: string) => ({
      metadata: { name: "classy" },
      spec: {
        selector,
        template,
        serviceName: "s",
        volumeClaimTemplates: [{ metadata: { name: "c" }, spec: { ...claimSpec, volumeAttributesClassName } }],
      },
    });
    await call("POST", `${APPS}/statefulsets`, { body: set("one") });
    const { status, body } = await call("PUT", `${APPS}/statefulsets/classy`, { body: set("two") });
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining("spec: Forbidden: updates to statefulset spec for fields other than"),
    ]);
    const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }];
    const { body: pod } = await call("POST", "/api/v1/namespaces/default/podtemplates", {
      body: { metadata: { name: "classy" }, template: { ...template, spec: { ...template.spec, volumes } } },
    });
    expect(JSON.stringify(pod)).toContain('"volumeAttributesClassName":"Odd_name"');
  });
});

describe("a request for a certificate that holds nothing", () => {
  it.each([
    ["", "[]byte{}"],
    ["\n", "[]byte{}"],
    [undefined, "[]byte(nil)"],
  ])("is shown as it was given: %j", async (request, shown) => {
    const { body } = await call("POST", "/apis/certificates.k8s.io/v1/certificatesigningrequests", {
      body: { metadata: { name: "empty" }, spec: { request, signerName: "a.example.com/b", usages: ["client auth"] } },
    });
    expect(body.message).toContain(`spec.request: Invalid value: ${shown}: PEM block type must be CERTIFICATE REQUEST`);
  });
});
