import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../../runtime/plane.ts";
import { createClient } from "../../fixtures/plane-client.ts";
import { type Call, DEFINITIONS, define, definitionOf, until } from "./definitions.ts";

const ROOT = "/apis/example.com/v1/namespaces/default";
const MERGE = "application/merge-patch+json";
const TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

let plane: Plane;
let call: Call;

beforeAll(async () => {
  plane = await startPlane();
  call = createClient(plane);
  await plane.ready;
});

afterAll(() => plane.stop());

const make = (kind: string, name: string, spec: object, metadata: object = {}) => ({
  apiVersion: "example.com/v1",
  kind,
  metadata: { name, ...metadata },
  spec,
});

describe("discovery", () => {
  it("has a new kind only when its stored definition is established, so that the definition can be updated at once", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const group = `group${i}.example.com`;
        const definition = definitionOf("figs", "Fig", { type: "object" }) as {
          metadata: { name: string };
          spec: { group: string };
        };
        definition.metadata.name = `figs.${group}`;
        definition.spec.group = group;
        const path = `${DEFINITIONS}/${definition.metadata.name}`;
        await call("POST", DEFINITIONS, { body: definition });
        await until(call, `/apis/${group}/v1`, (_body, status) => status === 200);
        const { body } = await call("GET", path);
        const established = body.status.conditions.some(
          ({ type, status }: { type: string; status: string }) => type === "Established" && status === "True",
        );
        const updated = await call("PUT", path, {
          body: { ...body, metadata: { ...body.metadata, labels: { a: "b" } } },
        });
        const groups = (await call("GET", "/apis")).body.groups as { name: string }[];
        return [established, updated.status, groups.some(({ name }) => name === group)];
      }),
    );
    expect(outcomes).toEqual(outcomes.map(() => [true, 200, true]));
  });
});

