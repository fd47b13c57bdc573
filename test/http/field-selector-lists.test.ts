import { afterAll, beforeAll, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { createClient } from "../fixtures/plane-client.ts";

/*
 * Field selectors that select one namespace or one object restrict the keys that a list reads, and therefore whether another page is offered,
 * as in Kubernetes.
 */

let plane: Plane;
let call: ReturnType<typeof createClient>;
let latest: string;

beforeAll(async () => {
  plane = await startPlane({ flags: { controllers: "false" } });
  call = createClient(plane);
  await plane.ready;
  for (const namespace of ["narrow", "wide"]) {
    await call("POST", "/api/v1/namespaces", { body: { metadata: { name: namespace } } });
    for (const name of ["one", "two"]) {
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      const { body } = await call("POST", path, { body: { metadata: { name, labels: { test: "narrow" } } } });
      latest = body.metadata.resourceVersion;
    }
  }
});
afterAll(() => plane.stop());

async function list(path: string): Promise<{ names: string[]; more: boolean; continue: string }> {
  const { status, body } = await call("GET", path);
  expect(status).toBe(200);
  const names = body.items.map(({ metadata }: { metadata: { namespace?: string; name: string } }) =>
    [metadata.namespace, metadata.name].filter(Boolean).join("/"),
  );
  return { names, more: body.metadata.continue !== undefined, continue: body.metadata.continue };
}

it("a list with a field selector for metadata.namespace reads only that namespace", async () => {
  const path = "/api/v1/configmaps?labelSelector=test%3Dnarrow&fieldSelector=metadata.namespace%3Dnarrow";
  expect(await list(`${path}&limit=2`)).toMatchObject({ names: ["narrow/one", "narrow/two"], more: false });
  const first = await list(`${path}&limit=1`);
  expect(first).toMatchObject({ names: ["narrow/one"], more: true });
  expect(await list(`${path}&limit=1&continue=${first.continue}`)).toMatchObject({
    names: ["narrow/two"],
    more: false,
  });
});

it("a list with limit has no continue token if the field selector names a single object", async () => {
  const maps = "/api/v1/namespaces/narrow/configmaps";
  expect(await list(`${maps}?fieldSelector=metadata.name%3Done&limit=1`)).toMatchObject({
    names: ["narrow/one"],
    more: false,
  });
  expect(await list(`${maps}?fieldSelector=metadata.name%3Done&limit=1&resourceVersion=${latest}`)).toMatchObject({
    more: false,
  });
  expect(await list("/api/v1/configmaps?fieldSelector=metadata.name%3Done&limit=1")).toMatchObject({
    names: ["narrow/one"],
    more: true,
  });
  const both = "metadata.namespace%3Dwide,metadata.name%3Dtwo";
  expect(await list(`/api/v1/configmaps?fieldSelector=${both}&limit=1`)).toMatchObject({
    names: ["wide/two"],
    more: false,
  });
  expect(await list(`${maps}?fieldSelector=metadata.name%3Done&labelSelector=test%3Dother`)).toMatchObject({
    names: [],
  });
});

it("a field selector for metadata.name finds cluster-scoped objects and accepts any value", async () => {
  const path = "/api/v1/namespaces?limit=1&fieldSelector=metadata.name";
  expect(await list(`${path}%3Dnarrow`)).toMatchObject({ names: ["narrow"], more: false });
  expect(await list(`${path}%3D..%2Fnarrow`)).toMatchObject({ names: [], more: false });
  expect(await list(`${path}%3D`)).toMatchObject({ names: [] });
});

it("DELETE of a collection with a field selector deletes only the selected objects", async () => {
  const query = "fieldSelector=metadata.name%3Done";
  await call("DELETE", `/api/v1/namespaces/wide/configmaps?${query}`);
  expect((await list("/api/v1/configmaps?labelSelector=test%3Dnarrow")).names).toEqual([
    "narrow/one",
    "narrow/two",
    "wide/two",
  ]);
});

it("a list of pods may select their node by the former name of the field", async () => {
  const pod = (name: string) => ({
    metadata: { name },
    spec: { nodeName: name, containers: [{ name: "c", image: "i" }] },
  });
  const pods = "/api/v1/namespaces/narrow/pods";
  await call("POST", "/api/v1/namespaces/narrow/serviceaccounts", { body: { metadata: { name: "default" } } });
  for (const name of ["on-a", "on-b"]) expect((await call("POST", pods, { body: pod(name) })).status).toBe(201);
  expect(await list(`${pods}?fieldSelector=spec.host%3Don-a`)).toMatchObject({ names: ["narrow/on-a"] });
});

it("a list whose field selector names a single object ignores a continue token", async () => {
  const path = "/api/v1/namespaces/narrow/configmaps";
  const first = await list(`${path}?labelSelector=test%3Dnarrow&limit=1`);
  const single = { names: ["narrow/one"], more: false };
  for (const token of [first.continue, "no-token"])
    expect(await list(`${path}?fieldSelector=metadata.name%3Done&continue=${token}`)).toMatchObject(single);
});
