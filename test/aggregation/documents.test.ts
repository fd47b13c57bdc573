import { describe, expect, it } from "vitest";
import type { Answer } from "../fixtures/plane-client.ts";
import { availability, eventually, register } from "./extension-server.ts";
import { GROUP, serveTwoPlanes } from "./second-plane.ts";

const { first, second } = serveTwoPlanes();
const ask = (path: string, accept = "application/json"): Promise<Answer> =>
  first().call("GET", path, { headers: { Accept: accept } });
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Group {
  readonly name: string;
  readonly metadata: { readonly name: string };
  readonly versions: { readonly version: string; readonly freshness: string; readonly resources?: object[] }[];
}

describe("groups of an extension server in discovery", () => {
  it("are listed by the priority of their APIService", async () => {
    const groups: Group[] = (await ask("/apis")).body.groups;
    expect(groups.map(({ name }) => name).at(-1)).toBe(GROUP);
    expect((await ask(`/apis/${GROUP}`)).body).toEqual({
      kind: "APIGroup",
      apiVersion: "v1",
      name: GROUP,
      versions: [{ groupVersion: `${GROUP}/v1`, version: "v1" }],
      preferredVersion: { groupVersion: `${GROUP}/v1`, version: "v1" },
    });
    expect((await ask(`/apis/${GROUP}/v1`)).body.resources.map(({ name }: { name: string }) => name)).toEqual([
      "goods",
    ]);
    expect((await ask(`/apis/${GROUP}/v2`)).text).toBe("404 page not found\n");
    expect((await ask("/")).body.paths).toContain(`/apis/${GROUP}/v1`);
  });

  it("are part of aggregated discovery", async () => {
    const has = ({ body }: Answer) => body.items.some(({ metadata }: Group) => metadata.name === GROUP);
    const { body, headers } = await eventually(() => ask("/apis", aggregated), has);
    expect((body.items as Group[]).at(-1)).toEqual({
      metadata: { name: GROUP, creationTimestamp: null },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "goods",
              responseKind: { group: GROUP, version: "v1", kind: "Good" },
              scope: "Namespaced",
              singularResource: "good",
              verbs: expect.arrayContaining(["get", "list", "watch", "create"]),
              shortNames: ["gd"],
            },
          ],
        },
      ],
    });
    const unchanged = await first().call("GET", "/apis", {
      headers: { Accept: aggregated, "If-None-Match": String(headers.etag) },
    });
    expect(unchanged.status).toBe(304);
  });

  it("are marked stale while their server does not respond, and are removed with their APIService", async () => {
    const { call } = first();
    const before = (await ask("/apis", aggregated)).headers.etag;
    const name = await register(call, { group: "dead.example.com", port: 1, service: "dead" });
    await availability(call, name, "FailedDiscoveryCheck");
    const find = ({ body }: Answer) =>
      (body.items as Group[]).find(({ metadata }) => metadata.name === "dead.example.com");
    const told = await eventually(
      () => ask("/apis", aggregated),
      (answer) => find(answer) !== undefined,
    );
    expect(find(told)?.versions).toEqual([{ version: "v1", freshness: "Stale" }]);
    await call("DELETE", `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
    const after = await eventually(
      () => ask("/apis", aggregated),
      (answer) => find(answer) === undefined,
    );
    expect(after.headers.etag).toBe(before);
  });
});

describe("OpenAPI documents of an extension server", () => {
  const path = `apis/${GROUP}/v1`;

  it("are listed beside those of this server, and are proxied", async () => {
    const index = await eventually(
      () => ask("/openapi/v3"),
      ({ body }) => body.paths[path] !== undefined,
    );
    const theirs = (await second().call("GET", "/openapi/v3")).body.paths;
    expect(index.body.paths[path]).toEqual(theirs[path]);
    expect(index.body.paths["api/v1"]).toBeDefined();
    const document = await ask(index.body.paths[path].serverRelativeURL);
    expect(Object.keys(document.body.paths)).toContain(`/apis/${GROUP}/v1/namespaces/{namespace}/goods`);
  });

  it("become part of /openapi/v2", async () => {
    const { body } = await eventually(
      () => ask("/openapi/v2"),
      (answer) => answer.body.definitions["com.example.shop.v1.Good"] !== undefined,
    );
    expect(body.paths[`/apis/${GROUP}/v1/namespaces/{namespace}/goods`].get).toBeDefined();
    expect(body.paths["/api/v1/pods"].get).toBeDefined();
    expect(Object.keys(body.definitions).filter((name) => /_v\d$/.test(name))).toEqual([]);
  });
});
