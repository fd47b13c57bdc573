import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { startPlane } from "../../runtime/plane.ts";

/**
 * Replays requests that were recorded from a real server on a new server of ours, started with the same settings: no controllers, one service
 * range, RBAC. Prints how many responses are equal and writes the differences to .cache.
 */
const script = new URL("../../../shared/conformance/replay.py", import.meta.url).pathname;
if (!existsSync(script)) {
  process.stdout.write("no recorded answers beside this project: nothing to replay\n");
} else {
  const groups = process.argv[2] ?? "";
  refuseUnknown(groups);
  const plane = await startPlane({
    flags: {
      "service-cluster-ip-range": "10.0.0.0/16",
      controllers: "false",
      "authorization-mode": "RBAC",
      // Creates no endpoints of default/kubernetes: loopback addresses are not published.
      "advertise-address": "127.0.0.1",
      // Default of Kubernetes 1.33, which was recorded.
      "feature-gates": "WatchList=false",
    },
  });
  await plane.ready;
  mkdirSync(".cache", { recursive: true });
  const { server, token } = plane.client;
  const args = [script, server, "--token", token, "--only", groups, "--out", ".cache/differences.jsonl"];
  const child = spawn("python3", args, { stdio: "inherit" });
  await new Promise((resolve) => child.once("exit", resolve));
  await plane.stop();
}

/** Rejects unknown groups, for which the script would replay nothing and report success. */
function refuseUnknown(groups: string): void {
  const listed = execFileSync("python3", [script, "--list"], { encoding: "utf8" });
  const known = new Set(Array.from(listed.matchAll(/^ *\d+ ([^/]+)\//gm), ([, group]) => group));
  const unknown = groups.split(",").filter((group) => group !== "" && !known.has(group));
  if (unknown.length === 0) return;
  process.stderr.write(`no recorded answers of ${unknown.join(", ")}; there are ${[...known].join(", ")}\n`);
  process.exit(2);
}
