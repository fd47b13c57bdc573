import { beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../generated/registry.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import { apiVersionOf } from "../../runtime/contract/group-version.ts";
import type { ColumnDescriptor, ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { parseOwnText } from "../../runtime/encoding/json/parse-own-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { MetadataJson } from "../../runtime/http/respond/metadata-json.ts";
import { RowJson } from "../../runtime/http/respond/row-json.ts";
import { RowObject } from "../../runtime/http/respond/row-object.ts";
import { type IncludeObject, tableRow } from "../../runtime/http/respond/table.ts";
import { PieceWriter } from "../../runtime/http/watch/frame-pieces.ts";
import { customCells } from "../../runtime/kinds/custom/custom-cells.ts";
import { type LoadedHooks, loadHooks } from "../../runtime/kinds/loaded-hooks.ts";
import { createObjectReader } from "../../runtime/kinds/object-reader.ts";
import type { ServedResource } from "../../runtime/kinds/served-resource.ts";
import { CachedObject } from "../../runtime/watch/cached-object.ts";
import { MemoBudget } from "../../runtime/watch/memo-budget.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { canonical, catalogue, types } from "../kinds/conversions/converters.ts";
import { RandomObjects, randomFrom } from "../kinds/conversions/random-objects.ts";

/*
 * Rows of lists and watches are built from views of stored JSON, of which only the parts for the columns are parsed. This test builds them
 * again from fully parsed objects, and compares both byte by byte.
 */

const RUNS = 40;
const META = "meta.k8s.io/v1";
const NOW = new Date("2021-01-01T00:00:00Z");
const INCLUDES: readonly IncludeObject[] = ["Metadata", "Object", "None"];
const kinds = catalogue.resources.filter(({ type, storage, virtual }) => type === storage.type && !virtual);

function resourceFor(descriptor: ResourceDescriptor, hooks: LoadedHooks): ServedResource {
  const same = (object: ApiObject) => object;
  const stored = { hooks } as ServedResource["stored"];
  const apiVersion = apiVersionOf(descriptor);
  const parts = { descriptor, apiVersion, hooks, stored, isStoredVersion: true, toStored: same, fromStored: same };
  return parts as unknown as ServedResource;
}

const reader = createObjectReader({ selectableFields: () => ({}), budget: new MemoBudget(0) });

/** Returns what a function returns, or the error that it throws. */
function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

/** A row as lists and watches send it. */
function rowOf(resource: ServedResource, json: string, include: IncludeObject): string {
  const cached = new CachedObject({ key: "a", modRevision: 7, json: Buffer.from(json) }, reader);
  const out = new PieceWriter();
  new RowJson(resource, include, new MetadataJson(resource, META), NOW).write(cached, out);
  return Buffer.concat(out.pieces).toString("utf8");
}

function expectSameRows(resource: ServedResource, json: string): void {
  const now = () => NOW;
  for (const include of INCLUDES) {
    const made = outcome(() => rowOf(resource, json, include));
    const whole = RowObject.ofStored(resource, parseOwnText(json) as ApiObject);
    const options = { metaApiVersion: META, include, now };
    expect(made).toBe(outcome(() => stringifyJson(tableRow(resource, whole, options))));
  }
}

const annotations = { note: 'a "quoted" } brace ] and \\ more, <b> ünïcode 😀 \u2028', "f:x]},": "}]" };
const metadata = {
  name: "one",
  namespace: "default",
  uid: "3f7a3880-7753-4463-a4a3-2e4cd8ad9b34",
  resourceVersion: "7",
  generation: 3,
  creationTimestamp: "2020-12-30T00:00:00Z",
  labels: { app: "web", "a.b/c": "d" },
  ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1", controller: true }],
};
const managedFields = ["kubelet", "a ]} manager"].map((manager) => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: "2020-12-31T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:status": { 'k:{"type":"Ready"}': { ".": {}, "f:status": {} }, 'v:"]},"': {} } },
}));

/** Metadata in some of its forms. */
function metadataFor(seed: number): object {
  return {
    ...metadata,
    ...(seed % 3 === 0 && { deletionTimestamp: "2020-12-31T12:00:00Z", deletionGracePeriodSeconds: 30 }),
    ...(seed % 2 === 0 && { annotations }),
    ...(seed % 4 !== 0 && { managedFields: managedFields.slice(seed % 5 === 0 ? 0 : 1) }),
  };
}

