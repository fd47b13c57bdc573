import type { RequestQuery } from "../contract/request-info.ts";
import type { Answer } from "../handlers/answer.ts";
import type { ApiRequest } from "../handlers/api-request.ts";
import type { FindHandler, Handler } from "../handlers/handler.ts";
import { booleanParameter } from "../handlers/query-options.ts";
import { toStatusError } from "../handlers/translate-errors.ts";
import type { AppContext, Next } from "../http/pipeline/app-state.ts";
import { changeQuery } from "../http/pipeline/query.ts";
import { refusal } from "../http/respond/refusal.ts";
import { registryKey } from "../kinds/registry-key.ts";
import type { Clock } from "../lib/clock.ts";
import { CasFailedError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { ExpiredError } from "../watch/errors.ts";
import { Dice } from "./dice.ts";
import type { Disturbance, DisturbSettings } from "./disturb-settings.ts";
import { DisturbedWatch, type WatchPlan } from "./disturbed-watch.ts";
import { PastRevisions } from "./past-revisions.ts";

/** Response header that contains the seed and the disturbances of the response. */
const HEADER = "Typeplane-Disturbed";
const MAX_SLOW_MS = 400;
const MAX_LATE_MS = 500;
const MAX_EVENTS = 8;
const MAX_OPEN_MS = 3000;
/** Upper limit of staleness; at most half of the time for which the server keeps history. */
const MAX_STALE_MS = 60_000;
/** Maximum number of verb and path combinations that are counted separately. Beyond it, counting restarts. */
const MAX_COUNTED = 100_000;

export interface DisturberParts {
  readonly settings: DisturbSettings;
  readonly store: Store;
  /** Milliseconds for which past revisions can be read. */
  readonly historyMs: number;
  readonly clock: Clock;
  /** Closes all connections and reloads all caches. */
  readonly restart: () => void;
}

/** The decisions about one request. */
interface RequestPlan {
  /** Whether a disturbance happens to the request. If so, adds it to the header of the response. */
  readonly happens: (disturbance: Disturbance) => boolean;
  /** Returns a number from 0 to below 1, always the same for the same words. */
  readonly roll: (...words: readonly (string | number)[]) => number;
  readonly delayAfterMs: number;
}

/** Disturbs requests and watches within the limits of the API; README.md contains the rules. */
export class Disturber {
  readonly #parts: DisturberParts;
  readonly #dice: Dice;
  readonly #past: PastRevisions;
  readonly #counts = new Map<string, number>();
  /** By query: this object is the same for the whole request. */
  readonly #plans = new WeakMap<RequestQuery, RequestPlan>();
  #requests = 0;

  constructor(parts: DisturberParts) {
    this.#parts = parts;
    this.#dice = new Dice(parts.settings.seed);
    this.#past = new PastRevisions(Math.min(MAX_STALE_MS, parts.historyMs / 2), () => parts.clock.now());
  }

  /** Runs after authorization: requests that would be rejected anyway are not disturbed. */
  readonly middleware = async (ctx: AppContext, next: Next): Promise<void> => {
    const { info } = ctx.state;
    if (!info.isResource) {
      await next();
      return;
    }
    const { settings, store, restart } = this.#parts;
    this.#past.note(await store.currentRevision());
    if (this.#dice.roll("restart", this.#requests++) < settings.rates.restart) {
      restart();
      return;
    }
    const plan = this.#plan(ctx, `${info.verb} ${info.path}`);
    if (plan.happens("refuse")) throw refusal(ctx);
    this.#plans.set(info.query, plan);
    if (plan.delayAfterMs === 0 && plan.happens("slow")) await this.#delay(plan.roll("slow by") * MAX_SLOW_MS);
    await next();
  };

  /** Wraps handlers to disturb them. Kinds without stored objects are not disturbed. */
  handlers(find: FindHandler): FindHandler {
    return (route) => {
      const handler = find(route);
      if (handler === undefined || route.entry.descriptor.virtual) return handler;
      return async (request) => {
        const plan = this.#plans.get(request.info.query);
        if (plan === undefined) return handler(request);
        const answer = await this.#handle(handler, route.verb, request, plan);
        if (plan.delayAfterMs > 0) await this.#delay(plan.delayAfterMs);
        return answer;
      };
    };
  }

  #plan(ctx: AppContext, signature: string): RequestPlan {
    const { seed, rates } = this.#parts.settings;
    if (this.#counts.size > MAX_COUNTED) this.#counts.clear();
    const count = this.#counts.get(signature) ?? 0;
    this.#counts.set(signature, count + 1);
    const noted = [`seed=${seed}`];
    const roll = (...words: readonly (string | number)[]): number => this.#dice.roll(signature, count, ...words);
    const happens = (disturbance: Disturbance): boolean => {
      if (roll(disturbance) >= rates[disturbance]) return false;
      noted.push(disturbance);
      ctx.set(HEADER, noted.join(", "));
      return true;
    };
    const isAfter = roll("slow after") < 0.5 && happens("slow");
    return { happens, roll, delayAfterMs: isAfter ? 1 + roll("slow by") * MAX_SLOW_MS : 0 };
  }

  async #handle(handler: Handler, verb: string, request: ApiRequest, plan: RequestPlan): Promise<Answer> {
    switch (verb) {
      case "list":
        return this.#list(handler, request, plan);
      case "watch":
        return this.#watch(handler, request, plan);
      case "update":
      case "patch":
        if (!request.query.has("dryRun") && plan.happens("conflict")) await this.#touch(request);
        return handler(request);
      default:
        return handler(request);
    }
  }

  async #list(handler: Handler, request: ApiRequest, plan: RequestPlan): Promise<Answer> {
    const { query } = request;
    const token = query.get("continue") ?? "";
    const version = query.get("resourceVersion") ?? "";
    const isExact = query.get("resourceVersionMatch") === "Exact";
    if (token !== "") {
      const later = laterToken(token);
      if (later !== undefined && plan.happens("expire")) throw ExpiredError.continuation(later, undefined);
    } else if (isExact) {
      if (plan.happens("expire")) throw ExpiredError.list(undefined);
    } else if (version === "0") {
      const revision = this.#past.at(plan.roll("stale by"));
      if (revision !== undefined && plan.happens("stale")) return staleList(handler, request, revision);
    }
    return handler(request);
  }

  async #watch(handler: Handler, request: ApiRequest, plan: RequestPlan): Promise<Answer> {
    const { query } = request;
    const version = query.get("resourceVersion") ?? "";
    const ordered = version !== "" && version !== "0" && !query.has("sendInitialEvents");
    if (ordered && /^\d+$/.test(version) && plan.happens("expire")) {
      const oldest = (await this.#parts.store.currentRevision()) + 1;
      const watch = toStatusError(ExpiredError.watch(Number(version), oldest));
      return { type: "watch", watch, resource: request.resource };
    }
    const answer = await handler(request);
    if (answer.type !== "watch" || answer.watch instanceof Error) return answer;
    const watchPlan = planWatch(plan, ordered, booleanParameter(query, "allowWatchBookmarks") === true);
    return { ...answer, watch: new DisturbedWatch(answer.watch, watchPlan, this.#parts.clock) };
  }

  /** Stores the same bytes again, so that only the resourceVersion of the object changes. */
  async #touch({ info, resource }: ApiRequest): Promise<void> {
    const { prefix, ttlSeconds } = resource.stored;
    if (!info.named || ttlSeconds !== undefined) return;
    const key = registryKey(prefix, info.namespace, info.name);
    const entry = await this.#parts.store.get(key);
    if (entry === undefined) return;
    try {
      await this.#parts.store.put(key, entry.value, { expected: entry.modRevision });
    } catch (error) {
      // Another writer was faster: the conflict already exists.
      if (!(error instanceof CasFailedError)) throw error;
    }
  }

  #delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.clock.after(milliseconds, resolve));
  }
}

