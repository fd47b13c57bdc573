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

const folder = mkdtempSync(join(tmpdir(), "typeplane-starting-objects-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Kinds of the objects that every cluster starts with; what names the address or the certificates of one server is not prepared. */
const KINDS =
  /^\/registry\/(?:namespaces|(?:cluster)?role(?:binding)?s|flowschemas|prioritylevelconfigurations|priorityclasses|servicecidrs|apiregistration\.k8s\.io\/apiservices)\//;
/** Any flag of this name has objects created one by one, as requests would create them. */
const CREATED = { "feature-gates": "AllAlpha=false" };
const UID = "00000000-0000-4000-8000-000000000000";
const TIME = "2026-01-01T00:00:00Z";

/** The objects that a new plane has when it is ready, as the lines of a file of prepared objects. */
async function startingObjects(base: Base, flags: PlaneOptions["flags"]): Promise<string> {
  const plane = await startPlane({ base, listen: false, flags: { controllers: "false", ...flags } });
  await plane.ready;
  const file = join(folder, base);
  await plane.snapshot(file);
  await plane.stop();
  const lines: string[] = [];
  for (const { key, value, revision } of (await readSnapshot(file)).state.records) {
    if (!KINDS.test(key)) continue;
    const { fields = {} } = decodeStoredJson(value, revision);
    const text = Buffer.from(storedJsonText(value) ?? []).toString("utf8");
    const object = JSON.parse(text) as PreparedObject["object"];
    lines.push(JSON.stringify({ key, fields, object } satisfies PreparedObject));
  }
  const text = `${lines.sort().join("\n")}\n`;
  return text
    .replaceAll(/"uid":"[0-9a-f-]{36}"/g, `"uid":"${UID}"`)
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, `"${TIME}"`);
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

describe("the prepared objects of a plane with the flags of envtest", () => {
  it("are those that such a server creates", async () => {
    const flags = {
      "service-cluster-ip-range": "10.1.0.0/16",
      "disable-admission-plugins": "ServiceAccount",
      "authorization-mode": "RBAC",
      "allow-privileged": "true",
    };
    expect(await startingObjects("kubernetes", flags)).toBe(
      await startingObjects("kubernetes", { ...flags, ...CREATED }),
    );
  });
});
