import { describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane({
  "runtime-config": "api/all=true",
  "feature-gates": "DynamicResourceAllocation=true",
});

const MERGE = "application/merge-patch+json";
const CORE = "/api/v1/namespaces/default";

interface Refusal {
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message: string }[] };
}
const fields = (body: unknown) => ((body as Refusal).details?.causes ?? []).map(({ field }) => field);

describe("an update with several validation errors", () => {
  it("of a ConfigMap reports immutable data, then metadata, then data", async () => {
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "frozen" }, immutable: true } });
    const { body } = await call("PATCH", `${CORE}/configmaps/frozen`, {
      body: { metadata: { generateName: "É" }, data: { "a b": "c" } },
      type: MERGE,
    });
    expect(fields(body)).toEqual(["data", "metadata.generateName", "data[a b]"]);
  });

  it("of a CustomResourceDefinition reports each field in the order of Kubernetes", async () => {
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const schema = { openAPIV3Schema: { type: "object" } };
    const body = {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    };
    await call("POST", path, { body });
    const { body: refused } = await call("PATCH", `${path}/things.example.com`, {
      body: { spec: { group: "", names: { plural: "Others" } } },
      type: MERGE,
    });
    expect(fields(refused)).toEqual(["spec.group", "spec.names.plural", "spec.group", "spec.names.plural"]);
  });
});

describe("a SubjectAccessReview", () => {
  it("gets 422 for invalid selector requirements", async () => {
    const requirements = [
      { key: "a/", operator: "In", values: ["\tb"] },
      { key: "a", operator: "Exists", values: ["b"] },
    ];
    const resourceAttributes = {
      verb: "list",
      resource: "pods",
      labelSelector: { requirements },
      fieldSelector: {
        requirements: [
          { key: "", operator: "In" },
          { key: "a", operator: "Later", values: ["b"] },
        ],
      },
    };
    const { status, body } = await call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      body: { spec: { user: "u", resourceAttributes } },
    });
    const at = "spec.resourceAttributes";
    expect([status, fields(body)]).toEqual([
      422,
      [
        `${at}.fieldSelector.requirements[0].key`,
        `${at}.fieldSelector.requirements[0].values`,
        `${at}.labelSelector.requirements[0].key`,
        `${at}.labelSelector.requirements[0].key`,
        `${at}.labelSelector.requirements[0].values[0]`,
        `${at}.labelSelector.requirements[1].values`,
      ],
    ]);
  });
});

describe("the status of a SubjectAccessReview", () => {
  it("reports ignored selectors in evaluationError", async () => {
    const later = { key: "a", operator: "Later", values: ["b"] };
    const known = { key: "a", operator: "In", values: ["b"] };
    const resourceAttributes = {
      verb: "list",
      resource: "pods",
      labelSelector: { requirements: [later, known] },
      fieldSelector: { rawSelector: "a b" },
    };
    const { body } = await call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {
      body: { spec: { user: "u", resourceAttributes } },
    });
    const at = "spec.resourceAttributes";
    expect(body.status).toEqual({
      allowed: false,
      evaluationError: `${at}.fieldSelector ignored due to parse error; ${at}.labelSelector partially ignored due to parse error`,
    });
  });
});

describe("a CEL device selector", () => {
  const refusal = async (expression: string) => {
    const { status, body } = await call("POST", "/apis/resource.k8s.io/v1beta2/deviceclasses?dryRun=All", {
      body: { metadata: { name: "c" }, spec: { selectors: [{ cel: { expression } }] } },
    });
    return [status, body.message];
  };

  it("may be an attribute of any type, but no dynamic value", async () => {
    expect((await refusal('device.attributes["d.example.com"].ready'))[0]).toBe(201);
    expect(await refusal("dyn(true)")).toEqual([
      422,
      expect.stringContaining("must evaluate to bool or the unknown type, not dyn"),
    ]);
  });
});

describe("an apply configuration with several undeclared fields", () => {
  it("is rejected with the first of them", async () => {
    const { body } = await call("PATCH", `${CORE}/configmaps/undeclared?fieldManager=m`, {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "undeclared" }, zz: 1, data: 5, odd: 2 },
      type: "application/apply-patch+yaml",
    });
    expect(body.message).toMatch(
      /: errors:\n {2}\.data: expected map, got &\{5\}\n {2}\.odd: field not declared in schema$/,
    );
  });
});

