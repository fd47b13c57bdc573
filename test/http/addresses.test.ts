import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

describe("an address", () => {
  it("begins with one slash", async () => {
    const { status, text } = await call("GET", "//api/v1/namespaces");
    expect([status, text]).toEqual([404, "404 page not found\n"]);
    expect((await call("GET", "/version//")).status).toBe(200);
  });

  it("is looked for before the name in it", async () => {
    const { status, body } = await call("GET", "/api/v1/namespaces/default/configmaps/%2e%2e/odd");
    expect([status, body.message]).toEqual([404, "the server could not find the requested resource"]);
  });
});

describe("the format of a body", () => {
  const post = (type: string) =>
    call("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", { body: { metadata: { name: "m" } }, type });

  it("has parameters that can be read", async () => {
    expect((await post("application/json; charset=utf-8")).status).toBe(201);
    expect((await post("application/json; charset")).status).toBe(415);
  });

  it("of patches is written in small letters", async () => {
    const patch = (type: string) => call("PATCH", "/api/v1/namespaces/default?dryRun=All", { body: {}, type });
    expect((await patch("application/merge-patch+json; x")).status).toBe(200);
    expect((await patch("application/MERGE-patch+json")).status).toBe(415);
  });
});
