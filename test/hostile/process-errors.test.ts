import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ServerProcess } from "../tools/server-process.ts";
import { RawConnection, statusesIn } from "./raw-connection.ts";

/** Causes unexpected errors in the server, each time it gets the signal. */
const PLANTED = `
  process.on("SIGUSR2", () => {
    setTimeout(() => { throw new Error("planted in a timer"); });
    void Promise.reject(new Error("planted in a promise"));
    for (let index = 0; index < 1000; index++) setImmediate(() => { throw new TypeError("planted many times"); });
  });
`;

let directory: string;
let server: ServerProcess;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "typeplane-errors-"));
  const former = process.env.NODE_OPTIONS;
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(PLANTED)}`;
  try {
    server = await ServerProcess.started({ directory, flags: ["--controllers=false"] });
  } finally {
    if (former === undefined) delete process.env.NODE_OPTIONS;
    else process.env.NODE_OPTIONS = former;
  }
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

const version = async (bytes = "GET /version HTTP/1.1\r\nHost: here\r\n\r\n") => {
  const connection = await RawConnection.tls({ host: "127.0.0.1", port: server.port });
  connection.write(bytes);
  await connection.receive((received) => received.includes("gitVersion"), 10_000);
  connection.close();
  return statusesIn(connection.text)[0];
};

it("the server logs unexpected errors, with a limit, and keeps serving", async () => {
  process.kill(server.pid, "SIGUSR2");
  await expect.poll(() => server.log, { timeout: 120_000 }).toContain("planted many times");
  await expect
    .poll(() => server.log, { timeout: 120_000 })
    .toContain("unexpected error (promise): Error: planted in a promise");
  const inTimer = "unexpected error (exception): Error: planted in a timer\\n    at ";
  await expect.poll(() => server.log, { timeout: 120_000 }).toContain(inTimer);
  // Anonymous clients may read it once the default roles exist.
  await expect.poll(() => version(), { timeout: 120_000 }).toBe(200);
  expect(server.log.split("\n").filter((line) => line.includes("planted many times")).length).toBeLessThan(20);
});

it("the server survives a pipelined upgrade", async () => {
  const get = "GET /version HTTP/1.1\r\nHost: here\r\n";
  expect(await version(`${get}\r\n${get}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toBe(200);
  expect(await version()).toBe(200);
});