describe("objects of a custom kind", () => {
  beforeAll(() =>
    define(
      call,
      definitionOf("pears", "Pear", {
        type: "object",
        properties: {
          size: { type: "integer", default: 3, maximum: 9 },
          fixed: {
            type: "string",
            "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed may not change" }],
          },
          big: { type: "integer" },
          free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      }),
    ),
  );

  it("get defaults; unknown fields are dropped with a warning, or rejected with fieldValidation=Strict", async () => {
    const created = await call("POST", `${ROOT}/pears`, {
      body: make("Pear", "a", { colour: "red", free: { x: [1] } }),
    });
    expect(created.status).toBe(201);
    expect(created.headers.warning).toBe('299 - "unknown field \\"spec.colour\\""');
    expect(created.body).toMatchObject({ metadata: { generation: 1 }, spec: { size: 3, free: { x: [1] } } });
    expect(created.body.spec).not.toHaveProperty("colour");
    const strict = await call("POST", `${ROOT}/pears?fieldValidation=Strict`, {
      body: make("Pear", "b", { colour: "red" }),
    });
    expect(strict.body.message).toBe(
      'Pear in version "v1" cannot be handled as a Pear: strict decoding error: unknown field "spec.colour"',
    );
  });

  it("keep floats that have an integer value", async () => {
    const post = (spec: string) =>
      call("POST", `${ROOT}/pears`, {
        body: `{"apiVersion":"example.com/v1","kind":"Pear","metadata":{"name":"n"},"spec":${spec}}`,
        type: "application/json",
      });
    expect((await post("1.0")).body.details.causes[0].message).toBe(
      'Invalid value: "number": spec in body must be of type object: "number"',
    );
    expect((await post("1e400")).body.message).toBe(
      'Pear in version "v1" cannot be handled as a Pear: json: cannot unmarshal number 1e400 into Go value of type float64',
    );
  });

  it("are validated by schema and rules", async () => {
    const bad = await call("POST", `${ROOT}/pears`, { body: make("Pear", "bad", { size: "x" }) });
    expect(bad.status).toBe(422);
    expect(bad.body.details.causes).toEqual([
      {
        reason: "FieldValueTypeInvalid",
        message: 'Invalid value: "string": spec.size in body must be of type integer: "string"',
        field: "spec.size",
      },
      {
        reason: "FieldValueInvalid",
        message:
          'Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
        field: "<nil>",
      },
    ]);
    await call("POST", `${ROOT}/pears`, { body: make("Pear", "ruled", { fixed: "a" }) });
    const changed = await call("PATCH", `${ROOT}/pears/ruled`, { type: MERGE, body: { spec: { fixed: "b" } } });
    expect(changed.body.message).toBe(
      'Pear.example.com "ruled" is invalid: spec.fixed: Invalid value: "string": fixed may not change',
    );
  });

  it("keep integers beyond 2^53 and print keys in order", async () => {
    const body =
      '{"kind":"Pear","apiVersion":"example.com/v1","metadata":{"name":"big"},"spec":{"size":1,"big":9007199254740993}}';
    await call("POST", `${ROOT}/pears`, { body });
    const { text } = await call("GET", `${ROOT}/pears/big`);
    expect(text).toContain('"spec":{"big":9007199254740993,"size":1}');
    expect(text.startsWith('{"apiVersion":"example.com/v1","kind":"Pear","metadata":')).toBe(true);
  });

  it("have apiVersion and kind in lists", async () => {
    const { body } = await call("GET", `${ROOT}/pears?limit=1`);
    expect(body).toMatchObject({ kind: "PearList", apiVersion: "example.com/v1" });
    expect(body.items[0]).toMatchObject({ kind: "Pear", apiVersion: "example.com/v1" });
  });

  it("support neither strategic merge patch nor protobuf", async () => {
    const strategic = await call("PATCH", `${ROOT}/pears/a`, {
      type: "application/strategic-merge-patch+json",
      body: {},
    });
    expect(strategic.status).toBe(415);
    expect(strategic.body.message).toContain("application/json-patch+json, application/merge-patch+json");
    const protobuf = await call("GET", `${ROOT}/pears/a`, {
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    });
    expect(protobuf.status).toBe(406);
    const sent = await call("POST", `${ROOT}/pears`, {
      type: "application/vnd.kubernetes.protobuf",
      body: Buffer.from("k8s\0"),
    });
    expect(sent.status).toBe(415);
  });

  it("have only the declared subresources and the verbs of custom resources", async () => {
    const part = await call("GET", `${ROOT}/pears/a/status`);
    expect([part.status, part.body.message]).toEqual([404, 'pears.example.com "a" not found']);
    const everywhere = await call("DELETE", "/apis/example.com/v1/pears");
    expect([everywhere.status, everywhere.text]).toEqual([404, "404 page not found\n"]);
  });

  it("must have apiVersion and kind", async () => {
    const nameless = await call("POST", `${ROOT}/pears`, {
      body: { apiVersion: "example.com/v1", metadata: { name: "x" } },
    });
    expect(nameless.status).toBe(400);
    expect(nameless.body.message).toContain("Object 'Kind' is missing in");
    const other = await call("POST", `${ROOT}/pears`, { body: make("Plum", "x", {}) });
    expect(other.body.message).toBe('Plum.example.com "x" is invalid: kind: Invalid value: "Plum": must be Pear');
  });

  it("are garbage collected with their owners", async () => {
    const owner = await call("POST", "/api/v1/namespaces/default/configmaps", {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } },
    });
    const { uid } = owner.body.metadata;
    const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
    await call("POST", `${ROOT}/pears`, { body: make("Pear", "owned", {}, { ownerReferences }) });
    await call("DELETE", "/api/v1/namespaces/default/configmaps/owner");
    await until(call, `${ROOT}/pears/owned`, (_body, status) => status === 404);
  });
});

