import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

const TABLE = { Accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** Serves a kind with these columns, and one object of it. Returns the path of its collection. */
async function serveColumns(group: string, columns: readonly Column[], spec: object = {}): Promise<string> {
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
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
  await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: definition });
  const path = `/apis/${group}/v1/things`;
  await expect.poll(async () => (await call("GET", path)).status).toBe(200);
  await call("POST", path, { body: { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "one" }, spec } });
  return path;
}

it("prints a table of a custom kind with an invalid column path", async () => {
  const path = await serveColumns("odd.example.com", [{ name: "Odd", type: "string", jsonPath: ".spec..a" }]);
  for (const target of [path, `${path}/one`]) {
    const { status, body } = await call("GET", target, { headers: TABLE });
    expect(status).toBe(200);
    expect(body.rows[0].cells).toEqual(["one", null]);
  }
});

it("prints objects with numbers beyond 2^53 and characters of HTML in a column", async () => {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
  const spec = { a: rawJSON("9007199254740993"), b: "<c>" };
  const path = await serveColumns("numbers.example.com", [{ name: "All", type: "string", jsonPath: ".spec" }], spec);
  const { status, body } = await call("GET", path, { headers: TABLE });
  expect(status).toBe(200);
  expect(body.rows[0].cells).toEqual(["one", '{"a":9007199254740993,"b":"\\u003cc\\u003e"}']);
});

it.each([
  ["string", null, '"<no value>"'],
  ["integer", null, "null"],
  ["integer", 1e21, "-9223372036854775808"],
  ["integer", -1e300, "-9223372036854775808"],
  ["integer", -2.7, "-2"],
  ["number", 1e21, "1e+21"],
  ["date", "5", '"<invalid>"'],
  ["date", "2020-01-01", '"<invalid>"'],
  ["date", "", '"<unknown>"'],
  ["date", "null", '"<unknown>"'],
])("prints in a column of type %s the value %j as %s", async (type, value, cell) => {
  const group = `x${Buffer.from(JSON.stringify([type, value])).toString("hex")}.example.com`;
  const path = await serveColumns(group, [{ name: "Value", type, jsonPath: ".spec.value" }], { value });
  const { text } = await call("GET", path, { headers: TABLE });
  expect(text).toContain(`"cells":["one",${cell.replace("<", "\\u003c").replace(">", "\\u003e")}]`);
});

describe("many columns of a large object", () => {
  const columnsOf = (count: number, jsonPath: string): Column[] =>
    Array.from({ length: count }, (_, index) => ({ name: `c${index}`, type: "string", jsonPath }));

  it("that each print all of it take no more memory than a few objects", async () => {
    const spec = { text: "x".repeat(500_000) };
    const path = await serveColumns("wide.example.com", columnsOf(1000, ".spec"), spec);
    const { status, body } = await call("GET", path, { headers: TABLE });
    expect(status).toBe(200);
    const [name, first, ...others] = body.rows[0].cells;
    expect(name).toBe("one");
    expect(first).toBe(JSON.stringify(spec));
    expect(others).toHaveLength(999);
    expect(JSON.stringify(others).length).toBeLessThan(4_000_000);
    expect(others.at(-1)).toBeNull();
  });

  it("that each search all of it take no longer than a few", async () => {
    const spec = { items: Array.from({ length: 50_000 }, () => ({ a: 0 })), last: "found" };
    const columns = [
      ...columnsOf(1, ".spec.last"),
      ...columnsOf(20_000, ".spec.items[?(@.a==1)].a").map((column) => ({ ...column, name: `s${column.name}` })),
    ];
    const path = await serveColumns("searching.example.com", columns, spec);
    const before = process.cpuUsage();
    const { status, body } = await call("GET", path, { headers: TABLE });
    const { user } = process.cpuUsage(before);
    expect(status).toBe(200);
    expect(body.rows[0].cells.slice(0, 2)).toEqual(["one", "found"]);
    expect(user / 1000).toBeLessThan(3000);
  });
});
