import { expect, it } from "vitest";
import { createClient } from "../fixtures/plane-client.ts";
import { serveWithoutErrors } from "./serve-without-errors.ts";

/** Bodies of at most 3 MiB with so many errors that they cannot be passed as separate arguments to a function. */
const { client, call } = serveWithoutErrors();

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const map = (length: number, value: unknown) => Object.fromEntries(list(length, (index) => [`!${index}`, value]));
const metadata = { name: "a" };
const service = (spec: object) => ({ metadata, spec: { ports: [{ port: 1 }], ...spec } });
const withUnknown = { metadata, ...map(200_000, 1) };
const repeated = `{"metadata":{"name":"a"},${'"data":{},'.repeat(200_000)}"data":{}}`;

const MANY: readonly [what: string, method: string, path: string, body: unknown, status: number][] = [
  ["labels", "POST", CONFIG_MAPS, { metadata: { ...metadata, labels: map(130_000, "!") } }, 422],
  ["annotations", "POST", CONFIG_MAPS, { metadata: { ...metadata, annotations: map(200_000, "") } }, 422],
  ["finalizers", "POST", CONFIG_MAPS, { metadata: { ...metadata, finalizers: list(200_000, () => "!") } }, 422],
  ["keys", "POST", CONFIG_MAPS, { metadata, data: map(200_000, "") }, 422],
  [
    "cluster IPs",
    "POST",
    "/api/v1/namespaces/default/services",
    service({ clusterIPs: list(200_000, () => "!") }),
    422,
  ],
  [
    "external IPs",
    "POST",
    "/api/v1/namespaces/default/services",
    service({ externalIPs: list(200_000, () => "!") }),
    422,
  ],
  [
    "dry runs",
    "DELETE",
    `${CONFIG_MAPS}/a`,
    { kind: "DeleteOptions", apiVersion: "v1", dryRun: list(200_000, () => "!") },
    422,
  ],
  ["unknown fields", "POST", `${CONFIG_MAPS}?fieldValidation=Strict`, withUnknown, 400],
  ["ignored fields", "POST", `${CONFIG_MAPS}?fieldValidation=Warn&dryRun=All`, withUnknown, 201],
  ["repeated fields", "POST", `${CONFIG_MAPS}?fieldValidation=Strict`, repeated, 400],
];

it.each(MANY)("reports %s that are wrong, however many", async (_what, method, path, body, status) => {
  expect((await call(method, path, body as object)).status).toBe(status);
});

it("reports a changed text of many lines", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  const pod = (text: string) => ({
    metadata,
    spec: { automountServiceAccountToken: false, containers: [{ name: "a", image: "i", args: [text] }] },
  });
  await call("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  expect((await call("POST", pods, pod("\n".repeat(600_000)))).status).toBe(201);
  const changed = { spec: { containers: [{ name: "a", args: ["x\n".repeat(600_000)] }] } };
  const patch = createClient({ client: client() });
  const type = "application/strategic-merge-patch+json";
  expect((await patch("PATCH", `${pods}/a`, { type, body: changed })).status).toBe(422);
});
