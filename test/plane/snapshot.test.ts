import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { addWidget, ask, CONFIG_MAPS, configMap, issueToken, statusWith, WIDGETS } from "./requests.ts";

const folder = mkdtempSync(join(tmpdir(), "typeplane-snapshot-"));
const file = join(folder, "state");
let original: Plane;
let loaded: Plane;
let token: string;

beforeAll(async () => {
  original = await startPlane({ listen: false });
  await original.ready;
  await ask(original, "POST", CONFIG_MAPS, configMap("a", { value: "a" }));
  await addWidget(original);
  token = await issueToken(original);
  await original.snapshot(file);
  loaded = await startPlane({ listen: false, from: file });
  await loaded.ready;
});
afterAll(async () => {
  await Promise.all([original?.stop(), loaded?.stop()]);
  rmSync(folder, { recursive: true });
});

/** Returns the error of a start from a file with these bytes. */
async function refusalOf(bytes: Buffer | string): Promise<string> {
  const other = join(folder, "other");
  writeFileSync(other, bytes);
  const started = startPlane({ listen: false, from: other });
  return started.then(
    async (plane) => {
      await plane.stop();
      return "none";
    },
    (error: Error) => error.message.replace(other, "FILE"),
  );
}

describe("a snapshot", () => {
  it("restores objects with their UIDs and resource versions, custom definitions included", async () => {
    for (const path of [`${CONFIG_MAPS}/a`, `${WIDGETS}/w`, "/api/v1/namespaces/kube-system"]) {
      expect(await ask(loaded, "GET", path)).toEqual(await ask(original, "GET", path));
    }
  });

  it("continues the revisions, and expires watches from before it", async () => {
    const { metadata } = await ask(original, "GET", `${CONFIG_MAPS}/a`);
    const created = await ask(loaded, "POST", CONFIG_MAPS, configMap("b"));
    expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
    const watch = await loaded.fetch(`${CONFIG_MAPS}?watch=true&resourceVersion=2`);
    expect(await watch.text()).toContain('"reason":"Expired"');
  });

  it("lets service account tokens work on that were issued before", async () => {
    expect(await statusWith(loaded, token)).toBe(201);
  });

  it("can only be read by its owner, and contains no private key", () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "latin1")).not.toContain("PRIVATE KEY");
  });

  it("is refused if it is another file, has another format, or is damaged", async () => {
    const bytes = readFileSync(file);
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 10] = (flipped[bytes.length - 10] as number) ^ 1;
    expect(await refusalOf("apiVersion: v1\n")).toBe("FILE is not a snapshot of a plane");
    expect(await refusalOf("")).toBe("FILE is not a snapshot of a plane");
    expect(await refusalOf(Buffer.concat([Buffer.from("typeplane snapshot 9\n"), bytes.subarray(21)]))).toBe(
      "FILE has another format than 1, the only one that this version reads",
    );
    for (const damaged of [flipped, bytes.subarray(0, bytes.length - 1), bytes.subarray(0, 30)]) {
      expect(await refusalOf(damaged)).toBe("FILE is damaged: its checksum does not match");
    }
  });

  it("is refused if its contents are not what they should be, even with a matching checksum", async () => {
    const sealed = (header: unknown, records = Buffer.alloc(0)): Buffer => {
      const json = Buffer.from(JSON.stringify(header));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(json.length);
      const rest = Buffer.concat([length, json, records]);
      return Buffer.concat([Buffer.from("typeplane snapshot 1\n"), createHash("sha256").update(rest).digest(), rest]);
    };
    const header = { identity: "AA==", revision: 9, records: 0, expiries: [], keys: [] };
    const record = Buffer.alloc(60);
    record.writeDoubleLE(10, 0);
    record.writeUInt32LE(48, 8);
    expect(await refusalOf(sealed(null))).toBe("FILE is damaged: its header is incomplete");
    expect(await refusalOf(sealed({ ...header, keys: [1] }))).toBe("FILE is damaged: its header is incomplete");
    expect(await refusalOf(sealed({ ...header, records: 1 }))).toBe("FILE is damaged: records are missing");
    expect(await refusalOf(sealed(header, record))).toBe("FILE is damaged: its records are out of order");
    expect(await refusalOf(sealed(header, record.subarray(0, 40)))).toBe("FILE is damaged: a record is cut off");
  });

  it("is refused together with a directory", async () => {
    await expect(startPlane({ from: file, directory: join(folder, "data") })).rejects.toThrow(
      "a plane begins with a snapshot or with a directory, not with both",
    );
  });
});