describe("a TokenRequest with a boundObjectRef", () => {
  it.each([
    [undefined, "Name parameter required."],
    ["a/b", `Name parameter invalid: "a/b": may not contain '/'`],
  ])("gets 400 if the name of the bound object is missing or invalid: %s", async (name, message) => {
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "binding" } } });
    const boundObjectRef = { kind: "Pod", apiVersion: "v1", name };
    const { status, body } = await call("POST", `${CORE}/serviceaccounts/binding/token`, {
      body: { spec: { audiences: ["a"], boundObjectRef } },
    });
    expect([status, body.message]).toEqual([400, message]);
  });
});

describe("a value of the wrong type in a custom resource", () => {
  it("is reported with the expected format and with the number as Go prints it", async () => {
    const time = { type: "string", format: "date-time" };
    const count = { type: "integer", maximum: 10 };
    const schema = { openAPIV3Schema: { type: "object", properties: { time, count } } };
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        metadata: { name: "clocks.example.com" },
        spec: {
          group: "example.com",
          scope: "Cluster",
          names: { plural: "clocks", kind: "Clock" },
          versions: [{ name: "v1", served: true, storage: true, schema }],
        },
      },
    });
    const refusal = async (members: string) => {
      const body = Buffer.from(`{"apiVersion":"example.com/v1","kind":"Clock","metadata":{"name":"c"},${members}}`);
      return (await call("POST", "/apis/example.com/v1/clocks", { body })).body.message;
    };
    for (const [value, format] of Object.entries({ "{}": "", true: "", "5": "int64", "1.5": "float64" }))
      expect(await refusal(`"time":${value}`)).toContain(
        `time: Invalid value: "${format}": time in body must be of type date-time: "${format}"`,
      );
    expect(await refusal('"count":1e20')).toContain("count: Invalid value: 1e+20: count in body should be less than");
  });
});

describe("a ResourceSlice with an empty nodeName or allNodes false", () => {
  const spec = { driver: "d.example.com", pool: { name: "p", generation: 1, resourceSliceCount: 1 } };
  const refusal = async (version: string, place: object) => {
    const { status, body } = await call("POST", `/apis/resource.k8s.io/${version}/resourceslices?dryRun=All`, {
      body: { metadata: { name: "s" }, spec: { ...spec, ...place } },
    });
    return [status, fields(body)];
  };

  it("is rejected in v1beta2, where an empty value differs from an absent one", async () => {
    expect(await refusal("v1beta2", { nodeName: "", allNodes: false })).toEqual([
      422,
      ["spec.nodeName", "spec.allNodes", "spec"],
    ]);
    expect(await refusal("v1beta2", { nodeName: "n", allNodes: false })).toEqual([422, ["spec.allNodes"]]);
    expect(await refusal("v1beta1", { nodeName: "n", allNodes: false })).toEqual([201, []]);
    expect(await refusal("v1beta1", { nodeName: "", allNodes: false })).toEqual([422, ["spec"]]);
  });
});

describe("a patch of kind or apiVersion", () => {
  const patched = async (path: string, body: object) => {
    const { status, body: answer } = await call("PATCH", path, { body, type: MERGE });
    return [status, answer.message];
  };
  const notText = expect.stringMatching(
    /: couldn't get version\/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string$/,
  );

  it("of a built-in object gets the errors of Kubernetes", async () => {
    const path = `${CORE}/configmaps/typed`;
    await call("POST", `${CORE}/configmaps`, { body: { metadata: { name: "typed" } } });
    const nameless = "the name of the object (typed based on URL) was undeterminable: name must be provided";
    expect(await patched(path, { apiVersion: null })).toEqual([400, nameless]);
    expect(await patched(path, { apiVersion: "" })).toEqual([400, nameless]);
    expect(await patched(path, { kind: [] })).toEqual([422, notText]);
    expect((await patched(path, { kind: null }))[0]).toBe(200);
    expect((await patched(path, { apiVersion: "apps/v1" }))[0]).toBe(422);
  });

  it("of a custom resource gets the errors of Kubernetes", async () => {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    await call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        metadata: { name: "toys.example.com" },
        spec: {
          group: "example.com",
          scope: "Cluster",
          names: { plural: "toys", kind: "Toy" },
          versions: [{ name: "v1", served: true, storage: true, schema, subresources: { status: {} } }],
        },
      },
    });
    const path = "/apis/example.com/v1/toys/t";
    await call("POST", "/apis/example.com/v1/toys", {
      body: { apiVersion: "example.com/v1", kind: "Toy", metadata: { name: "t" } },
    });
    expect(await patched(path, { kind: [] })).toEqual([422, notText]);
    expect(await patched(path, { kind: null })).toEqual([
      422,
      expect.stringMatching(/: Object 'Kind' is missing in '\{"apiVersion":"example.com\/v1","metadata":/),
    ]);
    expect(await patched(path, { apiVersion: null })).toEqual([
      500,
      "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
    ]);
    expect(await patched(path, { kind: "Pod", apiVersion: "v1" })).toEqual([
      422,
      'Pod "t" is invalid: [kind: Invalid value: "Pod": must be Toy, apiVersion: Invalid value: "v1": must be example.com/v1]',
    ]);
    const other = { body: { apiVersion: "example.com/v7", spec: {} }, type: "application/merge-patch+json" };
    const elsewhere = await call("PATCH", path, other);
    expect([elsewhere.status, elsewhere.headers.warning]).toEqual([422, `299 - "unknown field \\"spec\\""`]);
    expect((await call("PATCH", `${path}/status`, other)).status).toBe(200);
  });
});

