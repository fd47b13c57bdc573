import type { RequestInfo } from "../../runtime/contract/request-info.ts";
import type { UserInfo } from "../../runtime/contract/user-info.ts";
import type { FlowSchemaObject, PriorityLevelObject } from "../../runtime/fairness/configuration.ts";
import { Fairness } from "../../runtime/fairness/fairness.ts";
import type { FlowRequest } from "../../runtime/fairness/flow-request.ts";
import { readRequestInfo } from "../../runtime/http/pipeline/request-info.ts";
import { FlowMetrics } from "../../runtime/metrics/flow-metrics.ts";

/** Duration of a turn of the event loop, in milliseconds. */
const TURN_MS = 0.01;

/** Runs fairness with a manual clock. Turns and timers run in order of time. */
export function simulateServer(options: { readonly seats?: number; readonly objects?: number } = {}) {
  let now = 0;
  let order = 0;
  const events: { at: number; order: number; run: () => void }[] = [];
  const at = (delayMs: number, run: () => void): (() => void) => {
    const event = { at: now + delayMs, order: order++, run };
    events.push(event);
    return () => {
      const index = events.indexOf(event);
      if (index >= 0) events.splice(index, 1);
    };
  };
  const metrics = new FlowMetrics(() => now);
  const fairness = new Fairness({
    seats: options.seats ?? 600,
    clock: { now: () => now, after: at },
    monotonic: () => now,
    nextTurn: (turn) => void at(TURN_MS, turn),
    metrics,
    facts: { objectCount: () => options.objects, streamsLists: true },
  });
  /** Advances the clock. */
  const pass = (milliseconds: number): void => {
    const end = now + milliseconds;
    for (;;) {
      events.sort((a, b) => a.at - b.at || a.order - b.order);
      const [next] = events;
      if (next === undefined || next.at > end) break;
      events.shift();
      now = Math.max(now, next.at);
      next.run();
    }
    now = end;
  };
  /** A client that sends a request as soon as the previous one is done. `served` is their number. */
  const client = (user: UserInfo, durationMs: number, info = get("/api/v1/namespaces/default/pods/p")) => {
    const state = { served: 0, refused: 0, stopped: false, waits: [] as number[] };
    const send = (): void => {
      if (state.stopped) return;
      const sent = now;
      const request = fairness.enter(info, user);
      const begin = (): void => {
        state.waits.push(now - sent);
        at(durationMs, () => {
          request.end();
          state.served += 1;
          send();
        });
      };
      if (request.refused !== undefined) {
        state.refused += 1;
        at(1, send);
      } else if (request.isWaiting) {
        // Decisions are promises, but the simulation must know them immediately.
        const tell = request.tell.bind(request);
        request.tell = (isStarted) => {
          tell(isStarted);
          if (isStarted) begin();
          else state.refused += 1;
        };
      } else {
        begin();
      }
    };
    send();
    return state;
  };
  return { fairness, metrics, pass, client, at, now: () => now };
}

/** Compares the seats, executing requests and waiting requests that the levels count with those of the requests. Returns the differences. */
export function auditSeats(fairness: Fairness): string[] {
  return fairness.levels.flatMap((level) => {
    const problems: string[] = [];
    const say = (problem: string) => problems.push(`${level.config.name}: ${problem}`);
    const waiting = level.queues.reduce((sum, queue) => sum + queue.waiting.length, 0);
    if (level.seatsInUse < 0 || level.executing < 0 || level.seatsWaiting < 0) say("negative");
    if (waiting !== level.waiting) say(`${waiting} wait in queues, ${level.waiting} are counted`);
    if (level.executingRequests.size !== level.executing) say("executing requests are not counted");
    if (!level.config.isExempt && level.seatsInUse > Math.max(level.limits.upper, 10))
      say("more seats than it may borrow");
    return problems;
  });
}

export function get(uri: string, method = "GET"): RequestInfo {
  const info = readRequestInfo(method, uri);
  if (info === undefined) throw new Error(`not a request: ${uri}`);
  return info;
}

export function user(name: string, ...groups: string[]): UserInfo {
  return { name, groups: ["system:authenticated", ...groups] };
}

export interface LevelOptions {
  readonly shares?: number;
  readonly lendable?: number;
  readonly borrowing?: number;
  readonly queues?: number;
  readonly hand?: number;
  readonly length?: number;
}

export function level(name: string, options: LevelOptions = {}): PriorityLevelObject {
  const { shares = 30, lendable = 0, borrowing, queues = 64, hand = 6, length = 50 } = options;
  return {
    metadata: { name, uid: `${name}-level` },
    spec: {
      type: "Limited",
      limited: {
        nominalConcurrencyShares: shares,
        lendablePercent: lendable,
        ...(borrowing !== undefined && { borrowingLimitPercent: borrowing }),
        limitResponse:
          queues === 0
            ? { type: "Reject" }
            : { type: "Queue", queuing: { queues, handSize: hand, queueLengthLimit: length } },
      },
    },
  };
}

/** Returns a FlowSchema for the requests of some users, or of all. */
export function schema(
  name: string,
  levelName: string,
  precedence: number,
  users: readonly string[] = ["*"],
): FlowSchemaObject {
  return {
    metadata: { name, uid: `${name}-schema` },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: "ByUser" },
      rules: [
        {
          subjects: users.map((each) => ({ kind: "User", user: { name: each } })),
          resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
          nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        },
      ],
    },
  };
}

export function outcome(request: FlowRequest): string {
  return request.refused ?? request.phase;
}
