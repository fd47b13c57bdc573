import { FLAG_OPTIONS } from "../runtime/cli/read-config.ts";
import { UsageError } from "../runtime/cli/usage-error.ts";
import type { Command, CommandRow } from "./command.ts";

export const COMPLETION_USAGE = `typeplane completion bash|zsh|fish

Prints a script with which the shell completes commands and flags:

  source <(typeplane completion bash)                                        in ~/.bashrc
  source <(typeplane completion zsh)                                         in ~/.zshrc, after compinit
  typeplane completion fish > ~/.config/fish/completions/typeplane.fish
`;

/** A command with its completions. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly string[];
}

const SHELLS: Readonly<Record<string, ((commands: readonly Completed[]) => string) | undefined>> = { bash, zsh, fish };

/** Creates the command `completion` for a table of commands. */
export function createCompletion(table: Readonly<Record<string, CommandRow | undefined>>): Command {
  return {
    usage: COMPLETION_USAGE,
    async run([shell = "", ...more], { streams }) {
      const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
      if (script === undefined || more.length > 0) throw new UsageError("write typeplane completion bash, zsh or fish");
      streams.out(script(await listCommands(table)));
      return 0;
    },
  };
}

async function listCommands(table: Readonly<Record<string, CommandRow | undefined>>): Promise<Completed[]> {
  const rows = Object.entries(table).map(async ([name, row]): Promise<Completed[]> => {
    if (row?.summary === undefined) return [];
    return [{ name, summary: row.summary, flags: flagsOf(name, (await row.load()).usage) }];
  });
  return (await Promise.all(rows)).flat();
}

/** Returns the flags that a usage text describes. `serve`, `dev` and `start` have the flags of the server. */
function flagsOf(name: string, usage: Command["usage"]): string[] {
  const own =
    typeof usage === "string" ? [...usage.matchAll(/--([a-z][a-z0-9-]+)/g)].map(([, flag]) => flag ?? "") : [];
  const server = ["serve", "dev", "start"].includes(name) ? FLAG_OPTIONS.map((flag) => flag.name) : [];
  return [...new Set([...own, ...server, "help"])].filter((flag) => flag.length > 1).sort();
}

function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, flags }) => `    ${name}) words="${flags.map((flag) => `--${flag}`).join(" ")}" ;;`,
  );
  return `_typeplane() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _typeplane typeplane
`;
}

function zsh(commands: readonly Completed[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`);
  const cases = commands.map(
    ({ name, flags }) => `    ${name}) flags=(${flags.map((flag) => `--${flag}`).join(" ")}) ;;`,
  );
  return `#compdef typeplane
_typeplane() {
  local -a commands flags
  commands=(
${described.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then compadd -a flags; else _files; fi
}
compdef _typeplane typeplane
`;
}

function fish(commands: readonly Completed[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return commands
    .flatMap(({ name, summary, flags }) => [
      `complete -c typeplane -f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...flags.map((flag) => `complete -c typeplane -n '__fish_seen_subcommand_from ${name}' -l ${flag}`),
    ])
    .map((line) => `${line}\n`)
    .join("");
}
