import type { HealthCheck } from "../../contract/health-check.ts";
import type { HealthChecks } from "./health.ts";
import { START_UP_STEPS } from "./start-up-steps.ts";

/** The step that another check comes right after. */
const REGISTERED = "kube-apiserver-autoregistration";

export interface Health {
  /** Resolves when the store answers. */
  readonly pingStore: () => Promise<unknown>;
  /** Whether everything that happens once at the start has happened. */
  readonly started: () => boolean;
  readonly stopping: () => boolean;
  /** How long liveness takes it that the start will come to its end. */
  readonly livezGraceMs: number;
  readonly uptimeMs: () => number;
  /** Whether those who keep the keys of stored values are there; none of liveness' business. */
  readonly encryption?: readonly HealthCheck[];
}

/** The checks of the three endpoints; readiness knows more than liveness. */
export function createHealthChecks(health: Health): HealthChecks {
  const { encryption = [] } = health;
  const ok = (name: string): HealthCheck => ({ name, check: () => undefined });
  const store = (name: string): HealthCheck => ({
    name,
    check: async () => {
      await health.pingStore();
    },
  });
  const startUp = (patience: () => boolean): HealthCheck[] =>
    START_UP_STEPS.flatMap((step) => [
      {
        name: `poststarthook/${step}`,
        check: () => {
          if (!health.started() && !patience()) {
            throw new Error("not finished");
          }
        },
      },
      ...(step === REGISTERED ? [ok("autoregister-completion")] : []),
    ]);
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
