import type { HealthCheck, HealthChecks } from "./health.ts";
import { START_UP_STEPS } from "./start-up-steps.ts";

export interface Health {
  /** Resolves when the store answers. */
  readonly pingStore: () => Promise<unknown>;
  /** Whether everything that happens once at the start has happened. */
  readonly started: () => boolean;
  readonly stopping: () => boolean;
}

/** The checks of the three endpoints; readiness knows more than liveness. */
export function createHealthChecks(health: Health): HealthChecks {
  const ok = (name: string): HealthCheck => ({ name, check: () => undefined });
  const store = (name: string): HealthCheck => ({
    name,
    check: async () => {
      await health.pingStore();
    },
  });
  const steps: HealthCheck[] = [...START_UP_STEPS.map((step) => `poststarthook/${step}`)].map((name) => ({
    name,
    check: () => {
      if (!health.started()) {
        throw new Error("not finished");
      }
    },
  }));
  const common = [ok("ping"), ok("log"), store("etcd")];
  const rest = [...steps, ok("autoregister-completion")];
  return {
    healthz: [...common, ...rest],
    livez: [...common, ...rest],
    readyz: [
      ...common,
      store("etcd-readiness"),
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
