import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** Programs that tests use if they are available. `make tools` downloads them, except kube-apiserver. */
export type Tool = "kubectl" | "etcd" | "etcdctl" | "chromium" | "kube-apiserver";

/** Returns the path of a program in TYPEPLANE_TOOLS, in .cache/tools, or on the PATH; undefined if it is not found. */
export function findTool(tool: Tool): string | undefined {
  const configured = process.env.TYPEPLANE_TOOLS;
  const fetched = resolve(import.meta.dirname, "../../.cache/tools");
  const path = (process.env.PATH ?? "").split(delimiter);
  return [configured, fetched, ...path]
    .filter((directory) => directory !== undefined && directory !== "")
    .map((directory) => join(directory as string, tool))
    .find(isExecutable);
}

/** Returns the message for tests that are skipped because a program is missing. */
export function skipMessage(tool: Tool): string {
  const advice = tool === "kube-apiserver" ? "set KUBE_APISERVER to the directory that has it" : "try `make tools`";
  return `skipped: ${tool} was not found in TYPEPLANE_TOOLS, .cache/tools or PATH (${advice})`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