function planWatch(plan: RequestPlan, ordered: boolean, allowsBookmarks: boolean): WatchPlan {
  return {
    ordered,
    ...(plan.happens("late") && {
      delayMs: (nth: number) => (plan.roll("late", nth) < 0.5 ? plan.roll("late by", nth) * MAX_LATE_MS : 0),
    }),
    ...(plan.happens("close") && {
      end: {
        events: 1 + Math.floor(plan.roll("close after") * MAX_EVENTS),
        afterMs: plan.roll("close at") * MAX_OPEN_MS,
      },
    }),
    ...(allowsBookmarks &&
      plan.happens("bookmarks") && { bookmarks: plan.roll("which bookmarks") < 0.5 ? "none" : "all" }),
  };
}

/** Returns the list at a revision; the current list if the revision is compacted. */
async function staleList(handler: Handler, request: ApiRequest, revision: number): Promise<Answer> {
  const changes = new Map([
    ["resourceVersion", [String(revision)]],
    ["resourceVersionMatch", ["Exact"]],
    // Lists with resourceVersion=0 are not paged.
    ["limit", []],
  ]);
  try {
    return await handler({ ...request, query: changeQuery(request.query, changes) });
  } catch (error) {
    if (error instanceof ExpiredError) return handler(request);
    throw error;
  }
}

/** Converts a continue token to one at the same position in the newest state, as a 410 response offers; undefined for an invalid token. */
function laterToken(token: string): string | undefined {
  try {
    const { v, start } = JSON.parse(Buffer.from(token, "base64url").toString()) as { v?: unknown; start?: unknown };
    if (typeof v !== "string" || typeof start !== "string") return undefined;
    return Buffer.from(JSON.stringify({ v, rv: -1, start })).toString("base64url");
  } catch {
    return undefined;
  }
}
