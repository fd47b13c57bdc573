/** `info` is worth knowing and no problem. */
export type Severity = "error" | "warning" | "info";

export interface Finding {
  readonly severity: Severity;
  /** What is the case, as a sentence. */
  readonly finding: string;
  /** What to do about it, as a sentence. */
  readonly advice: string;
}

/** One thing that `doctor` looks at. It only reads. */
export interface Check<Target> {
  /** `disk-space` */
  readonly name: string;
  /** What it looks at, for people. */
  readonly looksAt: string;
  /** Throws `NotApplicable` if there is nothing to look at, and any other error if it could not look. */
  run(target: Target): Promise<readonly Finding[]> | readonly Finding[];
}

/** A check that makes no sense for the target: over etcd there is no data file. */
export class NotApplicable extends Error {
  readonly code = "NotApplicable";
}

export interface CheckResult {
  readonly name: string;
  readonly looksAt: string;
  readonly status: "ok" | "problems" | "unknown" | "not applicable";
  readonly findings: readonly Finding[];
  /** Why it could not look, or had nothing to look at. */
  readonly reason?: string;
}

/** Runs checks one after the other: they look at one server, and need not be fast. */
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
