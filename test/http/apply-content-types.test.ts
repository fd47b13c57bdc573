import { describe, expect, it } from "vitest";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

const { call } = servePlane({ "feature-gates": "CBORServingAndStorage=true" });

const config = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });

describe("server-side apply", () => {
  it.each([
    [
      "yaml",
      "application/apply-patch+yaml",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: yaml }\ndata: { a: '1' }\n",
    ],
    ["json", "application/apply-patch+yaml", JSON.stringify(config("json"))],
    ["cbor", "application/apply-patch+cbor", Buffer.from(encodeCbor(config("cbor")))],
  ])("accepts a configuration in %s and changes nothing when it is applied again", async (name, type, body) => {
    const path = `${MAPS}/${name}?fieldManager=alpha`;
    const created = await call("PATCH", path, { type, body });
    expect(created.status).toBe(201);
    expect(created.body.data).toEqual({ a: "1" });
    expect(created.body.metadata.managedFields).toMatchObject([{ manager: "alpha", operation: "Apply" }]);
    const again = await call("PATCH", path, { type, body });
    expect(again.status).toBe(200);
    expect(again.body.metadata).toEqual(created.body.metadata);
  });
});
