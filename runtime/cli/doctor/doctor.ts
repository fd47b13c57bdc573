import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { kubeconfigFiles } from "../../client/login/kubeconfig.ts";
import type { ApiRegistry } from "../../contract/api-registry.ts";
import { createNaming } from "../../contract/naming.ts";
import { type CommandFlag, describeCommandFlags } from "../command-flags.ts";
import type { CommandStreams } from "../command-streams.ts";
import { parseArguments } from "../parse-arguments.ts";
import { withProjectFlags } from "../project-flags.ts";
import { FLAG_OPTIONS, readConfig } from "../read-config.ts";
import { UsageError } from "../usage-error.ts";
import { type CheckResult, runChecks } from "./check.ts";
import { CONTENT_CHECKS } from "./data-directory/content-checks.ts";
import { DataDirectory } from "./data-directory/data-directory.ts";
import { FILE_CHECKS } from "./data-directory/file-checks.ts";
import { describeResult, describeSummary, exitStatusOf, type Report } from "./report.ts";
import { HEALTH_CHECKS } from "./server/health-checks.ts";
import { loadChecksOf } from "./server/load-checks.ts";
import { apiServices, definitions, namespaces, storedVersions } from "./server/object-checks.ts";
import { removals } from "./server/removal-check.ts";
import { type ServerAddress, ServerView } from "./server/server-view.ts";
import { admissionWebhooks, conversionWebhooks } from "./server/webhook-checks.ts";

const FLAGS: readonly CommandFlag[] = [
  {
    name: "kubeconfig",
    type: "text",
    help: "kubeconfig of the server. Defaults to $KUBECONFIG, or .typeplane/kubeconfig.",
  },
  { name: "server", type: "text", help: "URL of the server, instead of a kubeconfig, with the next four flags." },
  { name: "certificate-authority", type: "text", help: "File with the CA of the server." },
  { name: "token", type: "text", help: "Bearer token for the server." },
  { name: "client-certificate", type: "text", help: "File with the client certificate for the server." },
  { name: "client-key", type: "text", help: "File with the key of the client certificate." },
  { name: "interval", type: "text", help: "Seconds between two readings of the metrics. Defaults to 2." },
  { name: "json", type: "switch", help: "Print the report as JSON." },
];

const OWN_KUBECONFIG = ".typeplane/kubeconfig";
const DEFAULT_INTERVAL_S = 2;

export const DOCTOR_USAGE = `typeplane doctor [--kubeconfig FILE | --server URL …] [--json]
typeplane doctor --data-dir DIR [flags of serve] [--json]

Checks a running server or a data directory, and reports problems and what to do about them. Changes nothing.

A server: whether it is ready, clocks, certificates, disk, syncs, watches, fairness, limits, webhooks, APIServices,
CustomResourceDefinitions, namespaces that are stuck, and objects in API versions that the next release removes. Use a kubeconfig
with permission to read all resources.

A data directory: whether a server has it open, file modes, certificates in --cert-dir, disk, format, integrity (as typeplane verify),
plaintext of kinds that are to be encrypted, and free space in the file. Accepts the flags of serve for encryption
(--encryption-provider-config) and for the release (--release). The server may be running; run it as the server's user.

The exit status is 0 if there are no problems, 1 if there are warnings or errors, 2 if some checks could not run.

${describeCommandFlags(FLAGS)}
`;

/** Resolves with the exit status. */
export async function doctorCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const options = FLAGS.map(({ name, type }) => ({ name, isSwitch: type === "switch" }));
  const given = parseArguments(args, [...FLAG_OPTIONS, ...options]);
  const text = (name: string): string | undefined => given.get(name)?.at(-1);
  const asJson = text("json") === "true";
  const results: CheckResult[] = [];
  const add = (result: CheckResult): void => {
    results.push(result);
    if (!asJson) streams.out(describeResult(result));
  };
  const isDirectory = text("data-dir") !== undefined;
  if (isDirectory && (text("kubeconfig") ?? text("server")) !== undefined)
    throw new UsageError(
      "--data-dir is for a data directory, --kubeconfig and --server are for a running server: choose one",
    );
  const target = isDirectory
    ? await examineDirectory(given, registry, streams, add)
    : await examineServer(addressOf(text), intervalOf(text("interval")), registry, streams, add);
  if (target === undefined) return 2;
  const report: Report = { target, results };
  streams.out(asJson ? `${JSON.stringify(report, undefined, 2)}\n` : describeSummary(report));
  return exitStatusOf(report);
}