describe("a custom kind with subresources", () => {
  const COLUMNS = [
    { name: "Colour", type: "string", jsonPath: ".spec.colour" },
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
  ];
  beforeAll(() =>
    define(
      call,
      definitionOf(
        "nuts",
        "Nut",
        {
          type: "object",
          properties: {
            colour: { type: "string" },
            size: { type: "integer" },
            count: { type: "object", properties: { wanted: { type: "integer" } } },
          },
        },
        {
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.count.wanted", statusReplicasPath: ".status.replicas" },
          },
          additionalPrinterColumns: COLUMNS,
          selectableFields: [{ jsonPath: ".spec.colour" }],
        },
      ),
    ),
  );

  it("keeps status and spec apart", async () => {
    const created = await call("POST", `${ROOT}/nuts`, {
      body: { ...make("Nut", "n", { colour: "red", count: { wanted: 2 } }), status: { replicas: 9 } },
    });
    expect(created.body).not.toHaveProperty("status");
    const status = await call("PATCH", `${ROOT}/nuts/n/status`, {
      type: MERGE,
      body: { metadata: { labels: { a: "b" } }, spec: { colour: "blue" }, status: { replicas: 1 } },
    });
    expect(status.body).toMatchObject({
      metadata: { generation: 1 },
      spec: { colour: "red" },
      status: { replicas: 1 },
    });
    expect(status.body.metadata).not.toHaveProperty("labels");
  });

  it("is scaled at the declared replicas path", async () => {
    const scale = await call("GET", `${ROOT}/nuts/n/scale`);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 2 }, status: { replicas: 1 } });
    await call("PATCH", `${ROOT}/nuts/n/scale`, { type: MERGE, body: { spec: { replicas: 7 } } });
    const { body } = await call("GET", `${ROOT}/nuts/n`);
    expect(body.spec).toEqual({ colour: "red", count: { wanted: 7 } });
    const negative = await call("PATCH", `${ROOT}/nuts/n/scale`, { type: MERGE, body: { spec: { replicas: -1 } } });
    expect(negative.body.message).toContain(".spec.count.wanted: Invalid value: -1: should be a non-negative integer");
    await call("POST", `${ROOT}/nuts`, { body: make("Nut", "none", { colour: "blue" }) });
    const none = await call("GET", `${ROOT}/nuts/none/scale`);
    expect(none.body.message).toBe(
      'Internal error occurred: the spec replicas field ".spec.count.wanted" does not exist',
    );
  });

  it("has printer columns and selectable fields", async () => {
    const table = await call("GET", `${ROOT}/nuts?fieldSelector=spec.colour%3Dred`, { headers: { accept: TABLE } });
    expect(table.body.columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(["Name", "Colour", "Size"]);
    expect(table.body.rows.map(({ cells }: { cells: unknown[] }) => cells)).toEqual([["n", "red", null]]);
    const unknown = await call("GET", `${ROOT}/nuts?fieldSelector=spec.size%3D1`);
    expect(unknown.body.message).toBe("field label not supported: spec.size");
  });
});

