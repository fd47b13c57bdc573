import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerProcess } from "../tools/server-process.ts";

const PAGE_BYTES = 4096;
/** Of LMDB, at the beginning of a page: what kind of page it is. */
const FLAGS_OFFSET = 18;

let directory: string;
let server: ServerProcess;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "typeplane-lost-"));
  server = await ServerProcess.started({ directory, flags: ["--controllers=false"] });
});
afterAll(async () => {
  await server.kill();
  rmSync(directory, { recursive: true, force: true });
});

/** As a broken disk may: no page of the data file is what it was, while the server has it open. */
function damage(file: string): void {
  const descriptor = openSync(file, "r+");
  try {
    const pages = Math.floor(fstatSync(descriptor).size / PAGE_BYTES);
    for (let page = 2; page < pages; page++)
      writeSync(descriptor, Buffer.alloc(4), 0, 4, page * PAGE_BYTES + FLAGS_OFFSET);
  } finally {
    closeSync(descriptor);
  }
}

it("a server whose data file is damaged logs it once and exits with code 1", async () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  expect((await server.client.request("POST", maps, { metadata: { name: "before" } })).status).toBe(201);
  damage(join(directory, "data", "data.mdb"));
  // Whatever reads the file next finds the damage: if it is not this request, the server is already stopping.
  const answer = await server.client.request("POST", maps, { metadata: { name: "after" } }).catch(() => undefined);
  expect([undefined, 503]).toContain(answer?.status);
  expect(await server.ended).toBe(1);
  // Which error LMDB reports depends on the page that is read first.
  const said = "the store failed for good, stopping: the data file failed and cannot be used any more: MDB_";
  expect(server.log.split(said), server.log).toHaveLength(2);
  expect(server.log).not.toMatch(/unexpected error|UnhandledPromiseRejection/);
});
