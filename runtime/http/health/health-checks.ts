import type { HealthCheck } from "../../contract/health-check.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import type { HealthChecks } from "./health.ts";
import { START_UP_STEPS, type StartUp, type StartUpStep } from "./start-up-steps.ts";

/** The step whose result the check `autoregister-completion` reports. */
const REGISTERED: StartUpStep = "kube-apiserver-autoregistration";

export interface Health {
  /** Resolves when the store responds. */
  readonly pingStore: () => Promise<unknown>;
  readonly startUp: Pick<StartUp, "problemOf">;
  readonly stopping: () => boolean;
  /** How long /livez ignores start-up steps that have not finished. */
  readonly livezGraceMs: number;
  readonly uptimeMs: () => number;
  /** For tests. */
  readonly clock?: Clock;
  /** Checks of the KMS plugins. Not part of /livez. */
  readonly encryption?: readonly HealthCheck[];
}

/** Timeout of a store check: a store may be reachable but frozen. kube-apiserver: `--etcd-healthcheck-timeout`. */
const STORE_TIMEOUT_MS = 2000;

async function within(milliseconds: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  let cancel = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(milliseconds, () => reject(new Error("context deadline exceeded")));
  });
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** The checks of the three endpoints. /readyz has more checks than /livez. */
export function createHealthChecks(health: Health): HealthChecks {
  const { encryption = [] } = health;
  const ok = (name: string): HealthCheck => ({ name, check: () => undefined });
  const store = (name: string): HealthCheck => ({
    name,
    check: () => within(STORE_TIMEOUT_MS, health.pingStore(), health.clock ?? systemClock),
  });
  const startUp = (patience: () => boolean): HealthCheck[] =>
    START_UP_STEPS.flatMap((step) => {
      const check = (): void => {
        const problem = health.startUp.problemOf(step);
        if (problem !== undefined && !patience()) throw new Error(problem);
      };
      const hook = { name: `poststarthook/${step}`, check };
      return step === REGISTERED ? [hook, { name: "autoregister-completion", check }] : [hook];
    });
  const common = [ok("ping"), ok("log"), store("etcd")];
  const rest = startUp(() => false);
  const alive = startUp(() => health.uptimeMs() < health.livezGraceMs);
  return {
    healthz: [...common, ...encryption, ...rest],
    livez: [...common, ...alive],
    readyz: [
      ...common,
      store("etcd-readiness"),
      ...encryption,
      ok("informer-sync"),
      ...rest,
      {
        name: "shutdown",
        check: () => {
          if (health.stopping()) {
            throw new Error("process is shutting down");
          }
        },
      },
    ],
  };
}
