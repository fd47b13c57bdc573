import { expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

it("prints a table of a custom kind with an invalid column path", async () => {
  const group = "odd.example.com";
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural: "things", singular: "thing", kind: "Thing" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          additionalPrinterColumns: [{ name: "Odd", type: "string", jsonPath: ".spec..a" }],
        },
      ],
    },
  };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition });
  const path = `/apis/${group}/v1/things`;
  await expect.poll(async () => (await call("GET", path)).status).toBe(200);
  await call("POST", path, { body: { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "one" } } });
  const headers = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };
  for (const target of [path, `${path}/one`]) {
    const { status, body } = await call("GET", target, { headers });
    expect(status).toBe(200);
    expect(body.rows[0].cells).toEqual(["one", null]);
  }
});
