/**
 * Steps that must finish before the server is ready. Their names are those that Kubernetes probes expect; each is a health check
 * `poststarthook/<name>`.
 */
export const START_UP_STEPS = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "start-cluster-authentication-info-controller",
  "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector",
  "start-legacy-token-tracking-controller",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
  "apiservice-openapi-controller",
  "apiservice-openapiv3-controller",
] as const;

export type StartUpStep = (typeof START_UP_STEPS)[number];

/** The state of each start-up step. */
export class StartUp {
  readonly #states = new Map<StartUpStep, "running" | "finished" | { readonly problem: string }>();

  /** Runs the work of some steps. The steps finish when it does, or fail with its error, which is rethrown. */
  async run<T>(steps: readonly StartUpStep[], work: () => Promise<T>): Promise<T> {
    const set = (state: "running" | "finished" | { readonly problem: string }): void => {
      for (const step of steps) this.#states.set(step, state);
    };
    set("running");
    try {
      const result = await work();
      set("finished");
      return result;
    } catch (error) {
      set({ problem: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  /** Marks all other steps as finished: this server has no work for them, for example because it does not serve their kinds. */
  finishOthers(): void {
    for (const step of START_UP_STEPS) if (!this.#states.has(step)) this.#states.set(step, "finished");
  }

  /** Why a step has not finished; undefined if it has. */
  problemOf(step: StartUpStep): string | undefined {
    const state = this.#states.get(step);
    if (state === "finished") return undefined;
    return typeof state === "object" ? state.problem : "not finished";
  }
}
