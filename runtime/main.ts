import { describeFlags, parseFlags, UsageError } from "./command/parse-flags.ts";

const USAGE = `Typeplane serves the API that its definitions declare.

  typeplane serve [flags]    start a server
  typeplane --version        print the release it serves
  typeplane --help           print this

Flags of serve:
${describeFlags()}
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const [command = "--help", ...rest] = args;
  if (command === "--help" || command === "-h" || rest.includes("--help")) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command === "--version") {
    const { readCatalogue } = await import("../generated/registry.ts");
    process.stdout.write(`typeplane v${readCatalogue().release}.0\n`);
    return 0;
  }
  if (command !== "serve") {
    process.stderr.write(`unknown command "${command}"; see typeplane --help\n`);
    return 2;
  }
  try {
    const { readConfig } = await import("./command/read-config.ts");
    const config = readConfig(parseFlags(rest));
    const [{ serve }, { createLog }] = await Promise.all([import("./command/serve.ts"), import("./lib/log.ts")]);
    await serve(
      config,
      createLog(process.stderr, () => new Date()),
      (text) => void process.stdout.write(text),
    );
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError || ["BadReleaseOption", "authorization-mode"].includes(codeOf(error));
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${isUsage || codeOf(error) !== "" ? message : ((error as Error).stack ?? message)}\n`);
    return isUsage ? 2 : 1;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