describe("a quantity with a character that JSON has to escape", () => {
  it("gets 400, even if the character is white space", async () => {
    const limits = (cpu: string) => ({ metadata: { name: "q" }, spec: { limits: [{ type: "Pod", max: { cpu } }] } });
    const path = `${CORE}/limitranges?dryRun=All`;
    const { status, body } = await call("POST", path, { body: limits("\t1") });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining("quantities must match the regular expression"),
    ]);
    expect((await call("POST", path, { body: limits(" 1 ") })).status).toBe(201);
  });
});

describe("creating an object with an existing name and a generateName", () => {
  it("gets 409 with the message for generated names", async () => {
    const metadata = { name: "taken", generateName: "t-" };
    await call("POST", `${CORE}/configmaps`, { body: { metadata } });
    const { status, body } = await call("POST", `${CORE}/configmaps`, { body: { metadata } });
    expect([status, body.message]).toEqual([
      409,
      'configmaps "taken" already exists, the server was not able to generate a unique name for the object',
    ]);
  });
});

describe("an invalid update of a pod through a subresource", () => {
  it("reports errors of metadata first", async () => {
    await call("POST", `${CORE}/serviceaccounts`, { body: { metadata: { name: "default" } } });
    const spec = { containers: [{ name: "m", image: "i" }] };
    await call("POST", `${CORE}/pods`, { body: { metadata: { name: "debugged" }, spec } });
    const { body } = await call("PATCH", `${CORE}/pods/debugged/ephemeralcontainers`, {
      body: { metadata: { generateName: "É" }, spec: { ephemeralContainers: [{ name: "d" }] } },
      type: MERGE,
    });
    expect(fields(body)[0]).toBe("metadata.generateName");
  });
});

describe("a device of a ResourceSlice", () => {
  const spec = { driver: "d.example.com", nodeName: "n", pool: { name: "p", generation: 1, resourceSliceCount: 1 } };
  const create = (device: object) =>
    call("POST", "/apis/resource.k8s.io/v1beta1/resourceslices?dryRun=All", {
      body: { metadata: { name: "s" }, spec: { ...spec, devices: [device] } },
    });

  it("defaults to basic, and long keys are shortened in the path of an error", async () => {
    const { body } = await create({ name: "d" });
    expect((body.spec as { devices: object[] }).devices).toEqual([{ name: "d", basic: {} }]);
    const long = `a.${"b".repeat(260)}/c`;
    const { body: refused } = await create({ name: "d", basic: { capacity: { [long]: { value: "1" } } } });
    expect(fields(refused)[0]).toBe(`spec.devices[0].capacity[a.${"b".repeat(45)}...${"b".repeat(44)}/c]`);
  });
});

describe("a ResourceQuota with an object count", () => {
  it("of more than 64 bits is rejected as not an integer", async () => {
    const quota = (amount: string) =>
      call("POST", `/api/v1/namespaces/default/resourcequotas`, {
        body: { metadata: { name: "long" }, spec: { hard: { "count/deployments.apps": amount } } },
      });
    const { status, body } = await quota("99999999999999999999");
    expect([status, body.details.causes[0]]).toEqual([
      422,
      {
        reason: "FieldValueInvalid",
        message: expect.stringContaining("must be an integer"),
        field: "spec.hard[count/deployments.apps]",
      },
    ]);
    expect((await quota("999999999999999999")).status).toBe(422);
    expect((await quota("99999999999999E")).status).toBe(201);
  });
});

describe("an APIService", () => {
  it("gets 422 if name or generateName does not match its group and version", async () => {
    const { status, body } = await call("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {
      body: {
        metadata: { generateName: "some-" },
        spec: { group: "example.com", version: "v1", groupPriorityMinimum: 10, versionPriority: 10 },
      },
    });
    expect(status).toBe(422);
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      "metadata.generateName",
      "metadata.name",
    ]);
  });
});
