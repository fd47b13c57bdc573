import { existsSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { printOpenApi } from "../../runtime/http/openapi/print-openapi.ts";
import { pathMembers } from "../../runtime/http/openapi/protobuf/document-v2.ts";
import { OpenApiEncoder } from "../../runtime/http/openapi/protobuf/encode-openapi.ts";
import { atOnce } from "../../runtime/lib/in-turns.ts";
import { servePlane } from "../fixtures/serve-plane.ts";
import { longestTurn } from "./longest-turn.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definition(name: string): object {
  const group = "turns.example.com";
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${name}s.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural: `${name}s`, singular: name, kind: name },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

describe("the OpenAPI document of all kinds", () => {
  const { call } = servePlane();

  it("is built in many turns of the event loop, and only what changed is built again after a change of a custom kind", async () => {
    // A type that is not served is refused after the document was built.
    const build = () => call("GET", "/openapi/v2", { headers: { Accept: "image/png" } });
    const first = await longestTurn(build);
    expect(first.total, "CPU time in ms, without which nothing was built").toBeGreaterThan(15);
    expect(first.longest / first.total, "part of the work that one turn does").toBeLessThan(0.5);
    const again: number[] = [];
    for (const name of ["first", "second", "third"]) {
      await call("POST", DEFINITIONS, { body: definition(name) });
      await expect.poll(async () => (await call("GET", `/apis/turns.example.com/v1/${name}s`)).status).toBe(200);
      again.push((await longestTurn(build)).total / first.total);
    }
    expect(Math.min(...again), "work after a change, as a part of the work for all").toBeLessThan(0.3);
    const { paths, definitions } = (await call("GET", "/openapi/v2")).body;
    expect(Object.keys(paths).filter((path) => path.startsWith("/apis/turns.example.com/v1/"))).toHaveLength(6);
    expect(definitions).toHaveProperty(["com.example.turns.v1.third"]);
  });

  it("has an index in version 3, for which all documents are made in many turns", async () => {
    const index = await longestTurn(async () => expect((await call("GET", "/openapi/v3")).status).toBe(200));
    expect(index.total, "CPU time in ms, without which nothing was made").toBeGreaterThan(15);
    expect(index.longest / index.total, "part of the work that one turn does").toBeLessThan(0.5);
  });

  it("is the same for requests that come while it is built", async () => {
    await call("POST", DEFINITIONS, { body: definition("fourth") });
    const answers = await Promise.all(Array.from({ length: 4 }, () => call("GET", "/openapi/v2")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await expect
      .poll(async () => (await call("GET", "/openapi/v2")).body.paths)
      .toHaveProperty(["/apis/turns.example.com/v1/fourths"]);
  });
});

describe("a printed document", () => {
  it.each<[string, object]>([
    ["empty", {}],
    ["of nested objects", { a: { b: { c: { d: { e: 1 } } } }, 'quoted "name"': { é: {} } }],
    [
      "of lists, nulls and absent members",
      { list: [{ a: undefined }, null], none: null, gone: undefined, in: { gone: undefined } },
    ],
    [
      "that is large",
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, { text: "é".repeat(20) }])),
    ],
  ])("that is %s equals its JSON", (_what, document) => {
    expect(atOnce(printOpenApi(document)).json.toString()).toBe(JSON.stringify(document));
  });
});

describe("the encoder of OpenAPI documents as protobuf", () => {
  const document = JSON.stringify({ openapi: "3.0.0", info: { title: "Turns", version: "1" }, paths: {} });
  const threads = () => (existsSync("/proc/self/task") ? readdirSync("/proc/self/task").length : 0);

  it("uses one thread for all documents that are read at the same time", async () => {
    const encoder = new OpenApiEncoder();
    const before = threads();
    const encoded = Promise.all(Array.from({ length: 24 }, () => encoder.encode({ json: document, version: "v3" })));
    let most = 0;
    const isDone = encoded.then(() => true);
    while (!(await Promise.race([isDone, sleep(10, false)]))) most = Math.max(most, threads());
    expect((await encoded).map((bytes) => bytes.length > 0)).toEqual(Array.from({ length: 24 }, () => true));
    // A thread of JavaScript comes with threads that compile.
    expect(most - before).toBeLessThan(12);
  });

  it.each([
    ["an object as text", '{"paths":{"/a":{"get":{"summary":{"toString":1,"valueOf":1}}}}}'],
    [
      "an object as a number",
      '{"paths":{"/a":{"parameters":[{"in":"query","maxLength":{"valueOf":1,"toString":1}}]}}}',
    ],
    ["a number that is infinite", '{"paths":{"/a":{"parameters":[{"in":"query","maxLength":1e999}]}}}'],
    ["an object as the place of a parameter", '{"paths":{"/a":{"parameters":[{"in":{"toString":1,"valueOf":1}}]}}}'],
    ["an inherited name as the place of a parameter", '{"paths":{"/a":{"parameters":[{"in":"constructor"}]}}}'],
  ])("encodes what an extension server may publish: %s", (_what, json) => {
    expect(
      pathMembers((JSON.parse(json) as { paths: Readonly<Record<string, unknown>> }).paths).length,
    ).toBeGreaterThan(4);
  });

  it("goes on with the next document after one that cannot be encoded", async () => {
    const encoder = new OpenApiEncoder();
    const [first, second] = await Promise.allSettled([
      encoder.encode({ json: "{", version: "v3" }),
      encoder.encode({ json: document, version: "v3" }),
    ]);
    expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
  });
});