describe("versions of a custom kind", () => {
  const versionOf = (name: string, properties: object, more: object = {}) => ({
    name,
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } } },
    ...more,
  });
  const text = { type: "string" };

  beforeAll(async () => {
    const definition = definitionOf("kiwis", "Kiwi", {}) as { spec: { versions: object[] } };
    definition.spec.versions = [
      versionOf("v1", { a: text, old: text }, { storage: true }),
      versionOf("v2", { a: text, fresh: { ...text, default: "n" } }),
      versionOf("v1beta1", { a: text }, { deprecated: true, deprecationWarning: "use kiwis v2" }),
      versionOf("v1alpha1", { a: text }, { deprecated: true }),
      versionOf("v0", {}, { served: false }),
    ];
    await define(call, definition);
    await call("POST", `${ROOT}/kiwis`, { body: make("Kiwi", "k", { a: "1", old: "o" }) });
  });

  const at = (version: string) => call("GET", `/apis/example.com/${version}/namespaces/default/kiwis/k`);

  it("serve an object with the fields of each version", async () => {
    expect((await at("v1")).body).toMatchObject({ apiVersion: "example.com/v1", spec: { a: "1", old: "o" } });
    expect((await at("v2")).body).toMatchObject({ apiVersion: "example.com/v2", spec: { a: "1" } });
    expect((await at("v2")).body.spec).toEqual({ a: "1" });
  });

  it("return a warning if they are deprecated", async () => {
    expect((await at("v1beta1")).headers.warning).toBe('299 - "use kiwis v2"');
    const nothing = await call("GET", "/apis/example.com/v1beta1/namespaces/default/kiwis/k/nothing");
    expect([nothing.status, nothing.headers.warning]).toEqual([404, '299 - "use kiwis v2"']);
    expect((await at("v1alpha1")).headers.warning).toBe(
      '299 - "example.com/v1alpha1 Kiwi is deprecated; use example.com/v2 Kiwi"',
    );
  });

  it("are counted in metrics if they are deprecated", async () => {
    await at("v1alpha1");
    await at("v2");
    const metrics = (await call("GET", "/metrics")).text;
    const counted = (version: string) =>
      `apiserver_requested_deprecated_apis{group="example.com",version="${version}",resource="kiwis",subresource="",removed_release=""} 1`;
    expect(metrics).toContain(counted("v1alpha1"));
    expect(metrics).not.toContain(counted("v2"));
  });

  it("that are not served get 404", async () => {
    const answer = await at("v0");
    expect([answer.status, answer.text]).toEqual([404, "404 page not found\n"]);
  });

  it("are registered again when their APIService is deleted", async () => {
    const path = "/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.example.com";
    let uid = "";
    await until(call, path, ({ metadata }) => {
      uid = metadata?.uid ?? "";
      return uid !== "";
    });
    expect((await call("DELETE", path)).status).toBe(200);
    await until(call, path, ({ metadata }, status) => status === 200 && metadata.uid !== uid);
  });

  it("are listed, most preferred first, registered and published", async () => {
    const group = await call("GET", "/apis/example.com");
    expect(group.body.preferredVersion).toEqual({ groupVersion: "example.com/v2", version: "v2" });
    expect(group.body.versions.map(({ version }: { version: string }) => version)).toEqual([
      "v2",
      "v1",
      "v1beta1",
      "v1alpha1",
    ]);
    await until(call, "/apis/apiregistration.k8s.io/v1/apiservices/v2.example.com", (_body, status) => status === 200);
    const v3 = await call("GET", "/openapi/v3/apis/example.com/v2");
    expect(v3.body.components.schemas["com.example.v2.Kiwi"].properties.spec.properties.fresh).toEqual({
      type: "string",
      default: "n",
    });
    const path = v3.body.paths["/apis/example.com/v2/namespaces/{namespace}/kiwis/{name}"];
    expect(path.patch.operationId).toBe("patchExampleComV2NamespacedKiwi");
    expect(Object.keys(path.patch.requestBody.content)).not.toContain("application/strategic-merge-patch+json");
    expect(Object.keys(path.put.requestBody.content)).toEqual(["application/json", "application/yaml"]);
    expect(Object.keys(path.patch.responses)).toEqual(["200", "401"]);
    expect(path.get.parameters.map(({ name }: { name: string }) => name)).toEqual(["resourceVersion"]);
    const { delete: deleteAll } = v3.body.paths["/apis/example.com/v2/namespaces/{namespace}/kiwis"];
    expect(deleteAll).not.toHaveProperty("requestBody");
    expect(deleteAll.parameters.map(({ name }: { name: string }) => name)).toEqual([
      "allowWatchBookmarks",
      "continue",
      "fieldSelector",
      "labelSelector",
      "limit",
      "resourceVersion",
      "resourceVersionMatch",
      "sendInitialEvents",
      "timeoutSeconds",
      "watch",
    ]);
    const v2 = await call("GET", "/openapi/v2");
    expect(v2.body.definitions["com.example.v1.KiwiList"].properties.items.items).toEqual({
      $ref: "#/definitions/com.example.v1.Kiwi",
    });
  });
});

describe("a definition with integers beyond those of JavaScript", () => {
  it("is published with them", async () => {
    const most = 2n ** 53n + 1n;
    const text = JSON.stringify(
      definitionOf("dates", "Date", { type: "object", properties: { n: { type: "integer", enum: ["N" as never] } } }),
    ).replaceAll('"N"', String(most));
    await define(call, text);
    expect((await call("GET", "/openapi/v3/apis/example.com/v1")).text).toContain(`"enum":[${most}]`);
    expect((await call("GET", "/openapi/v2")).body.definitions).toHaveProperty(["com.example.v1.Date"]);
  });
});

