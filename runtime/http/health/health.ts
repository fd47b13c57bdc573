import type { HealthCheck } from "../../contract/health-check.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import { sendPlainText, sendText, textNotFound } from "../respond/plain-text.ts";

/** The checks of each endpoint. */
export interface HealthChecks {
  readonly healthz: readonly HealthCheck[];
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

/** Called with each result when all checks of an endpoint are requested. */
export type OnHealthCheck = (endpoint: string, check: string, passed: boolean) => void;

const ENDPOINTS = ["healthz", "livez", "readyz"] as const;

/** Serves `/livez`, `/readyz`, `/healthz` and their single checks. Returns false for any other path. */
export async function answerHealth(
  ctx: AppContext,
  path: string,
  checks: HealthChecks,
  onCheck: OnHealthCheck,
): Promise<boolean> {
  const endpoint = ENDPOINTS.find((name) => path === `/${name}` || path.startsWith(`/${name}/`));
  if (endpoint === undefined) {
    return false;
  }
  const single = path.slice(endpoint.length + 2);
  if (single === "") {
    await answerAll(ctx, endpoint, checks[endpoint], onCheck);
    return true;
  }
  const check = checks[endpoint].find(({ name }) => name === single);
  if (check === undefined) {
    await textNotFound(ctx);
    return true;
  }
  const problem = await run(check);
  if (problem === undefined) {
    await sendPlainText(ctx, "ok");
  } else {
    await sendText(ctx, 500, `internal server error: ${problem}\n`);
  }
  return true;
}

async function answerAll(
  ctx: AppContext,
  endpoint: string,
  checks: readonly HealthCheck[],
  onCheck: OnHealthCheck,
): Promise<void> {
  const { query } = ctx.state.info;
  const excluded = new Set(query.getAll("exclude").flatMap((names) => names.split(",")));
  const lines: string[] = [];
  let failed = false;
  // Checks run concurrently: a store that does not respond delays the response by a single timeout.
  const problems = await Promise.all(checks.map((check) => (excluded.has(check.name) ? undefined : run(check))));
  for (const [index, check] of checks.entries()) {
    if (excluded.delete(check.name)) {
      lines.push(`[+]${check.name} excluded: ok`);
      continue;
    }
    const problem = problems[index];
    onCheck(endpoint, check.name, problem === undefined);
    failed ||= problem !== undefined;
    lines.push(problem === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`);
  }
  if (excluded.size > 0) {
    const names = [...excluded].map((name) => `"${name}"`).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
  }
  if (failed) {
    await sendText(ctx, 500, `${lines.join("\n")}\n${endpoint} check failed\n`);
  } else if (query.has("verbose")) {
    await sendText(ctx, 200, `${lines.join("\n")}\n${endpoint} check passed\n`);
  } else {
    await sendText(ctx, 200, "ok");
  }
}

async function run(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
