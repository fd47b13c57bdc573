import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openEmbeddedStore, openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { runStoreTests } from "./run-store-tests.ts";

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

runStoreTests("memory", async () => ({ store: openMemoryStore(), prefix: "/registry/things/" }));

runStoreTests("fork in memory", async () => {
  const engine = new MemoryEngine();
  const original = openMemoryStore({}, engine);
  await original.put("/registry/others/a", Buffer.from("before"), { expected: 0 });
  const store = openMemoryStore({}, engine.fork());
  await original.put("/registry/things/a", Buffer.from("after"), { expected: 0 });
  await original.close();
  return { store, prefix: "/registry/things/" };
});

runStoreTests("embedded", async () => {
  const directory = mkdtempSync(join(tmpdir(), "typeplane-store-"));
  directories.push(directory);
  return { store: await openEmbeddedStore(directory), prefix: "/registry/things/" };
});