describe("a definition that changes", () => {
  it("changes what is served, including existing objects", async () => {
    await define(
      call,
      definitionOf("limes", "Lime", { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } }),
    );
    await call("POST", `${ROOT}/limes`, { body: make("Lime", "l", { a: "1", b: "2" }) });
    const changed = definitionOf("limes", "Lime", {
      type: "object",
      properties: { a: { type: "string" }, c: { type: "string", default: "new" } },
    }) as { spec: object };
    const watch = call("GET", `${ROOT}/limes?watch=true`);
    await call("PATCH", `${DEFINITIONS}/limes.example.com`, { type: MERGE, body: { spec: changed.spec } });
    await until(call, `${ROOT}/limes/l`, ({ spec }) => spec.c === "new" && spec.b === undefined);
    expect((await watch).status, "a watch of what was served before ends").toBe(200);
  });
});

describe("a definition in a protected group", () => {
  const inGroup = (annotations?: object) => {
    const { spec, ...rest } = definitionOf("figs", "Fig", { type: "object" }) as { spec: object };
    return {
      ...rest,
      metadata: { name: "figs.fruit.k8s.io", ...(annotations && { annotations }) },
      spec: { ...spec, group: "fruit.k8s.io" },
    };
  };

  it("must be approved, and has a condition that says so", async () => {
    const refused = await call("POST", DEFINITIONS, { body: inGroup() });
    expect(refused.body.details.causes[0].field).toBe("metadata.annotations[api-approved.kubernetes.io]");
    await define(call, inGroup({ "api-approved.kubernetes.io": "unapproved, only a test" }));
    const { body } = await call("GET", `${DEFINITIONS}/figs.fruit.k8s.io`);
    expect(body.status.conditions).toContainEqual({
      type: "KubernetesAPIApprovalPolicyConformant",
      status: "False",
      reason: "UnapprovedAnnotation",
      message: 'not approved: "unapproved, only a test"',
      lastTransitionTime: expect.any(String),
    });
  });
});

describe("a definition that is deleted", () => {
  it("deletes its objects, and waits for those with finalizers", async () => {
    await define(call, definitionOf("grapes", "Grape", { type: "object" }));
    await call("POST", `${ROOT}/grapes`, { body: make("Grape", "free", {}) });
    await call("POST", `${ROOT}/grapes`, { body: make("Grape", "held", {}, { finalizers: ["example.com/x"] }) });
    const deleted = await call("DELETE", `${DEFINITIONS}/grapes.example.com`);
    expect(deleted.body.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    await until(call, `${ROOT}/grapes/free`, (_body, status) => status === 404);
    const refused = await call("POST", `${ROOT}/grapes`, { body: make("Grape", "late", {}) });
    expect([refused.status, refused.body.message]).toEqual([
      405,
      "create not allowed while custom resource definition is terminating",
    ]);
    expect((await call("GET", `${ROOT}/grapes/held`)).body.metadata).toHaveProperty("deletionTimestamp");
    await call("PATCH", `${ROOT}/grapes/held`, { type: MERGE, body: { metadata: { finalizers: null } } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await call("GET", `${ROOT}/grapes/held`)).body.message).toBe('grapes.example.com "held" not found');
    await until(call, `${DEFINITIONS}/grapes.example.com`, (_body, status) => status === 404);
    await until(call, `${ROOT}/grapes`, (_body, status) => status === 404);
  });

  it("frees its names for other definitions", async () => {
    await define(call, definitionOf("figs", "Fig", { type: "object" }));
    await call("POST", DEFINITIONS, { body: definitionOf("tigs", "Fig", { type: "object" }) });
    const conditionOf = (body: { status?: { conditions?: { type: string; status: string }[] } }, type: string) =>
      body.status?.conditions?.find((one) => one.type === type)?.status;
    await until(call, `${DEFINITIONS}/tigs.example.com`, (body) => conditionOf(body, "NamesAccepted") === "False");
    await call("DELETE", `${DEFINITIONS}/figs.example.com`);
    await until(call, `${DEFINITIONS}/tigs.example.com`, (body) => conditionOf(body, "Established") === "True");
  });
});
