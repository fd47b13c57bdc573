import { createNaming } from "../../runtime/contract/naming.ts";
import { defaultFlowControl } from "../../runtime/controllers/bootstrap/flow-control.ts";
import { Fairness } from "../../runtime/fairness/fairness.ts";
import type { AppContext, Next } from "../../runtime/http/pipeline/app-state.ts";
import { Budget } from "../../runtime/http/pipeline/budget.ts";
import { limitInFlight } from "../../runtime/http/pipeline/limit-in-flight.ts";
import { queueRequests } from "../../runtime/http/pipeline/queue-requests.ts";
import { readRequestInfo } from "../../runtime/http/pipeline/request-info.ts";
import { Slots } from "../../runtime/http/pipeline/slots.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import { FlowMetrics } from "../../runtime/metrics/flow-metrics.ts";
import type { Measurement } from "../measurement.ts";

const REQUESTS = 20_000;
const ROUNDS = 7;

type Middleware = (ctx: AppContext, next: Next) => Promise<unknown>;

/** Measures the additional CPU time of a request that does not wait, compared with only limiting requests in flight. */
export async function measureRequestCost(): Promise<Measurement[]> {
  const longRunning = new Budget("longrunning_requests", { perUser: 0, total: 0 });
  const limited = limitInFlight({ reads: new Slots("reads", 400), writes: new Slots("writes", 200), longRunning });
  const monotonic = (): number => performance.now();
  const fairness = new Fairness({
    seats: 600,
    clock: systemClock,
    monotonic,
    nextTurn: setImmediate,
    metrics: new FlowMetrics(monotonic),
    facts: { objectCount: () => 50, streamsLists: true },
  });
  const objects = defaultFlowControl(createNaming({ domain: "k8s.io", vendor: "kubernetes" }), new Date());
  const of = (kind: string) => objects.map(({ object }) => object).filter((object) => object.kind === kind);
  fairness.configure(of("PriorityLevelConfiguration"), of("FlowSchema"));
  const queued = queueRequests({
    fairness,
    longRunning,
    headerPrefix: "X-Kubernetes-PF-",
    requestTimeoutMs: 60_000,
    clock: systemClock,
    monotonic,
  });
  const figures: Measurement[] = [];
  const users = [
    ["a user (the last FlowSchema but one)", { name: "jane", groups: ["dev", "system:authenticated"] }],
    [
      "a service account",
      { name: "system:serviceaccount:shop:till", groups: ["system:serviceaccounts", "system:authenticated"] },
    ],
    ["an administrator (exempt)", { name: "admin", groups: ["system:masters", "system:authenticated"] }],
  ] as const;
  for (const [name, user] of users) {
    const costs: [number, number][] = [];
    for (let round = 0; round < ROUNDS; round++) costs.push([await costOf(queued, user), await costOf(limited, user)]);
    const least = (index: 0 | 1) => Math.min(...costs.map((cost) => cost[index]));
    figures.push({
      name: `a get of ${name}: more CPU time`,
      value: least(0) - least(1),
      unit: "µs",
      bar: { atMost: 10 },
    });
  }
  return figures;
}

/** Returns the CPU time per request. Each request gets its own turn of the event loop, as on a server that is not busy. */
async function costOf(middleware: Middleware, user: AppContext["state"]["user"]): Promise<number> {
  const headers = new Map<string, string>();
  const res = { setHeader: (name: string, value: string) => void headers.set(name, value) };
  const before = process.cpuUsage();
  for (let count = 0; count < REQUESTS; count++) {
    const info = readRequestInfo("GET", "/api/v1/namespaces/shop/pods/till-1");
    const ctx = { res, state: { info, user, started: performance.now(), limitMs: 60_000 } };
    await middleware(ctx as unknown as AppContext, () => Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user: own, system } = process.cpuUsage(before);
  return (own + system) / REQUESTS;
}
