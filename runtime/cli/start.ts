import { randomBytes } from "node:crypto";
import { fstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setInterval } from "node:timers";
import type { CommandStreams } from "./command-streams.ts";
import type { Given } from "./flags/section.ts";
import { parseArguments } from "./parse-arguments.ts";
import { FLAG_OPTIONS } from "./read-config.ts";
import { runServer } from "./run-server.ts";

export const START_USAGE = `typeplane start [--json] [flags of serve]

Starts a server for tests: in memory, on a free port of loopback. When it is ready it prints its address and a kubeconfig. It stops when its parent
process ends or closes its standard input, and on SIGTERM.

      --json   Print one line of JSON: server (URL), certificateAuthority (PEM), token (the administrator's), kubeconfig (path of a
               file that is removed when the server stops), pid.

All flags of \`typeplane serve\` work, such as --release=1.30 or --controllers=false.
`;

/** Defaults that differ from those of `typeplane serve`. */
const DEFAULTS: Given = new Map([
  ["secure-port", ["0"]],
  ["data-dir", ["memory"]],
  ["cert-dir", ["memory"]],
]);

const TOKEN_BYTES = 32;
const PARENT_POLL_MS = 500;

/** Serves until the parent process ends or this process receives a signal. Resolves with the exit status. */
export async function startCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const given = new Map([...DEFAULTS, ...parseArguments(args, [...FLAG_OPTIONS, { name: "json", isSwitch: true }])]);
  const printsJson = given.get("json")?.at(-1) === "true";
  given.delete("json");
  const directory = mkdtempSync(join(tmpdir(), "typeplane-start-"));
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const kubeconfig = given.get("kubeconfig-out")?.at(-1) || join(directory, "kubeconfig");
  given.set("kubeconfig-out", [kubeconfig]);
  try {
    return await runServer(given, streams, {
      change: ({ tokenAuthFile, ...config }) => ({
        ...config,
        tokenAuthFile: {
          path: tokenAuthFile?.path ?? "start",
          contents: `${tokenAuthFile?.contents ?? ""}\n${token},admin,admin,"system:masters"\n`,
        },
      }),
      async onServing({ url, ready }, { serverTrustPem }) {
        await ready;
        const reached = { server: url, certificateAuthority: serverTrustPem, token, kubeconfig, pid: process.pid };
        streams.out(
          printsJson ? `${JSON.stringify(reached)}\n` : `serving on ${url}\n\n  export KUBECONFIG=${kubeconfig}\n\n`,
        );
      },
      ended: parentEnd(),
    });
  } finally {
    // An open pipe would keep the process running.
    process.stdin.destroy();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Resolves when standard input is a pipe and the parent closes it, or when the parent process has ended. */
function parentEnd(): Promise<string> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    if (isPipe()) {
      for (const event of ["end", "close", "error"])
        process.stdin.once(event, () => resolve("standard input was closed"));
      process.stdin.resume();
    }
    setInterval(() => {
      if (process.ppid !== parent) resolve("the parent process ended");
    }, PARENT_POLL_MS).unref();
  });
}

/** Whether standard input is a pipe. A terminal, a file or /dev/null indicates nothing about the parent. */
function isPipe(): boolean {
  try {
    const stats = fstatSync(process.stdin.fd);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
