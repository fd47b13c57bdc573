import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const OWNERS = "application/json;as=Owners;g=meta.k8s.io;v=v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

const { call } = servePlane();

describe("the table of the field owners of an object", () => {
  it("has one row per field with its managers", async () => {
    const apply = (manager: string, data: Record<string, string>) =>
      call("PATCH", `${MAPS}/shared?fieldManager=${manager}`, {
        headers: { "content-type": "application/apply-patch+yaml" },
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "shared" }, data },
      });
    expect((await apply("alpha", { both: "1", mine: "2" })).status).toBe(201);
    expect((await apply("beta", { both: "1" })).status).toBe(200);

    const table = await call("GET", `${MAPS}/shared`, { headers: { accept: OWNERS } });
    expect(table.status).toBe(200);
    expect(table.body).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    expect(table.body.columnDefinitions.map((column: { name: string }) => column.name).slice(0, 4)).toEqual([
      "Path",
      "Value",
      "Managers",
      "Operation",
    ]);
    const rows = table.body.rows.map((row: { cells: string[] }) => row.cells.slice(0, 4));
    expect(rows).toEqual([
      [".data.both", "1", "alpha, beta", "Apply, Apply"],
      [".data.mine", "2", "alpha", "Apply"],
    ]);
  });

  it("gets 406 for a list", async () => {
    const answer = await call("GET", MAPS, { headers: { accept: OWNERS } });
    expect(answer.status).toBe(406);
    expect(answer.body.message).toContain("you requested Owners, but the requested object is a list");
  });
});
