import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Base } from "../../runtime/contract/resource-descriptor.ts";
import {
  decodePrepared,
  encodePrepared,
  type PreparedObject,
} from "../../runtime/controllers/bootstrap/starting-objects.ts";
import { type PlaneOptions, startPlane } from "../../runtime/plane.ts";
import { readSnapshot } from "../../runtime/store/snapshot/snapshot-file.ts";
import { decodeStoredJson, storedJsonText } from "../../runtime/store/value/stored-json.ts";
import { createClient } from "../fixtures/plane-client.ts";

const folder = mkdtempSync(join(tmpdir(), "typeplane-starting-objects-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Keys of the initial objects of every cluster. */
const KEYS =
  /^\/registry\/(?:(?:namespaces|(?:cluster)?role(?:binding)?s|flowschemas|prioritylevelconfigurations|priorityclasses|servicecidrs|ipaddresses|apiregistration\.k8s\.io\/apiservices|services\/specs)\/|configmaps\/kube-system\/(?:extension-apiserver-authentication|kube-apiserver-legacy-service-account-token-tracking)$)/;
/** Any flag with this name makes the server create the objects individually, as requests would. */
const CREATED = { "feature-gates": "AllAlpha=false" };
const UID = "00000000-0000-4000-8000-000000000000";
const TIME = "2026-01-01T00:00:00Z";
const DAY = "2026-01-01";

/** The objects that a new plane has when it is ready, as the lines of a file of prepared objects. */
async function startingObjects(base: Base, flags: PlaneOptions["flags"]): Promise<string> {
  const plane = await startPlane({ base, listen: false, flags: { controllers: "false", ...flags } });
  await plane.ready;
  const file = join(folder, base);
  await plane.snapshot(file);
  await plane.stop();
  const lines: string[] = [];
  for (const { key, value, revision } of (await readSnapshot(file)).state.records) {
    if (!KEYS.test(key)) continue;
    const { fields = {} } = decodeStoredJson(value, revision);
    const text = Buffer.from(storedJsonText(value) ?? []).toString("utf8");
    const object = JSON.parse(text) as PreparedObject["object"];
    lines.push(JSON.stringify({ key, fields, object } satisfies PreparedObject));
  }
  const text = `${lines.sort().join("\n")}\n`;
  return text
    .replaceAll(/"uid":"[0-9a-f-]{36}"/g, `"uid":"${UID}"`)
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, `"${TIME}"`)
    .replaceAll(/"since":"\d{4}-\d\d-\d\d"/g, `"since":"${DAY}"`)
    .replaceAll(/"-----BEGIN CERTIFICATE-----[^"]*"/g, '"certificate"');
}

describe.each<Base>(["kubernetes", "core"])("the prepared objects of base %s", (base) => {
  it("are those that a server creates: run this test with --update after a change of them", async () => {
    const created = await startingObjects(base, CREATED);
    await expect(created).toMatchFileSnapshot(`../../runtime/controllers/bootstrap/starting-objects/${base}.jsonl`);
    expect(await startingObjects(base, {})).toBe(created);
  });
});

describe("the encoded objects of the package", () => {
  it.each<Base>(["kubernetes", "core"])("are those of base %s as the store keeps them", (base) => {
    const url = new URL(`../../runtime/controllers/bootstrap/starting-objects/${base}.jsonl`, import.meta.url);
    const lines = readFileSync(url, "utf8");
    const decoded = decodePrepared(encodePrepared(lines).toString("latin1"));
    const again = decoded.map(({ key, value }) => {
      const stored = Buffer.from(value, "latin1");
      const { fields = {} } = decodeStoredJson(stored, 1);
      const object = JSON.parse(Buffer.from(storedJsonText(stored) ?? []).toString("utf8")) as PreparedObject["object"];
      return JSON.stringify({ key, fields, object } satisfies PreparedObject);
    });
    expect(`${again.join("\n")}\n`).toBe(lines);
  });
});

describe("the prepared objects of a plane with other flags", () => {
  it.each<NonNullable<PlaneOptions["flags"]>>([
    {
      "service-cluster-ip-range": "10.1.0.0/16",
      "disable-admission-plugins": "ServiceAccount",
      "authorization-mode": "RBAC",
      "allow-privileged": "true",
    },
    { "kubernetes-service-node-port": "30443" },
  ])("are those that such a server creates: %j", async (flags) => {
    expect(await startingObjects("kubernetes", flags)).toBe(
      await startingObjects("kubernetes", { ...flags, ...CREATED }),
    );
  });
});

describe("the prepared objects with values of one server", () => {
  it("have the port, the CA and the day of that server", async () => {
    const plane = await startPlane({ flags: { controllers: "false" } });
    await plane.ready;
    const call = createClient(plane);
    const get = async (path: string) => (await call("GET", path)).body;
    const service = await get("/api/v1/namespaces/default/services/kubernetes");
    const trust = await get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication");
    const tracking = "kube-apiserver-legacy-service-account-token-tracking";
    const tokens = await get(`/api/v1/namespaces/kube-system/configmaps/${tracking}`);
    const address = await get("/apis/networking.k8s.io/v1/ipaddresses/10.0.0.1");
    await plane.stop();
    expect(service.spec.ports[0].targetPort).toBe(Number(new URL(plane.client.server).port));
    expect(trust.data["client-ca-file"]).toContain("BEGIN CERTIFICATE");
    expect(trust.data["requestheader-client-ca-file"]).not.toBe(trust.data["client-ca-file"]);
    expect(plane.client.certificateAuthority).toContain(trust.data["client-ca-file"].trim());
    expect(tokens.data.since).toBe(tokens.metadata.creationTimestamp.slice(0, 10));
    expect(address.spec.parentRef).toEqual({ resource: "services", namespace: "default", name: "kubernetes" });
    const uids = [service, trust, tokens, address].map(({ metadata }) => metadata.uid);
    expect(new Set([...uids, UID]).size).toBe(5);
  });
});
