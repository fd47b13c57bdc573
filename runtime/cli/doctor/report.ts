import { counted } from "../counted.ts";
import type { CheckResult, Severity } from "./check.ts";

export interface Report {
  /** URL of the server, or the data directory. */
  readonly target: string;
  readonly results: readonly CheckResult[];
}

const INDENT = " ".repeat(9);

/** Formats the result of a check: one line if it found nothing, two lines per finding. */
export function describeResult({ name, status, findings, reason }: CheckResult): string {
  if (status === "unknown") return line("unknown", `${name}: could not look: ${reason}`);
  if (status === "not applicable") return line("-", `${name}: ${reason}`);
  if (findings.length === 0) return line("ok", name);
  return findings
    .map(({ severity, finding, advice }) => `${line(severity, `${name}: ${finding}`)}${INDENT}${advice}\n`)
    .join("");
}

function line(mark: string, text: string): string {
  return `${mark.padEnd(INDENT.length)}${text}\n`;
}

export function describeSummary({ target, results }: Report): string {
  const count = (severity: Severity): number =>
    results.flatMap(({ findings }) => findings).filter((finding) => finding.severity === severity).length;
  const unknown = results.filter(({ status }) => status === "unknown").length;
  const left = unknown === 0 ? "" : `, ${counted(unknown, "check")} could not look`;
  const made = results.length - unknown;
  const found = `${counted(count("error"), "error")}, ${counted(count("warning"), "warning")}`;
  return `${target}: ${counted(made, "check")}: ${found}${left}\n`;
}

/** Returns 0 if there are no problems, 1 if there are, and 2 if there are none but some checks could not run. */
export function exitStatusOf({ results }: Report): number {
  if (results.some(({ status }) => status === "problems")) return 1;
  return results.some(({ status }) => status === "unknown") ? 2 : 0;
}
