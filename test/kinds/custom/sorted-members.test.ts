import { beforeAll, expect, it } from "vitest";
import type { Answer, Parsed } from "../../fixtures/plane-client.ts";
import { path, serveConversions, v1, v2 } from "./converted-kinds.ts";
import { define } from "./definitions.ts";

const { call, definition } = serveConversions();
const LABELS = { labels: { b: "1", a: "2" }, annotations: { z: "1", y: "2" }, finalizers: ["example.com/f"] };
const APPLY = "application/apply-patch+yaml";

/** Paths of JSON objects whose members are not sorted, as Go prints maps. */
function unsorted(value: Parsed, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const names = Object.keys(value);
  const isSorted = Array.isArray(value) || names.join() === names.toSorted().join();
  return [
    ...(isSorted ? [] : [`${path}: ${names}`]),
    ...names.flatMap((name) => unsorted(value[name], `${path}.${name}`)),
  ];
}

function expectSorted({ status, text, body }: Answer, expected = 200): void {
  expect(status, text).toBe(expected);
  expect(unsorted(body)).toEqual([]);
}

const labelled = (object: Parsed): Parsed => ({ ...object, metadata: { ...object.metadata, ...LABELS } });

beforeAll(() => define(call, definition("sorts", "Sort")));

it.each([
  ["the stored version", "v1", v1],
  ["a version that a webhook converts", "v2", v2],
])("responses with custom objects in %s have sorted members", async (_name, version, make) => {
  const all = path(version, "sorts");
  const name = `in-${version}`;
  const body = labelled(make("Sort", name));
  expectSorted(await call("POST", `${all}?dryRun=All`, { body }), 201);
  const created = await call("POST", all, { body });
  expectSorted(created, 201);
  expect(Object.keys(created.body.metadata)).toContain("managedFields");
  const one = path(version, "sorts", name);
  for (const query of ["", "?pretty=true"]) {
    expectSorted(await call("GET", `${one}${query}`));
    const list = await call("GET", `${all}${query}`);
    expectSorted(list);
    expect(list.body).toMatchObject({
      kind: "SortList",
      metadata: { continue: "", resourceVersion: expect.any(String) },
    });
    expect(list.body.items.length).toBeGreaterThan(0);
  }
  expectSorted(await call("GET", `${all}?labelSelector=none`));
  expectSorted(await call("PUT", one, { body: { ...created.body, spec: { ...body.spec, age: 37 } } }));
  const merge = { type: "application/merge-patch+json", body: { status: { phase: "Known" } } };
  expectSorted(await call("PATCH", `${one}/status`, merge));
  const { spec: _spec, ...bare } = make("Sort", name) as Parsed;
  const applied = { ...bare, metadata: { name, labels: { c: "3" } } };
  expectSorted(await call("PATCH", `${one}?fieldManager=me&dryRun=All`, { type: APPLY, body: applied }));
  expectSorted(await call("PATCH", `${one}?fieldManager=me`, { type: APPLY, body: applied }));
  const { text } = await call("GET", `${all}?watch=1&resourceVersion=0&timeoutSeconds=1`);
  const events = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.length).toBeGreaterThan(0);
  for (const { object } of events) expect(unsorted(object)).toEqual([]);
  const Accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { rows } = (await call("GET", `${all}?includeObject=Object`, { headers: { Accept } })).body;
  expect(rows.length).toBeGreaterThan(0);
  for (const { object } of rows) expect(unsorted(object)).toEqual([]);
  expectSorted(await call("DELETE", one));
  await call("PATCH", one, { type: "application/merge-patch+json", body: { metadata: { finalizers: null } } });
});

it.each(["PartialObjectMetadataList", "Table"])("custom objects in a %s have the order of other kinds", async (as) => {
  await call("POST", path("v1", "sorts"), { body: labelled(v1("Sort", "partial")) });
  const expected = ["name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp"];
  const entry = ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1"];
  for (const version of ["v1", "v2"])
    for (const query of ["", "?pretty=true", "?watch=1&resourceVersion=0&timeoutSeconds=1"]) {
      const Accept = `application/json;as=${query.includes("watch") ? as.replace("List", "") : as};v=v1;g=meta.k8s.io`;
      const { text } = await call("GET", `${path(version, "sorts")}${query}`, { headers: { Accept } });
      const { items, rows, object } = JSON.parse(query.includes("watch") ? (text.split("\n")[0] ?? "") : text);
      const { metadata } = items?.[0] ?? (rows ?? object.rows)?.[0].object ?? object;
      const rest = ["labels", "annotations", "finalizers", "managedFields"];
      expect(Object.keys(metadata), `${version}${query}`).toEqual([...expected, ...rest]);
      expect(Object.keys(metadata.managedFields[0])).toEqual(entry);
    }
});
