import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoryEngine } from "../../store/embedded/memory-engine.ts";
import { openMemoryStore } from "../../store/embedded/open-embedded-store.ts";
import { readSnapshot, writeSnapshot } from "../../store/snapshot/snapshot-file.ts";
import type { CommandStreams } from "../command-streams.ts";
import { describeFlags } from "../describe-flags.ts";
import type { Given } from "../flags/section.ts";
import { FLAGS } from "../flags/sections.ts";
import { STORAGE } from "../flags/storage.ts";
import { parseArguments } from "../parse-arguments.ts";
import { deprecatedFlags, FLAG_OPTIONS } from "../read-config.ts";
import { runServer } from "../run-server.ts";
import type { OpenStore } from "../serve.ts";
import { apiVersion } from "../version.ts";
import { findStandIn, type StandIn } from "./find-stand-in.ts";
import { FLAGS_WITHOUT_EFFECT, whyAbsent } from "./flags-without-effect.ts";

/** Built on demand, since every start loads this file. */
export const kubeApiServerUsage = (): string => `kube-apiserver [flags]

Serves the Kubernetes API as kube-apiserver does: without controllers, with certificates of --cert-dir, and with nothing else
written to disk. \`typeplane assets\` writes the program of this name for test suites.

${describeFlags()}

Flags of kube-apiserver that have no effect here:

${FLAGS_WITHOUT_EFFECT.map(({ name }) => `  --${name}`).join("\n")}
`;

/** Defaults that differ from those of `typeplane serve`. */
const DEFAULTS: Given = new Map([
  ["controllers", ["false"]],
  ["data-dir", ["memory"]],
  ["kubeconfig-out", [""]],
  ["cert-dir", ["memory"]],
]);

/** Serves until the process receives a signal. Resolves with the exit status. */
export async function kubeApiServerCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  if (args.includes("--version")) {
    streams.out(`Kubernetes ${apiVersion(await (await import("../load-registry.ts")).loadRegistry())}\n`);
    return 0;
  }
  const known = new Set(FLAGS.map(({ name }) => name));
  const given = new Map([
    ...DEFAULTS,
    ...parseArguments(args, [...FLAG_OPTIONS, ...FLAGS_WITHOUT_EFFECT], "", whyAbsent),
  ]);
  const unused = [...given.keys()].filter((name) => !known.has(name));
  const deprecated = deprecatedFlags(given, FLAGS_WITHOUT_EFFECT);
  for (const name of unused) given.delete(name);
  useServingCertificate(given);
  const noEffect = unused.length === 0 ? [] : [`flags without effect: --${unused.join(", --")}`];
  const warnings = [...deprecated, ...noEffect];
  const { etcd } = STORAGE.read(given);
  const standIn = etcd && (await findStandIn(etcd));
  if (standIn === undefined) return runServer(given, streams, { warnings });
  given.delete("etcd-servers");
  return serveFromMemory(standIn, (openStore) => runServer(given, streams, { warnings, openStore }));
}

/**
 * Starts with the objects that the previous server stored in the data directory of the etcd stand-in, and stores its own objects there when it stops.
 */
async function serveFromMemory({ dataDir }: StandIn, serve: (open: OpenStore) => Promise<number>): Promise<number> {
  const file = dataDir === undefined ? undefined : join(dataDir, "typeplane.snapshot");
  const left = file !== undefined && existsSync(file) ? await readSnapshot(file) : undefined;
  const engine = left === undefined ? new MemoryEngine() : MemoryEngine.from(left.state);
  const status = await serve(async (config) => openMemoryStore(config, engine));
  if (file !== undefined && existsSync(dirname(file))) await writeSnapshot(file, { state: engine.state(), keys: [] });
  return status;
}

/**
 * Serves with `apiserver.crt` and `apiserver.key` in `--cert-dir` if they exist, and keeps everything else in memory. If they do not exist, the
 * server creates them there, like kube-apiserver.
 */
function useServingCertificate(given: Map<string, readonly string[]>): void {
  const directory = given.get("cert-dir")?.at(-1) ?? "";
  const [certificate, key] = ["apiserver.crt", "apiserver.key"].map((file) => join(directory, file));
  if (given.has("tls-cert-file") || certificate === undefined || key === undefined) return;
  if (!existsSync(certificate) || !existsSync(key)) return;
  given.set("tls-cert-file", [certificate]).set("tls-private-key-file", [key]).set("cert-dir", ["memory"]);
}
