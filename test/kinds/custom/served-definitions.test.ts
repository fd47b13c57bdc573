import { describe, expect, it } from "vitest";
import { servePlane } from "../../fixtures/serve-plane.ts";
import { DEFINITIONS, define, definitionOf, OBJECTS, objectOf, until } from "./definitions.ts";

const MERGE = "application/merge-patch+json";

const { call } = servePlane({ controllers: "true" });

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
    await call("POST", `${OBJECTS}/limes`, { body: objectOf("Lime", "l", { a: "1", b: "2" }) });
    const changed = definitionOf("limes", "Lime", {
      type: "object",
      properties: { a: { type: "string" }, c: { type: "string", default: "new" } },
    }) as { spec: object };
    const watch = call("GET", `${OBJECTS}/limes?watch=true`);
    await call("PATCH", `${DEFINITIONS}/limes.example.com`, { type: MERGE, body: { spec: changed.spec } });
    await until(call, `${OBJECTS}/limes/l`, ({ spec }) => spec.c === "new" && spec.b === undefined);
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
    await call("POST", `${OBJECTS}/grapes`, { body: objectOf("Grape", "free", {}) });
    await call("POST", `${OBJECTS}/grapes`, { body: objectOf("Grape", "held", {}, { finalizers: ["example.com/x"] }) });
    const deleted = await call("DELETE", `${DEFINITIONS}/grapes.example.com`);
    expect(deleted.body.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    await until(call, `${OBJECTS}/grapes/free`, (_body, status) => status === 404);
    const refused = await call("POST", `${OBJECTS}/grapes`, { body: objectOf("Grape", "late", {}) });
    expect([refused.status, refused.body.message]).toEqual([
      405,
      "create not allowed while custom resource definition is terminating",
    ]);
    expect((await call("GET", `${OBJECTS}/grapes/held`)).body.metadata).toHaveProperty("deletionTimestamp");
    await call("PATCH", `${OBJECTS}/grapes/held`, { type: MERGE, body: { metadata: { finalizers: null } } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await call("GET", `${OBJECTS}/grapes/held`)).body.message).toBe('grapes.example.com "held" not found');
    await until(call, `${DEFINITIONS}/grapes.example.com`, (_body, status) => status === 404);
    await until(call, `${OBJECTS}/grapes`, (_body, status) => status === 404);
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
