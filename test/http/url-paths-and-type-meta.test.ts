import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();

describe("the path of a request", () => {
  it("gets 404 if it starts with two slashes, while slashes at the end are ignored", async () => {
    const { status, text } = await call("GET", "//api/v1/namespaces");
    expect([status, text]).toEqual([404, "404 page not found\n"]);
    expect((await call("GET", "/version//")).status).toBe(200);
  });

  it("gets 404 for an unknown subresource before the name of the object is validated", async () => {
    const { status, body } = await call("GET", "/api/v1/namespaces/default/configmaps/%2e%2e/odd");
    expect([status, body.message]).toEqual([404, "the server could not find the requested resource"]);
  });
});

describe("the Content-Type of a request", () => {
  const post = (type: string) =>
    call("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", { body: { metadata: { name: "m" } }, type });

  it("gets 415 if its parameters cannot be parsed", async () => {
    expect((await post("application/json; charset=utf-8")).status).toBe(201);
    expect((await post("application/json; charset")).status).toBe(415);
  });

  it("is case-sensitive for patches, and its parameters are ignored there", async () => {
    const patch = (type: string) => call("PATCH", "/api/v1/namespaces/default?dryRun=All", { body: {}, type });
    expect((await patch("application/merge-patch+json; x")).status).toBe(200);
    expect((await patch("application/MERGE-patch+json")).status).toBe(415);
  });
});

describe("kind and apiVersion of a request body", () => {
  const MAPS = "/api/v1/namespaces/default/configmaps";
  const post = async (text: string) => (await call("POST", `${MAPS}?dryRun=All`, { body: text })).body.message;

  it("are matched regardless of case, and the last of several keys wins", async () => {
    const rest = '"metadata":{"name":"m"}}';
    expect(await post(`{"KIND":"ConfigMap","apiversion":"v1",${rest}`)).toBeUndefined();
    expect(await post(`{"kind":"ConfigMap","apiVersion":"v1","apiversion":"v2",${rest}`)).toContain(
      'no kind "ConfigMap" is registered for version "v2"',
    );
    expect(await post(`{"Kind":"Pod","kind":"ConfigMap","apiVersion":"v1",${rest}`)).toBeUndefined();
    expect(await post(`{"kind":"ConfigMap","KIND":5,"apiVersion":"v1",${rest}`)).toContain(
      "cannot unmarshal number into Go struct field .kind of type string",
    );
  });

  it("are read in the sorted order of the keys after a patch", async () => {
    await call("POST", MAPS, { body: { metadata: { name: "m" } } });
    const patch = async (body: object) =>
      (await call("PATCH", `${MAPS}/m?dryRun=All`, { body, type: "application/merge-patch+json" })).body.message;
    expect(await patch({ KIND: "Pod" })).toBeUndefined();
    expect(await patch({ apiversion: "v2" })).toContain('no kind "ConfigMap" is registered for version "v2"');
  });
});