describe("rows of views equal those of whole objects", () => {
  const hooks = new Map<string, LoadedHooks>();
  beforeAll(async () => {
    for (const { type } of kinds) hooks.set(type, await loadHooks(registry, type as TypeRef, DEFAULT_CONTEXT));
  });

  it("of many kinds", () => {
    expect(kinds.filter(({ columns }) => columns.length > 0).length).toBeGreaterThan(40);
  });

  it.each(kinds.map((descriptor) => ({ name: descriptor.type, descriptor })))("$name", ({ name, descriptor }) => {
    const resource = resourceFor(descriptor, hooks.get(name) ?? {});
    for (let seed = 0; seed < RUNS; seed++) {
      const made = new RandomObjects(types, randomFrom(seed)).object(name as TypeRef);
      const object = canonical(name, { ...made, metadata: metadataFor(seed) });
      expectSameRows(resource, stringifyJson(object));
    }
  });

  it("an own kind with columns of dates, which show ages", () => {
    const column = { format: "", description: "", priority: 0 };
    const columns: ColumnDescriptor[] = [
      { ...column, name: "Age", type: "date", path: ".metadata.creationTimestamp" },
      { ...column, name: "Backup", type: "date", path: ".status.backupAt" },
      { ...column, name: "Restore", type: "date", path: ".status.restoreAt" },
      { ...column, name: "Odd", type: "date", path: ".status.note" },
      { ...column, name: "Created", type: "string", path: ".metadata.creationTimestamp" },
    ];
    const resource = resourceFor({ ...(kinds[0] as ResourceDescriptor), columns }, {});
    const json = stringifyJson({ metadata, status: { backupAt: "2020-12-31T22:00:00Z", note: "soon" } });
    expectSameRows(resource, json);
    expect(JSON.parse(rowOf(resource, json, "None")).cells).toEqual([
      "2d",
      "120m",
      "",
      "<invalid>",
      "2020-12-30T00:00:00Z",
    ]);
  });

  it("a custom kind", () => {
    const paths = [
      ".spec.replicas",
      ".status.conditions[?(@.type=='Ready')].status",
      ".spec.containers[*].name",
      ".spec",
    ];
    const others = [".metadata.creationTimestamp", ".status.phase", ".spec.none", ".metadata.labels['a.b/c']", "..bad"];
    const kindsOfCells = ["string", "integer", "number", "boolean", "date"];
    const columns = [...paths, ...others].flatMap((path) =>
      kindsOfCells.map(
        (type): ColumnDescriptor => ({ name: `${path} ${type}`, type, path, format: "", description: "", priority: 0 }),
      ),
    );
    const pod = kinds.find(({ type }) => type === "core/v1.Pod") as ResourceDescriptor;
    const custom = { plural: "things" } as unknown as NonNullable<ResourceDescriptor["custom"]>;
    const resource = resourceFor({ ...pod, custom, columns }, { cells: customCells(columns) });
    for (let seed = 0; seed < RUNS; seed++) {
      const spec = new RandomObjects(types, randomFrom(seed)).object("core/v1.PodTemplateSpec" as TypeRef);
      const status = { phase: "<b>", conditions: [{ type: "Ready", status: "True" }, null, 3] };
      const object = {
        apiVersion: "a/v1",
        kind: "Thing",
        ...spec,
        status,
        metadata: metadataFor(seed),
        large: 2n ** 60n,
      };
      expectSameRows(resource, stringifyJson(sorted(object)));
    }
  });

  it.each([
    ["copies", (object: ApiObject) => structuredClone(object)],
    ["changes", (object: ApiObject) => Object.assign(object, { kind: "Changed" })],
  ])("a hook that %s its object", (_, use) => {
    const cells = (object: ApiObject) => ({ Ready: use(object).metadata.name });
    const pod = kinds.find(({ type }) => type === "core/v1.Pod") as ResourceDescriptor;
    const spec = {
      containers: Array.from({ length: 20 }, (_, index) => ({ name: `container-${index}`, image: "image" })),
    };
    const json = stringifyJson({ apiVersion: "v1", kind: "Pod", metadata: metadataFor(1), spec });
    const resource = resourceFor(pod, { cells } as LoadedHooks);
    for (const include of INCLUDES) expect(rowOf(resource, json, include)).toContain('"cells":["one","one"');
  });
});

/** Members of custom objects are sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
