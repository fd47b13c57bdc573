import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { startPlane } from "../../runtime/plane.ts";

/**
 * Replays requests recorded from a real server against a fresh one of ours, started as the recorded one was: no
 * controllers, one service range, RBAC. Prints how many answers are equal; the differences land in .cache.
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
      // No endpoints of default/kubernetes: loopback addresses are not published.
      "advertise-address": "127.0.0.1",
      // As in Kubernetes 1.33, which was recorded.
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

/** The script itself would replay nothing, and call that equal. */
function refuseUnknown(groups: string): void {
  const listed = execFileSync("python3", [script, "--list"], { encoding: "utf8" });
  const known = new Set(Array.from(listed.matchAll(/^ *\d+ ([^/]+)\//gm), ([, group]) => group));
  const unknown = groups.split(",").filter((group) => group !== "" && !known.has(group));
  if (unknown.length === 0) return;
  process.stderr.write(`no recorded answers of ${unknown.join(", ")}; there are ${[...known].join(", ")}\n`);
  process.exit(2);
}
