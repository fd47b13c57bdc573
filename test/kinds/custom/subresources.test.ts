import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { define, definitionOf, definitionWith, OBJECTS, objectOf } from "./definitions.ts";

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

  it("that has no replicas gets them from its first scale, 0 among them", async () => {
    await call("POST", `${OBJECTS}/nuts`, { body: objectOf("Nut", "unscaled", { colour: "blue" }) });
    const scale = (spec: object) => call("PATCH", `${OBJECTS}/nuts/unscaled/scale`, { type: MERGE, body: { spec } });
    expect((await scale({})).body).toMatchObject({
      code: 400,
      message: 'the spec replicas field ".spec.count.wanted" cannot be empty',
    });
    expect((await scale({ replicas: 0 })).status).toBe(200);
    const { body } = await call("GET", `${OBJECTS}/nuts/unscaled`);
    expect(body.spec).toEqual({ colour: "blue", count: { wanted: 0 } });
  });

  it("has printer columns and selectable fields", async () => {
    const table = await call("GET", `${OBJECTS}/nuts?fieldSelector=spec.colour%3Dred`, { headers: { accept: TABLE } });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Colour", "Size"]);
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([["n", "red", null]]);
    const unknown = await call("GET", `${OBJECTS}/nuts?fieldSelector=spec.size%3D1`);
    expect(unknown.body.message).toBe("field label not supported: spec.size");
  });
});

it("the cell of an object is its JSON as Go prints it, also with integers beyond 2^53", async () => {
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const columns = [{ name: "Free", type: "string", jsonPath: ".spec" }];
  await define(call, definitionOf("beans", "Bean", free, { additionalPrinterColumns: columns }));
  const text = JSON.stringify(objectOf("Bean", "b", { a: "<\u2028>", n: 0 })).replace('"n":0', '"n":9007199254740993');
  await call("POST", `${OBJECTS}/beans`, { body: text });
  const { body } = await call("GET", `${OBJECTS}/beans/b`, { headers: { accept: TABLE } });
  expect(body.rows[0].cells).toEqual(["b", String.raw`{"a":"\u003c\u2028\u003e","n":9007199254740993}`]);
});

describe("a custom kind with several versions that can be scaled", () => {
  const schema = {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", properties: { replicas: { type: "integer" }, colour: { type: "string" } } },
        status: { type: "object", properties: { replicas: { type: "integer" } } },
      },
    },
  };
  const scale = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };
  beforeAll(() =>
    define(
      call,
      definitionWith("seeds", "Seed", [
        { name: "v1", served: true, storage: true, schema, subresources: { scale } },
        { name: "v2", served: true, storage: false, schema, subresources: { scale } },
        { name: "v3", served: true, storage: false, schema },
      ]),
    ),
  );

  it.each([
    ["v1", "v2"],
    ["v2", "v1"],
    ["v3", "v2"],
  ])("keeps owners of fields in %s after it was scaled in %s", async (written, scaled) => {
    const pathIn = (version: string) => `${OBJECTS.replace("v1", version)}/seeds`;
    const name = `from-${written}`;
    const body = {
      apiVersion: `example.com/${written}`,
      kind: "Seed",
      metadata: { name },
      spec: { colour: "red", replicas: 1 },
    };
    await call("POST", `${pathIn(written)}?fieldManager=writer`, { body });
    const patch = { type: MERGE, body: { spec: { replicas: 2 } } };
    expect((await call("PATCH", `${pathIn(scaled)}/${name}/scale?fieldManager=scaler`, patch)).status).toBe(200);
    const { managedFields } = (await call("GET", `${pathIn("v1")}/${name}`)).body.metadata;
    const owners = managedFields.map((one: Record<string, unknown>) => [one.manager, one.apiVersion, one.subresource]);
    expect(owners).toContainEqual(["writer", `example.com/${written}`, undefined]);
    if (written === "v3") return;
    expect(owners).toContainEqual(["scaler", `example.com/${scaled}`, "scale"]);
    const own = managedFields.find((one: Record<string, unknown>) => one.manager === "writer");
    expect(own.fieldsV1).toEqual({ "f:spec": { ".": {}, "f:colour": {} } });
  });
});
