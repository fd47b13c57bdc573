import { readFileSync } from "node:fs";
import type { CommandStreams } from "../runtime/cli/command-streams.ts";
import { findProject } from "../runtime/cli/find-project.ts";
import { UsageError } from "../runtime/cli/usage-error.ts";
import { didYouMean } from "../runtime/lib/did-you-mean.ts";
import type { CommandContext } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { missingPackage } from "./missing-package.ts";

/** Codes of errors in flags and configuration files, for which the exit status is 2. */
const USAGE_CODES = [
  "BadReleaseOption",
  "BadConfigFile",
  "authorization-mode",
  "admission-plugins",
  "token-file",
  "RegistryConflict",
];

const streams: CommandStreams = {
  stdin: () => readFileSync(0, "utf8"),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [name = "--help", ...rest] = args;
  const asksHelp = rest.includes("--help") || rest.includes("-h");
  const project = findProject();
  const registry: CommandContext["registry"] = async () =>
    (await import("../runtime/cli/load-registry.ts")).loadRegistry(project);
  const context: CommandContext = { streams, project, registry };
  try {
    if (["--help", "-h", "help"].includes(name)) {
      const [about, ...more] = rest.filter((word) => !word.startsWith("-"));
      if (about !== undefined && more.length === 0) return await main([about, "--help"]);
      endWithReader();
      streams.out(describeCommands());
      return 0;
    }
    if (name === "--version") {
      endWithReader();
      const { release, project: own } = (await registry()).readCatalogue();
      streams.out(`typeplane v${release}.0${own?.releases === undefined ? "" : ` (${own.name} ${own.release})`}\n`);
      return 0;
    }
    const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (row === undefined) {
      streams.err(`unknown command "${name}"${didYouMean(name, Object.keys(COMMANDS))}; see typeplane --help\n`);
      return 2;
    }
    const { usage, serves, run } = await row.load();
    if (!serves || asksHelp) endWithReader();
    if (!asksHelp) return await run(rest, context);
    streams.out(typeof usage === "string" ? usage : await usage(context));
    return 0;
  } catch (error) {
    const missing = missingPackage(error);
    if (missing !== undefined) {
      streams.err(`${missing}\n`);
      return 1;
    }
    const isUsage = error instanceof UsageError || USAGE_CODES.includes(codeOf(error));
    const message = error instanceof Error ? error.message : String(error);
    streams.err(`${isUsage || codeOf(error) !== "" ? message : ((error as Error).stack ?? message)}\n`);
    return isUsage ? 2 : 1;
  }
}

function describeCommands(): string {
  const commands = Object.entries(COMMANDS).flatMap(([name, row]) =>
    row?.summary === undefined ? [] : [[`typeplane ${name} ${row.arguments}`.trimEnd(), row.summary] as const],
  );
  const rows = [
    ...commands,
    ["typeplane --version", "print the release that is served"] as const,
    ["typeplane help", "print this text; `typeplane help COMMAND` describes a command and its flags"] as const,
  ];
  const width = Math.max(...rows.map(([command]) => command.length));
  const lines = rows.map(([command, summary]) => `  ${command.padEnd(width)}  ${summary}\n`);
  return `Typeplane serves the Kubernetes API, and kinds of your own, from definitions in TypeScript.\n\n${lines.join("")}`;
}

/** Ends the command silently if the reader of its output closes the pipe, as `head` does. Not used by commands that serve. */
function endWithReader(): void {
  process.stdout.on("error", (error) => {
    if (codeOf(error) !== "EPIPE") throw error;
    process.exit(0);
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
