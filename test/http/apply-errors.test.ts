import { beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { define, definitionOf } from "../kinds/custom/definitions.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const PEARS = "/apis/example.com/v1/namespaces/default/pears";
const type = "application/apply-patch+yaml";

const { call } = servePlane();

const apply = (path: string, body: object, options = "") =>
  call("PATCH", `${path}?fieldManager=alpha${options}`, { type, body: JSON.stringify(body) });

const config = (metadata: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } });

describe("an apply configuration in a server-side apply request", () => {
  it.each([
    ["another namespace and name", { name: "x", namespace: "y" }, 400, /^the namespace of the provided object/],
    ["another uid and name", { name: "x", uid: "u" }, 409, /uid mismatch: the provided object specified uid u/],
    [
      "no metadata",
      undefined,
      400,
      "the name of the object (who based on URL) was undeterminable: name must be provided",
    ],
    [
      "a resourceVersion that is not a number",
      { name: "who", resourceVersion: "x" },
      500,
      'strconv.ParseUint: parsing "x": invalid syntax',
    ],
    [
      "a resourceVersion that is out of range",
      { name: "who", resourceVersion: "18446744073709551616" },
      500,
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ["managedFields", { name: "who", managedFields: [{}] }, 400, "metadata.managedFields must be nil"],
    [
      "managedFields that are not objects",
      { name: "who", managedFields: [1] },
      500,
      "failed to create typed patch object (/who; /v1, Kind=ConfigMap): .metadata.managedFields[0]: expected map, got &{1}",
    ],
    [
      "managedFields with an invalid time",
      { name: "who", managedFields: [{ time: "x" }] },
      500,
      'failed to convert new object (/who; /v1, Kind=ConfigMap) to proper version: unable to convert unstructured object to /v1, Kind=ConfigMap: parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
  ])("with %s is rejected with the status code and message of Kubernetes", async (_what, metadata, status, message) => {
    const { metadata: _none, ...bare } = config({});
    const answer = await apply(`${MAPS}/who`, metadata === undefined ? bare : config(metadata));
    expect(answer.body.message).toMatch(message);
    expect(answer.status).toBe(status);
  });

  it("with an invalid apiVersion is rejected as an invalid object type", async () => {
    const { body } = await apply(`${MAPS}/who`, { ...config({ name: "who" }), apiVersion: "a/b/c" });
    expect(body.message).toBe("invalid object type: /, Kind=");
  });

  it("may set uid and managedFields to null, and a resourceVersion for a new object", async () => {
    const metadata = { name: "nulls", uid: null, managedFields: [null], resourceVersion: "7" };
    expect((await apply(`${MAPS}/nulls`, config(metadata), "&dryRun=All")).body.metadata.resourceVersion).toBe("7");
    const { status, body } = await apply(`${MAPS}/nulls`, config(metadata));
    expect(status).toBe(201);
    expect(body.metadata.resourceVersion).not.toBe("7");
  });

  it("may set the deletionTimestamp of a new object", async () => {
    const deleted = { deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 5 };
    expect((await apply(`${MAPS}/gone`, config({ name: "gone", ...deleted }))).body.metadata).toMatchObject(deleted);
  });
});

describe("server-side apply to a custom resource", () => {
  beforeAll(() =>
    define(
      call,
      definitionOf(
        "pears",
        "Pear",
        {
          type: "object",
          properties: {
            replicas: { type: "integer" },
            seeds: {
              type: "array",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["size"],
              items: {
                type: "object",
                required: ["size"],
                properties: { size: { type: "number" }, colour: { type: "string" } },
              },
            },
            weight: { type: "number" },
          },
        },
        { subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } } },
      ),
    ),
  );

  const pear = (name: string, spec: object) => ({
    apiVersion: "example.com/v1",
    kind: "Pear",
    metadata: { name },
    spec,
  });

  it("fails for the scale subresource if it would change the object", async () => {
    await call("POST", PEARS, { body: pear("a", { replicas: 1 }) });
    const scale = (replicas: number) => ({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a" },
      spec: { replicas },
    });
    expect((await apply(`${PEARS}/a/scale`, scale(1))).status).toBe(200);
    const changed = await apply(`${PEARS}/a/scale`, scale(2), "&force=true");
    expect(changed.status).toBe(500);
    expect(changed.body.message).toBe(
      "failed to convert new object (/a; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1",
    );
  });

  it("formats numbers in list map keys as Go does", async () => {
    const seeds = (colour: string) => ({ seeds: [0.0000001, 1234567].map((size) => ({ size, colour })) });
    const created = await apply(`${PEARS}/b`, pear("b", seeds("red")));
    const entries = created.body.metadata.managedFields[0].fieldsV1["f:spec"]["f:seeds"];
    expect(Object.keys(entries)).toEqual(['k:{"size":1234567}', 'k:{"size":1e-07}']);
    const path = `${PEARS}/b?fieldManager=beta`;
    const { body } = await call("PATCH", path, { type, body: JSON.stringify(pear("b", seeds("blue"))) });
    expect(body.details.causes.map(({ field }: { field: string }) => field)).toEqual([
      ".spec.seeds[size=1e-07].colour",
      ".spec.seeds[size=1.234567e+06].colour",
    ]);
  });

  it.each([
    ["creationTimestamp", "x"],
    ["deletionTimestamp", "2020"],
    ["generation", 1.5],
  ])("ignores a %s that cannot be read: %j", async (field, value) => {
    const { metadata, ...rest } = pear(`ignored-${field.toLowerCase()}`, { weight: 1 });
    const path = `${PEARS}/${metadata.name}`;
    const created = await call("POST", PEARS, { body: { ...rest, metadata } });
    const applied = await apply(path, { ...rest, metadata: { ...metadata, [field]: value } }, "&force=true");
    expect(applied.status, applied.text).toBe(200);
    expect(applied.body.metadata[field]).toBe(created.body.metadata[field]);
  });

  it("reports no conflict for equal large numbers in different notations", async () => {
    await apply(`${PEARS}/c`, pear("c", { weight: 1e20 }));
    const body = JSON.stringify(pear("c", { weight: 0 })).replace(":0}", ":1e20}");
    expect((await call("PATCH", `${PEARS}/c?fieldManager=beta`, { type, body })).status).toBe(200);
  });
});