type Add = (result: CheckResult) => void;

async function examineDirectory(
  given: ReadonlyMap<string, readonly string[]>,
  registry: ApiRegistry,
  { err }: CommandStreams,
  add: Add,
): Promise<string | undefined> {
  const own = new Set(FLAGS.map(({ name }) => name));
  const flags = new Map([...given].filter(([name]) => !own.has(name)));
  const config = readConfig(withProjectFlags(flags, registry));
  const { dataDir } = config;
  if (dataDir === undefined) throw new UsageError("--data-dir=memory: there is nothing to look at");
  if (!existsSync(dataDir)) throw new UsageError(`--data-dir=${dataDir}: there is no such directory`);
  const directory = new DataDirectory(dataDir, { ...config, etcd: undefined }, registry, err);
  await runChecks([...FILE_CHECKS, ...CONTENT_CHECKS], directory, add);
  return dataDir;
}

async function examineServer(
  address: ServerAddress,
  intervalMs: number,
  registry: ApiRegistry,
  { err }: CommandStreams,
  add: Add,
): Promise<string | undefined> {
  const server = new ServerView(address);
  try {
    await server.serverTime();
    // The first reading of the metrics: later readings are compared with it.
    await server.metrics().catch(() => undefined);
    const naming = createNaming(registry.readCatalogue());
    await runChecks(
      [
        ...HEALTH_CHECKS,
        admissionWebhooks(naming),
        conversionWebhooks(naming),
        apiServices(naming),
        definitions(naming),
        storedVersions(naming),
        namespaces,
        removals(registry),
        ...loadChecksOf(intervalMs),
      ],
      server,
      add,
    );
    return server.url;
  } catch (error) {
    err(`${server.url} does not respond as an API server: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  } finally {
    server.close();
  }
}

function addressOf(text: (name: string) => string | undefined): ServerAddress {
  const server = text("server");
  if (server !== undefined) {
    if (text("kubeconfig") !== undefined) throw new UsageError("--kubeconfig and --server are mutually exclusive");
    if (!/^https?:\/\//.test(server) || !URL.canParse(server))
      throw new UsageError(`--server=${server}: write a URL such as https://127.0.0.1:6443`);
    return { kubeconfigText: kubeconfigOf(server, text), directory: process.cwd() };
  }
  const named = text("kubeconfig");
  if (named !== undefined) {
    if (!existsSync(named)) throw new UsageError(`--kubeconfig=${named}: there is no such file or directory`);
    return { kubeconfig: named };
  }
  if (process.env.KUBECONFIG) return { kubeconfig: kubeconfigFiles(process.env) };
  if (existsSync(OWN_KUBECONFIG)) return { kubeconfig: OWN_KUBECONFIG };
  throw new UsageError("nothing to look at: set --kubeconfig, --server or --data-dir");
}

/** Creates a kubeconfig as JSON, which is valid YAML. */
function kubeconfigOf(server: string, text: (name: string) => string | undefined): string {
  const path = (name: string): string | undefined => {
    const file = text(name);
    if (file !== undefined && !existsSync(file))
      throw new UsageError(`--${name}=${file}: there is no such file or directory`);
    return file && resolve(file);
  };
  const cluster = { server, "certificate-authority": path("certificate-authority") };
  const user = {
    token: text("token"),
    "client-certificate": path("client-certificate"),
    "client-key": path("client-key"),
  };
  return JSON.stringify({
    clusters: [{ name: "it", cluster }],
    users: [{ name: "it", user }],
    contexts: [{ name: "it", context: { cluster: "it", user: "it" } }],
    "current-context": "it",
  });
}

function intervalOf(text: string | undefined): number {
  const seconds = text === undefined ? DEFAULT_INTERVAL_S : Number(text);
  if (!Number.isFinite(seconds) || seconds < 0 || seconds > 3600)
    throw new UsageError(`--interval=${text}: write a number of seconds, at most 3600`);
  return seconds * 1000;
}
