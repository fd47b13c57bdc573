import type { Curve } from "./curve.ts";
import { GrowingServer } from "./growing-server.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const groupOf = (index: number | string) => `group${Number(index) % 50}.example.com`;

function definition(plural: string, group: string): object {
  const fields = Array.from({ length: 12 }, (_, field) => [
    `field${field}`,
    { type: "string", maxLength: 64, description: `Setting ${field} of ${plural}, described in one sentence.` },
  ]);
  const spec = { type: "object", properties: Object.fromEntries(fields) };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind: plural.charAt(0).toUpperCase() + plural.slice(1) },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

export function growWithKinds(): Promise<Curve> {
  return GrowingServer.run((server) => {
    const get = (path: string, accept = "application/json") => server.client.send({ path, headers: { accept } });
    const things = `/apis/${groupOf(0)}/v1/namespaces/default/things0`;
    return server.curve(
      { id: "kinds", title: "Number of CustomResourceDefinitions of 2 KB", counted: "definitions" },
      [100, 400, 1_600],
      async (from, to) => {
        await server.each(
          from,
          to,
          (index) => server.post(DEFINITIONS, definition(`things${index}`, groupOf(index))),
          2,
        );
        if (from > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        await server.post(things, { apiVersion: `${groupOf(0)}/v1`, kind: "Things0", metadata: { name: "one" } });
      },
      [
        { name: "get a custom object", exponent: 0, count: 100, work: () => get(`${things}/one`) },
        {
          name: "create a definition",
          exponent: 0,
          count: 20,
          inFlight: 1,
          work: (index) => server.post(DEFINITIONS, definition(`extra${index}`, groupOf(index))),
        },
        {
          name: "change a definition",
          exponent: 0,
          count: 20,
          inFlight: 1,
          work: (index) =>
            server.mergePatch(`${DEFINITIONS}/things1.${groupOf(1)}`, {
              spec: { names: { shortNames: [`t${index}`] } },
            }),
        },
        { name: "read /apis, aggregated", exponent: 1, count: 2, inFlight: 1, work: () => get("/apis", AGGREGATED) },
        { name: "read /openapi/v2 again", exponent: 1, count: 1, inFlight: 1, work: () => get("/openapi/v2") },
      ],
    );
  });
}
