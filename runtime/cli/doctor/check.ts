/** `info` is useful to know, but not a problem. */
export type Severity = "error" | "warning" | "info";

export interface Finding {
  readonly severity: Severity;
  /** The condition found, as a sentence. */
  readonly finding: string;
  /** The recommended action, as a sentence. */
  readonly advice: string;
}

/** A check of `doctor`. It is read-only. */
export interface Check<Target> {
  /** For example `disk-space`. */
  readonly name: string;
  /** What it checks, for people. */
  readonly looksAt: string;
  /** Throws `NotApplicable` if there is nothing to check, and any other error if the check could not run. */
  run(target: Target): Promise<readonly Finding[]> | readonly Finding[];
}

/** A check does not apply to the target: with etcd, for example, there is no data file. */
export class NotApplicable extends Error {
  readonly code = "NotApplicable";
}

export interface CheckResult {
  readonly name: string;
  readonly looksAt: string;
  readonly status: "ok" | "problems" | "unknown" | "not applicable";
  readonly findings: readonly Finding[];
  /** Why the check could not run, or had nothing to check. */
  readonly reason?: string;
}

/** Runs checks sequentially: they all query one server, and need not be fast. */
export async function runChecks<Target>(
  checks: readonly Check<Target>[],
  target: Target,
  onResult: (result: CheckResult) => void,
): Promise<void> {
  for (const check of checks) onResult(await runCheck(check, target));
}

async function runCheck<Target>({ name, looksAt, run }: Check<Target>, target: Target): Promise<CheckResult> {
  try {
    const findings = await run(target);
    const isProblem = findings.some(({ severity }) => severity !== "info");
    return { name, looksAt, status: isProblem ? "problems" : "ok", findings };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      name,
      looksAt,
      status: error instanceof NotApplicable ? "not applicable" : "unknown",
      findings: [],
      reason,
    };
  }
}
