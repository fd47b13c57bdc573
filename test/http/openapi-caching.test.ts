import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

describe("the If-None-Match header of a request for an OpenAPI document", () => {
  const PATH = "/openapi/v3/apis/apps/v1";
  const statusWith = async (tag: string) => (await call("GET", PATH, { headers: { "If-None-Match": tag } })).status;

  it("gets 304 if it names the tag of the document, also as a weak tag or among others", async () => {
    const tag = String((await call("GET", PATH)).headers.etag);
    for (const named of [tag, `W/${tag}`, `"other", ${tag}`, `W/"other",W/${tag}`, "*"])
      expect(await statusWith(named)).toBe(304);
    for (const other of ['"other"', tag.slice(1, -1), `${tag}x`]) expect(await statusWith(other)).toBe(200);
  });
});

describe("the Vary header of a compressed response", () => {
  const varies = async (path: string, accept: string) => {
    const { headers } = await call("GET", path, { headers: { "Accept-Encoding": "gzip", accept } });
    expect(headers["content-encoding"]).toBe("gzip");
    return headers.vary?.split(", ").sort();
  };

  it("names Accept, too, where the response depends on it", async () => {
    const both = ["Accept", "Accept-Encoding"];
    expect(await varies("/openapi/v3/apis/apps/v1", "application/json")).toEqual(both);
    expect(await varies("/openapi/v2", "application/json")).toEqual(both);
  });
});
