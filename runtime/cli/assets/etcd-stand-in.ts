import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { resolve as resolvePath } from "node:path";
import type { CommandStreams } from "../command-streams.ts";
import { UsageError } from "../usage-error.ts";

// Imported as an ES module, node:http would load all of undici for exports that are not used here.
const { createServer } = process.getBuiltinModule("node:http");

/** Version of etcd whose flags and health checks the stand-in implements. */
const VERSION = "3.5.21";
/** Member of the response to `/version` that identifies the stand-in. etcd does not send it. */
export const STAND_IN = "typeplaneStandIn";

export const ETCD_USAGE = `Replaces etcd in test suites: accepts its flags and responds to its health checks, but stores nothing. The
kube-apiserver that uses it keeps the objects in memory, and writes them to --data-dir when it stops.

  --listen-client-urls 'http://localhost:2379'   Addresses to listen on, separated by commas.
  --cert-file ''                                 Certificate for https addresses.
  --key-file ''                                  Private key of --cert-file.
  --data-dir ''                                  Where a kube-apiserver that stops writes its objects for the next one.
  --version                                      Print the version and exit.

Other flags of etcd are accepted and have no effect, among them:

  --advertise-client-urls
  --initial-cluster
  --listen-peer-urls
  --log-level
  --name
  --quota-backend-bytes
  --unsafe-no-fsync
`;

/** Responds to requests until the process receives a signal. Resolves with the exit status. */
export async function etcdCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const flags = readFlags(args);
  if (flags.has("version")) {
    streams.out(`etcd Version: ${VERSION} (stand-in)\n`);
    return 0;
  }
  const urls = (flags.get("listen-client-urls") || "http://localhost:2379").split(",").map(parseUrl);
  const servers: Server[] = [];
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => resolve(signal));
  });
  try {
    const answer = answerWith(flags.get("data-dir"));
    for (const url of urls) servers.push(await listen(url, flags, answer));
    streams.err(`stand-in for etcd: listening on ${urls.map(({ origin }) => origin).join(", ")}\n`);
    await stopped;
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
  return 0;
}

/** Returns the last value of each flag: `--name=value`, `--name value`, `--switch`. As in etcd, a single dash is equivalent. */
function readFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (const [index, arg] of args.entries()) {
    const [, name, value] = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const next = args[index + 1] ?? "";
    if (name !== undefined) flags.set(name, value ?? (next.startsWith("-") ? "" : next));
  }
  return flags;
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new UsageError(`--listen-client-urls=${text}: write an address such as http://127.0.0.1:2379`);
  return url;
}

async function listen(url: URL, flags: ReadonlyMap<string, string>, answer: RequestListener): Promise<Server> {
  const server =
    url.protocol === "http:"
      ? createServer(answer)
      : createTlsServer({ cert: readPem(flags, "cert-file"), key: readPem(flags, "key-file") }, answer);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(Number(url.port || "2379"), host, resolve);
  });
  return server;
}

function readPem(flags: ReadonlyMap<string, string>, name: string): string {
  const path = flags.get(name) ?? "";
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`--${name}=${path}: ${(error as Error).message}`);
  }
}

function answerWith(dataDir: string | undefined): RequestListener {
  const standIn = dataDir ? { dataDir: resolvePath(dataDir) } : {};
  const answers: Readonly<Record<string, string | undefined>> = {
    "/health": '{"health":"true","reason":""}',
    "/livez": "ok\n",
    "/readyz": "ok\n",
    "/metrics": "",
    "/version": JSON.stringify({ etcdserver: VERSION, etcdcluster: "3.5.0", [STAND_IN]: standIn }),
  };
  return (request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    const body = Object.hasOwn(answers, path) ? answers[path] : undefined;
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body ?? "404 page not found\n");
  };
}
