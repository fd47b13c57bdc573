import { afterEach, describe, expect, it } from "vitest";
import type { ResourceDescriptor } from "../../runtime/contract/resource-descriptor.ts";
import { encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { moveUngroupedKeys } from "../../runtime/kinds/move-ungrouped-keys.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import type { ValueTransformer } from "../../runtime/store/encryption/value-transformer.ts";
import type { Store } from "../../runtime/store/store.ts";

const JOB = {
  storage: {
    group: "plat.example.com",
    version: "v1",
    kind: "Job",
    resource: "jobs",
    type: "plat/v1.Job",
    prefix: "plat.example.com/jobs",
  },
} as unknown as ResourceDescriptor;

const json = (apiVersion: string, name: string) =>
  Buffer.from(JSON.stringify({ apiVersion, kind: "Job", metadata: { name } }));

/** Binds a value to its key, as encryption does. */
const bound: ValueTransformer = {
  seal: (key, value) => Buffer.concat([Buffer.from(`${key}|`), value]),
  open(key, stored) {
    const text = Buffer.from(stored).toString();
    if (!text.startsWith(`${key}|`)) throw new Error("sealed for another key");
    return { value: Buffer.from(text.slice(key.length + 1)), stale: false };
  },
};

describe("moving objects of own kinds to keys with their group", () => {
  let store: Store;
  afterEach(() => store.close());

  async function run(transformer?: ValueTransformer): Promise<string[]> {
    const lines: string[] = [];
    const log = (_level: string, text: string): void => void lines.push(text);
    await moveUngroupedKeys([JOB], { store, keyRoot: "/registry", transformerFor: () => transformer, log });
    return lines;
  }

  async function keys(): Promise<string[]> {
    const { entries } = await store.range({ prefix: "/registry/" });
    return entries.map(({ key }) => key);
  }

  it("moves JSON and protobuf values of the group and leaves those of other groups", async () => {
    store = await openMemoryStore({ historyMs: 1000 });
    const envelope = encodeEnvelope({ apiVersion: "plat.example.com/v1", kind: "Job", raw: new Uint8Array() });
    await store.put("/registry/jobs/a/mine", json("plat.example.com/v1", "mine"), { expected: 0 });
    await store.put("/registry/jobs/a/packed", envelope, { expected: 0 });
    await store.put("/registry/jobs/a/theirs", json("batch/v1", "theirs"), { expected: 0 });
    expect(await run()).toEqual(["moved 2 stored objects of jobs.plat.example.com to keys that contain the group"]);
    expect(await keys()).toEqual([
      "/registry/jobs/a/theirs",
      "/registry/plat.example.com/jobs/a/mine",
      "/registry/plat.example.com/jobs/a/packed",
    ]);
    expect(await run()).toEqual([]);
  });

  it("keeps an object that is at the new key already and finishes a move that was cut short", async () => {
    store = await openMemoryStore({ historyMs: 1000 });
    await store.put("/registry/plat.example.com/jobs/a/mine", json("plat.example.com/v1", "new"), { expected: 0 });
    await store.put("/registry/jobs/a/mine", json("plat.example.com/v1", "old"), { expected: 0 });
    await run();
    expect(await keys()).toEqual(["/registry/plat.example.com/jobs/a/mine"]);
    const kept = await store.get("/registry/plat.example.com/jobs/a/mine");
    expect(JSON.parse(Buffer.from(kept?.value ?? []).toString()).metadata.name).toBe("new");
  });

  it("seals encrypted values anew for their new keys and skips what it cannot open", async () => {
    store = await openMemoryStore({ historyMs: 1000 });
    const old = "/registry/jobs/a/mine";
    await store.put(old, bound.seal(old, json("plat.example.com/v1", "mine")), { expected: 0 });
    await store.put("/registry/jobs/a/other", Buffer.from("sealed by somebody else"), { expected: 0 });
    await run(bound);
    expect(await keys()).toEqual(["/registry/jobs/a/other", "/registry/plat.example.com/jobs/a/mine"]);
    const moved = await store.get("/registry/plat.example.com/jobs/a/mine");
    const { value } = bound.open("/registry/plat.example.com/jobs/a/mine", moved?.value ?? new Uint8Array());
    expect(JSON.parse(Buffer.from(value).toString()).metadata.name).toBe("mine");
  });

  it("moves more objects than one page holds", async () => {
    store = await openMemoryStore({ historyMs: 1000 });
    for (let index = 0; index < 1100; index++) {
      const name = `job-${String(index).padStart(4, "0")}`;
      await store.put(`/registry/jobs/a/${name}`, json("plat.example.com/v1", name), { expected: 0 });
    }
    await run();
    const { count } = await store.range({ prefix: "/registry/plat.example.com/jobs/", limit: 1, count: true });
    expect(count).toBe(1100);
    expect((await store.range({ prefix: "/registry/jobs/", limit: 1, count: true })).count).toBe(0);
  });
});
