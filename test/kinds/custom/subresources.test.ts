import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define, definitionOf, OBJECTS, objectOf } from "./definitions.ts";

const MERGE = "application/merge-patch+json";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

const { call } = servePlane({ controllers: "true" });

describe("a custom kind with subresources", () => {
  const COLUMNS = [
    { name: "Colour", type: "string", jsonPath: ".spec.colour" },
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
  ];
  beforeAll(() =>
    define(
      call,
      definitionOf(
        "nuts",
        "Nut",
        {
          type: "object",
          properties: {
            colour: { type: "string" },
            size: { type: "integer" },
            count: { type: "object", properties: { wanted: { type: "integer" } } },
          },
        },
        {
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.count.wanted", statusReplicasPath: ".status.replicas" },
          },
          additionalPrinterColumns: COLUMNS,
          selectableFields: [{ jsonPath: ".spec.colour" }],
        },
      ),
    ),
  );

  it("keeps status and spec apart", async () => {
    const created = await call("POST", `${OBJECTS}/nuts`, {
      body: { ...objectOf("Nut", "n", { colour: "red", count: { wanted: 2 } }), status: { replicas: 9 } },
    });
    expect(created.body).not.toHaveProperty("status");
    const status = await call("PATCH", `${OBJECTS}/nuts/n/status`, {
      type: MERGE,
      body: { metadata: { labels: { a: "b" } }, spec: { colour: "blue" }, status: { replicas: 1 } },
    });
    expect(status.body).toMatchObject({
      metadata: { generation: 1 },
      spec: { colour: "red" },
      status: { replicas: 1 },
    });
    expect(status.body.metadata).not.toHaveProperty("labels");
  });

  it("is scaled at the declared replicas path", async () => {
    const scale = await call("GET", `${OBJECTS}/nuts/n/scale`);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 2 }, status: { replicas: 1 } });
    await call("PATCH", `${OBJECTS}/nuts/n/scale`, { type: MERGE, body: { spec: { replicas: 7 } } });
    const { body } = await call("GET", `${OBJECTS}/nuts/n`);
    expect(body.spec).toEqual({ colour: "red", count: { wanted: 7 } });
    const negative = await call("PATCH", `${OBJECTS}/nuts/n/scale`, { type: MERGE, body: { spec: { replicas: -1 } } });
    expect(negative.body.message).toContain(".spec.count.wanted: Invalid value: -1: should be a non-negative integer");
    await call("POST", `${OBJECTS}/nuts`, { body: objectOf("Nut", "none", { colour: "blue" }) });
    const none = await call("GET", `${OBJECTS}/nuts/none/scale`);
    expect(none.body.message).toBe(
      'Internal error occurred: the spec replicas field ".spec.count.wanted" does not exist',
    );
  });

  it("has printer columns and selectable fields", async () => {
    const table = await call("GET", `${OBJECTS}/nuts?fieldSelector=spec.colour%3Dred`, { headers: { accept: TABLE } });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Colour", "Size"]);
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([["n", "red", null]]);
    const unknown = await call("GET", `${OBJECTS}/nuts?fieldSelector=spec.size%3D1`);
    expect(unknown.body.message).toBe("field label not supported: spec.size");
  });
});
