import { readFileSync } from "node:fs";
import type { CommandStreams } from "./cli/command-streams.ts";
import { UsageError } from "./cli/usage-error.ts";
import type { ApiRegistry } from "./contract/api-registry.ts";
import { didYouMean } from "./lib/did-you-mean.ts";

const USAGE = `Typeplane serves the Kubernetes API, and kinds of your own, from definitions in TypeScript.

  typeplane serve [flags]              start a server
  typeplane assets DIR                 write the programs kube-apiserver and etcd for test suites such as envtest
  typeplane convert [flags]            convert manifests to another API version
  typeplane removals [flags]           list objects whose API version a release deprecates or removes
  typeplane docs [flags]               write the reference of your kinds as a static site
  typeplane migrate-storage [flags]    rewrite stored objects in their storage version and with the current encryption key
  typeplane scrub-storage [flags]      remove deleted objects and old plaintext from the data file
  typeplane --version                  print the release that is served
  typeplane --help                     print this text; \`typeplane <command> --help\` describes a command
`;

/** Loaded when they are asked for. `kube-apiserver` and `etcd` are what the programs of `assets` run. */
const COMMANDS: Readonly<Record<string, (() => Promise<Command>) | undefined>> = {
  serve: async () => {
    const [{ parseFlags }, { runServer }] = await Promise.all([
      import("./cli/read-config.ts"),
      import("./cli/run-server.ts"),
    ]);
    return { usage: "", serve: (args, streams) => runServer(parseFlags(args), streams) };
  },
  assets: async () => {
    const { ASSETS_USAGE, assetsCommand } = await import("./cli/assets/assets.ts");
    return { usage: ASSETS_USAGE, run: assetsCommand };
  },
  "kube-apiserver": async () => {
    const { KUBE_APISERVER_USAGE, kubeApiServerCommand } = await import("./cli/assets/kube-apiserver.ts");
    return { usage: KUBE_APISERVER_USAGE, serve: kubeApiServerCommand };
  },
  etcd: async () => {
    const { ETCD_USAGE, etcdCommand } = await import("./cli/assets/etcd-stand-in.ts");
    return { usage: ETCD_USAGE, serve: etcdCommand };
  },
  convert: async () => {
    const { CONVERT_USAGE, convertCommand } = await import("./cli/convert.ts");
    return { usage: CONVERT_USAGE, run: convertCommand };
  },
  removals: async () => {
    const { REMOVALS_USAGE, removalsCommand } = await import("./cli/removals.ts");
    return { usage: REMOVALS_USAGE, run: removalsCommand };
  },
  docs: async () => {
    const { DOCS_USAGE, docsCommand } = await import("./cli/docs.ts");
    return { usage: DOCS_USAGE, run: docsCommand };
  },
  "migrate-storage": async () => {
    const { MIGRATE_STORAGE_USAGE, migrateStorageCommand } = await import("./cli/migrate-storage.ts");
    return { usage: MIGRATE_STORAGE_USAGE, run: migrateStorageCommand };
  },
  "scrub-storage": async () => {
    const { SCRUB_STORAGE_USAGE, scrubStorageCommand } = await import("./cli/scrub-storage.ts");
    return { usage: SCRUB_STORAGE_USAGE, run: scrubStorageCommand };
  },
};

/** Codes of errors in flags and configuration files; the exit status is 2. */
const USAGE_CODES = [
  "BadReleaseOption",
  "BadConfigFile",
  "authorization-mode",
  "admission-plugins",
  "token-file",
  "RegistryConflict",
];

/** `serve` runs until it gets a signal, whoever reads its output; `run` ends by itself. */
type Command = { readonly usage: string } & (
  | { run(args: readonly string[], streams: CommandStreams, registry: ApiRegistry): Promise<number> }
  | { serve(args: readonly string[], streams: CommandStreams): Promise<number> }
);

const streams: CommandStreams = {
  stdin: () => readFileSync(0, "utf8"),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

process.exitCode = await main(process.argv.slice(2));

/** The kinds that commands work with, loaded when a command needs them. */
async function registry(): Promise<ApiRegistry> {
  const { loadRegistry } = await import("./cli/load-registry.ts");
  return loadRegistry();
}

async function main(args: readonly string[]): Promise<number> {
  const [command = "--help", ...rest] = args;
  const asksHelp = rest.includes("--help") || rest.includes("-h");
  if (command === "--help" || command === "-h" || command === "--version" || asksHelp) endWithReader();
  if (command === "--help" || command === "-h" || (command === "serve" && asksHelp)) {
    const { describeFlags } = await import("./cli/describe-flags.ts");
    process.stdout.write(`${USAGE}\nFlags of serve, by subject:\n\n${describeFlags()}\n`);
    if (command === "serve") {
      const { describeGates } = await import("./cli/describe-gates.ts");
      process.stdout.write(`\nFeature gates of --feature-gates:\n${describeGates(await registry())}\n`);
    }
    return 0;
  }
  if (command === "--version") {
    const { release, project } = (await registry()).readCatalogue();
    const own = project?.releases === undefined ? "" : ` (${project.name} ${project.release})`;
    process.stdout.write(`typeplane v${release}.0${own}\n`);
    return 0;
  }
  const load = COMMANDS[command];
  if (load === undefined) {
    const guess = didYouMean(command, Object.keys(COMMANDS));
    process.stderr.write(`unknown command "${command}"${guess}; see typeplane --help\n`);
    return 2;
  }
  try {
    const loaded = await load();
    if (asksHelp) {
      process.stdout.write(loaded.usage);
      return 0;
    }
    if ("serve" in loaded) return await loaded.serve(rest, streams);
    endWithReader();
    return await loaded.run(rest, streams, await registry());
  } catch (error) {
    const isUsage = error instanceof UsageError || USAGE_CODES.includes(codeOf(error));
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${isUsage || codeOf(error) !== "" ? message : ((error as Error).stack ?? message)}\n`);
    return isUsage ? 2 : 1;
  }
}

/** A reader of the output that has seen enough, such as `head`, closes the pipe: the command ends quietly. A server goes on. */
function endWithReader(): void {
  process.stdout.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
    process.exit(0);
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
