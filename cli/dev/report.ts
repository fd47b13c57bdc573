import type { SessionRun } from "../../generator/generation-session.ts";
import type { Redefinition } from "../../runtime/server/redefine-kinds.ts";
import { renderWithFrame } from "./code-frame.ts";

/** Maximum number of invalid objects that are listed. */
const SHOWN = 10;

/** Reports to the developer what a change did. */
export class DevReport {
  readonly #out: (text: string) => void;
  #hadErrors = false;
  /** Whether definitions without errors are served. */
  #isServing = false;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  /** Prints the diagnostics of a run. Reports that there are no errors only if the previous run had some. */
  show({ diagnostics, errors, text }: SessionRun): void {
    for (const diagnostic of diagnostics) this.#out(`\n${renderWithFrame(diagnostic, text(diagnostic.at.file))}\n`);
    if (errors > 0) {
      const count = `${errors} ${errors === 1 ? "error" : "errors"}`;
      const rest = this.#isServing
        ? "the definitions from before are still served"
        : "the server starts when there are no errors";
      this.#out(`\n${count}; ${rest}\n`);
    } else if (this.#hadErrors) this.#out("0 errors\n");
    this.#hadErrors = errors > 0;
  }

  served({ changed, removed, broken }: Redefinition, milliseconds: number): void {
    const took = `(${Math.round(milliseconds)} ms)`;
    if (changed.length > 0) this.#out(`now served: ${list(changed)} ${took}\n`);
    if (removed.length > 0) this.#out(`not served any more: ${list(removed)} ${took}\n`);
    if (changed.length + removed.length === 0) this.#out(`no served kind changed ${took}\n`);
    if (broken.length === 0) return;
    this.#out(
      `${broken.length} stored ${broken.length === 1 ? "object does" : "objects do"} not fit the new definitions:\n`,
    );
    for (const object of broken.slice(0, SHOWN)) this.#out(`  ${describeBroken(object)}\n`);
    if (broken.length > SHOWN) this.#out(`  and ${broken.length - SHOWN} more\n`);
  }

  failed(error: unknown): void {
    this.#out(`the change cannot be served: ${error instanceof Error ? error.message : String(error)}\n`);
  }

  started(): void {
    this.#isServing = true;
    this.say("watching api-definitions/ for changes");
  }

  say(sentence: string): void {
    this.#out(`${sentence}\n`);
  }
}

function describeBroken({ kind, namespace, name, problems }: Redefinition["broken"][number]): string {
  return `${kind} ${namespace === "" ? name : `${namespace}/${name}`}: ${problems.join("; ")}`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
