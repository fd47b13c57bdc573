import type { Fairness } from "../../fairness/fairness.ts";
import type { FlowRequest } from "../../fairness/flow-request.ts";
import { RetryAfter } from "../../fairness/retry-after.ts";
import type { Clock } from "../../lib/clock.ts";
import { refusal } from "../respond/refusal.ts";
import { isHttp2 } from "../transport/is-http2.ts";
import type { AppContext, Next } from "./app-state.ts";
import type { Budget } from "./budget.ts";
import { isLongRunning, ownerOf } from "./limit-in-flight.ts";
import type { HeldSlot } from "./slots.ts";
import { isWrite, writeTurns } from "./stagger-writes.ts";
import { Turns } from "./turns.ts";

export interface QueueingContext {
  readonly fairness: Fairness;
  /** Watches, logs and connections. */
  readonly longRunning: Budget;
  /** Prefix of the headers that name the FlowSchema and the priority level: `X-Kubernetes-PF-`. */
  readonly headerPrefix: string;
  /** Maximum duration of a request; 0 means no limit. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock. */
  readonly monotonic: () => number;
}

const LONGEST_WAIT_MS = 60_000;
/** Maximum fraction of its time limit that a request may spend in a queue. */
const WAITING_PART = 1 / 4;
/** Refusals sent in one turn of the event loop: clients that retry at once must not use up the CPU. */
const REFUSALS_A_TURN = 2;

/**
 * Classifies requests and queues them until they get seats. A watch takes seats only while it starts; other long-running requests take
 * none. Throws 429 if the queues for the request are full or it has waited for too long.
 */
export function queueRequests(context: QueueingContext) {
  const { fairness, longRunning } = context;
  const exemptWrites = writeTurns();
  const refusalTurns = new Turns(REFUSALS_A_TURN);
  const retryAfter = new Map<string, RetryAfter>();
  const schemaHeader = `${context.headerPrefix}FlowSchema-UID`;
  const levelHeader = `${context.headerPrefix}PriorityLevel-UID`;

  const refuse = async (ctx: AppContext, level: string): Promise<never> => {
    let retry = retryAfter.get(level);
    if (retry === undefined) {
      retry = new RetryAfter();
      retryAfter.set(level, retry);
    }
    const seconds = retry.refuse(context.clock.now());
    await refusalTurns.enter();
    throw refusal(ctx, seconds);
  };
  const admit = async (ctx: AppContext, next: Next): Promise<void> => {
    const { state, res } = ctx;
    const request = fairness.enter(state.info, state.user);
    const { schema, level } = request;
    res.setHeader(levelHeader, level.config.uid);
    res.setHeader(schemaHeader, schema.uid);
    const slot = new QueuedSlot(ctx, request, context);
    state.slot = slot;
    try {
      if (request.isWaiting) {
        if (!(await slot.turn(request.decided()))) return await refuse(ctx, level.config.name);
      } else if (request.refused !== undefined) {
        return await refuse(ctx, level.config.name);
      } else if (level.config.isExempt && isWrite(state)) {
        await exemptWrites.enter();
      }
      await next();
    } finally {
      slot.end();
      if (request.hasLongBacklog) holdConnection(ctx, request);
    }
  };
  const admitLong = async (ctx: AppContext, next: Next): Promise<void> => {
    const { owner, info } = ctx.state;
    if (longRunning.take(owner, 1) !== undefined) throw refusal(ctx);
    const isWatch = info.isResource && info.verb === "watch";
    const forget = isWatch ? fairness.countWatch(info) : undefined;
    try {
      await (isWatch ? admit(ctx, next) : next());
    } finally {
      forget?.();
      longRunning.giveBack(owner, 1);
    }
  };
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    ctx.state.owner = ownerOf(ctx);
    return isLongRunning(ctx) ? admitLong(ctx, next) : admit(ctx, next);
  };
}

/** After the response, stops reading an HTTP/1.1 connection as long as many requests of its flow are waiting. */
function holdConnection({ req, res }: AppContext, request: FlowRequest): void {
  if (isHttp2(req) || !req.complete || !res.shouldKeepAlive || res.writableFinished) return;
  const { socket } = req;
  res.once("finish", () => {
    if (socket.destroyed || !request.hasLongBacklog) return;
    socket.pause();
    request.holdConnection(() => socket.resume());
  });
}

/** The seats of a request. It stops waiting for them when its time limit requires it or its client disconnects. */
class QueuedSlot implements HeldSlot {
  readonly #ctx: AppContext;
  readonly #request: FlowRequest;
  readonly #context: QueueingContext;

  constructor(ctx: AppContext, request: FlowRequest, context: QueueingContext) {
    this.#ctx = ctx;
    this.#request = request;
    this.#context = context;
  }

  release(): void {
    this.#request.release();
  }

  retake(): boolean | Promise<boolean> {
    const retaken = this.#request.retake();
    return typeof retaken === "boolean" ? retaken : this.turn(retaken);
  }

  resume(): void {
    this.#request.resume();
  }

  end(): void {
    this.#request.end();
  }

  /** Waits for the decision. Resolves with whether the request may proceed. */
  async turn(decided: Promise<boolean>): Promise<boolean> {
    const { res, state } = this.#ctx;
    const { clock, monotonic, requestTimeoutMs } = this.#context;
    const allowed = (state.limitMs || requestTimeoutMs) * WAITING_PART || LONGEST_WAIT_MS;
    const giveUp = (): void => this.#request.giveUp();
    const cancel = clock.after(Math.min(allowed, LONGEST_WAIT_MS) - (monotonic() - state.started), giveUp);
    res.once("close", giveUp);
    try {
      return await decided;
    } finally {
      cancel();
      res.off("close", giveUp);
    }
  }
}
