import { expect, it } from "vitest";
import type { Parsed } from "../fixtures/plane-client.ts";
import { servePlane } from "../fixtures/serve-plane.ts";

const { call } = servePlane();
const MAPS = "/api/v1/namespaces/default/configmaps";

async function create(name: string): Promise<Parsed> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } };
  const created = await call("POST", MAPS, { body });
  expect(created.status, created.text).toBe(201);
  return created.body;
}

const withTime = ({ metadata, ...rest }: Parsed, time: string | undefined, more: object = {}): Parsed => ({
  ...rest,
  metadata: {
    ...metadata,
    managedFields: metadata.managedFields.map((entry: object) => ({ ...entry, time })),
    ...more,
  },
});

it.each([
  ["removed", undefined],
  ["changed", "2001-02-03T04:05:06Z"],
])("times of owners that are %s in a PUT without other changes stay as they are", async (how, time) => {
  const created = await create(how);
  const put = await call("PUT", `${MAPS}/${how}`, { body: withTime(created, time) });
  expect(put.status, put.text).toBe(200);
  expect(put.body).toEqual(created);
});

it.each(["resourceVersion", "uid", "creationTimestamp"])("they also stay in a PUT without %s", async (field) => {
  const name = field.toLowerCase();
  const created = await create(name);
  const body = withTime(created, "2001-02-03T04:05:06Z", { [field]: undefined });
  expect((await call("PUT", `${MAPS}/${name}`, { body })).body).toEqual(created);
});

it("times of other owners are stored as sent if the request changes the object", async () => {
  const created = await create("more");
  const time = "2001-02-03T04:05:06Z";
  const body = { ...withTime(created, time), data: { a: "1", b: "2" } };
  const put = await call("PUT", `${MAPS}/more?fieldManager=other`, { body });
  const times = put.body.metadata.managedFields.map((entry: Parsed) => [entry.manager, entry.time === time]);
  expect(times).toEqual([
    ["tests", true],
    ["other", false],
  ]);
});

const container = { name: "c", image: "registry.invalid/c:1", resources: { limits: { cpu: "1000m" } } };
const selector = { matchLabels: { app: "x" } };
const template = { metadata: { labels: { app: "x" } }, spec: { containers: [container] } };

it.each([
  ["a Secret with stringData", "/api/v1/namespaces/default/secrets", { kind: "Secret", stringData: { a: "b" } }],
  [
    "a Deployment with a quantity in another notation",
    "/apis/apps/v1/namespaces/default/deployments",
    { kind: "Deployment", spec: { selector, template } },
  ],
])("applying %s again writes nothing", async (_what, list, object) => {
  const path = `${list}/again?fieldManager=one`;
  const apiVersion = list.replace(/^\/apis?\/|\/namespaces.*/g, "");
  const body = { apiVersion, metadata: { name: "again" }, ...object };
  const apply = () => call("PATCH", path, { type: "application/apply-patch+yaml", body });
  const created = await apply();
  expect(created.status, created.text).toBe(201);
  const earlier = withTime(created.body, "2001-02-03T04:05:06Z", { labels: { b: "c" } });
  const put = await call("PUT", `${list}/again?fieldManager=two`, { body: earlier });
  expect(put.status, put.text).toBe(200);
  const [applied] = put.body.metadata.managedFields;
  expect(applied).toMatchObject({ manager: "one", time: "2001-02-03T04:05:06Z" });
  const again = await apply();
  expect(again.status, again.text).toBe(200);
  expect(again.body).toEqual(put.body);
});
