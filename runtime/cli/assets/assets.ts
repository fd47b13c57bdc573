import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { CommandStreams } from "../command-streams.ts";
import { parseArguments } from "../parse-arguments.ts";
import { UsageError } from "../usage-error.ts";
import { ETCD_USAGE } from "./etcd-stand-in.ts";
import { kubeApiServerUsage } from "./kube-apiserver.ts";

export const ASSETS_USAGE = `typeplane assets DIR [--etcd FILE] [--kubectl FILE]

Writes the programs kube-apiserver and etcd to DIR, so that test suites which start these programs, such as envtest of
controller-runtime, use this server without changes:

  typeplane assets .assets
  KUBEBUILDER_ASSETS=$PWD/.assets go test ./...

kube-apiserver accepts kube-apiserver's flags. It runs no controllers, writes nothing to the working directory, and stops on
SIGTERM. etcd accepts etcd's flags and responds to its health checks, but stores nothing: the server keeps the objects in memory,
and writes them to etcd's --data-dir when it stops.

      --etcd FILE      Links a real etcd instead; the server then stores the objects in it.
      --kubectl FILE   Links this kubectl. Defaults to the first one in .cache/tools and on the PATH, if there is one.
`;

const OPTIONS = ["etcd", "kubectl"].map((name) => ({ name, isSwitch: false }));
/** The second line of the programs. Only files that contain it are replaced. */
const MARK = "# Written by typeplane assets.";
const EXECUTABLE = 0o755;
/**
 * Flags of Node.js for a shorter start: minimum size of the space for new objects, in MiB. By default V8 starts with one MiB, and a start collects
 * garbage seven times, which frees hardly anything. Older versions of Node.js cannot use their compiled code with this flag.
 */
const FOR_SHORT_START = Number.parseInt(process.versions.node, 10) < 24 ? [] : ["--min-semi-space-size=4"];

/** Resolves with the exit status. */
export async function assetsCommand(args: readonly string[], streams: CommandStreams): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "" || first.startsWith("-")) throw new UsageError("name the directory first: typeplane assets DIR");
  const given = parseArguments(rest, OPTIONS);
  const directory = resolve(first);
  mkdirSync(directory, { recursive: true });
  const etcd = given.get("etcd")?.at(-1);
  const kubectl = given.get("kubectl")?.at(-1);
  place(directory, "kube-apiserver", (path) => writeProgram(path, "kube-apiserver", kubeApiServerUsage()));
  place(directory, "etcd", (path) => {
    if (etcd === undefined) writeProgram(path, "etcd", ETCD_USAGE);
    else symlinkSync(executable("etcd", etcd), path);
  });
  const found = kubectl === undefined ? findKubectl() : executable("kubectl", kubectl);
  if (found === undefined) streams.err("no kubectl found; only suites that call kubectl need one (see --kubectl)\n");
  else if (kubectl !== undefined || !existsSync(join(directory, "kubectl")))
    place(directory, "kubectl", (path) => symlinkSync(found, path));
  streams.out(`export KUBEBUILDER_ASSETS=${quote(directory)}\n`);
  return 0;
}

/** Writes a file. Throws a UsageError for an existing file that was not written by this command. */
function place(directory: string, name: string, write: (path: string) => void): void {
  const path = join(directory, name);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    const ours = found.isSymbolicLink() || (found.isFile() && readFileSync(path, "latin1").includes(`\n${MARK}\n`));
    if (!ours)
      throw new UsageError(`${path} exists and was not written by this command: remove it, or name another directory`);
    rmSync(path);
  }
  write(path);
}

/** Writes a shell script that executes this program. The script prints the help itself, because suites request it before every start. */
function writeProgram(path: string, command: string, help: string): void {
  const launcher = realpathSync(process.argv[1] ?? "");
  const words = [process.execPath, ...FOR_SHORT_START, ...process.execArgv, launcher, command].map(quote).join(" ");
  const script = `#!/bin/sh
${MARK}
case "\${1-}" in --help | -h)
cat << 'END_OF_HELP'
${help}END_OF_HELP
exit 0 ;;
esac
exec ${words} "$@"
`;
  writeFileSync(path, script);
  chmodSync(path, EXECUTABLE);
}

function executable(flag: string, path: string): string {
  if (!isExecutable(path)) throw new UsageError(`--${flag}=${path}: there is no such program`);
  return resolve(path);
}

function findKubectl(): string | undefined {
  return [process.env.TYPEPLANE_TOOLS ?? "", ".cache/tools", ...(process.env.PATH ?? "").split(delimiter)]
    .filter((directory) => directory !== "")
    .map((directory) => resolve(directory, "kubectl"))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
