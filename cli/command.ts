import type { CommandStreams } from "../runtime/cli/command-streams.ts";
import type { ApiRegistry } from "../runtime/contract/api-registry.ts";

/** What a command receives besides its arguments. */
export interface CommandContext {
  readonly streams: CommandStreams;
  /** Folder of the project in which the command runs; undefined outside of one. */
  readonly project: string | undefined;
  /** Loads the kinds that commands work with: those of Kubernetes and of the project. */
  registry(): Promise<ApiRegistry>;
}

export interface Command {
  /** Output of `typeplane <command> --help`. */
  readonly usage: string | ((context: CommandContext) => Promise<string>);
  /** Runs until it receives a signal, even if the reader of its output closes the pipe. */
  readonly serves?: true;
  /** Resolves with the exit status. Throws a UsageError for a wrong command line. */
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** A row of the table of commands. */
export interface CommandRow {
  /** Arguments in the list of commands: `[flags]`, `GROUP/VERSION KIND`. */
  readonly arguments: string;
  /** One line of `typeplane --help`; absent for a command that users do not run. */
  readonly summary?: string;
  /** Loads the command when it is used. */
  readonly load: () => Promise<Command>;
}
