import { expect, it } from "vitest";
import { temporaryDirectory } from "../store/temporary-directory.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { crashEmbedded } from "./crash-embedded.ts";
import { crashEtcd } from "./crash-etcd.ts";
import { crashServer, crashServerOverEtcd } from "./crash-server.ts";

/* `make crash` runs more rounds. */
it("loses nothing when the process with the embedded store is killed", async () => {
  const summary = await crashEmbedded(temporaryDirectory(), 2);
  expect(summary.contradictions).toEqual([]);
  expect(summary.acked).toBeGreaterThan(0);
  expect(summary.seen).toBeGreaterThan(0);
});

it("loses nothing when a server is killed under its clients", async () => {
  const summary = await crashServer(temporaryDirectory(), 1);
  expect(summary.contradictions).toEqual([]);
  expect(summary.acked).toBeGreaterThan(0);
});

const etcd = findTool("etcd");
if (etcd === undefined) console.warn(`crash test over etcd: ${skipMessage("etcd")}`);

it.runIf(etcd !== undefined)("loses nothing when etcd is killed", async () => {
  const summary = await crashEtcd(1);
  expect(summary.contradictions).toEqual([]);
  expect(summary.acked).toBeGreaterThan(0);
});

it.runIf(etcd !== undefined)("loses nothing when etcd is killed under a server", async () => {
  const summary = await crashServerOverEtcd(temporaryDirectory(), 1);
  expect(summary.contradictions).toEqual([]);
  expect(summary.acked).toBeGreaterThan(0);
});
