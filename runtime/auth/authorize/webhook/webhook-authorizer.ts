import type { CompiledExpression } from "../../../cel/cel.ts";
import {
  type AccessAttributes,
  type AccessDecision,
  type Authorizer,
  isResourceAccess,
  type RuleResolver,
} from "../../../contract/authorization.ts";
import type { Clock } from "../../../lib/clock.ts";
import { ExpiringCache } from "../../../lib/expiring-cache.ts";
import type { Log } from "../../../lib/log.ts";
import type { AuthorizerMetrics } from "../../../metrics/authorizer-metrics.ts";
import { readFlag, readText, reviewStatus } from "../../webhook/read-review.ts";
import { type WebhookClient, WebhookError } from "../../webhook/webhook-client.ts";
import { matches } from "./match-conditions.ts";
import { type ReviewSpec, reviewOf, reviewSpecOf } from "./review-spec.ts";

const CACHE_CAPACITY = 8192;
/** Maximum size of client-chosen attributes for which a decision is cached: larger ones could fill the memory. */
const MAX_REMEMBERED = 10_000;

export interface WebhookAuthorizerParts {
  readonly name: string;
  readonly client: WebhookClient;
  /** For example `authorization.k8s.io/v1`. */
  readonly reviewVersion: string;
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  /** The decision if the webhook fails. */
  readonly onFailure: "noOpinion" | "deny";
  readonly conditions: readonly CompiledExpression[];
  readonly metrics: AuthorizerMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

interface Answer {
  readonly allowed: boolean;
  readonly denied: boolean;
  readonly reason: string;
}

/** Calls a webhook, unless its conditions do not match or the decision is cached. */
export class WebhookAuthorizer implements Authorizer, RuleResolver {
  readonly #parts: WebhookAuthorizerParts;
  readonly #answers: ExpiringCache<Answer>;

  constructor(parts: WebhookAuthorizerParts) {
    this.#parts = parts;
    this.#answers = new ExpiringCache(CACHE_CAPACITY, parts.clock);
  }

  authorize(asked: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const { conditions, onFailure } = this.#parts;
    const spec = reviewSpecOf(asked);
    if (conditions.length > 0) {
      const matched = this.#match(spec);
      if (matched.error !== undefined) return { decision: onFailure, reason: "", error: matched.error };
      if (!matched.matches) return { decision: "noOpinion", reason: "" };
    }
    const key = JSON.stringify(spec);
    const known = this.#answers.get(key);
    return known !== undefined ? decisionOf(known) : this.#ask(asked, spec, key);
  }

  #match(spec: ReviewSpec): ReturnType<typeof matches> {
    const { name, conditions, metrics } = this.#parts;
    const began = performance.now();
    const matched = matches(conditions, spec);
    metrics.conditionsEvaluated(name, performance.now() - began, {
      failed: matched.failed,
      excluded: !matched.matches && matched.error === undefined,
    });
    return matched;
  }

  /** A webhook cannot list the rules of a user. */
  rulesFor() {
    return { rules: [], incomplete: true, error: "webhook authorizer does not support user rule resolution" };
  }

  async #ask(asked: AccessAttributes, spec: ReviewSpec, key: string): Promise<AccessDecision> {
    const { name, client, reviewVersion, authorizedMs, unauthorizedMs, onFailure, metrics, log } = this.#parts;
    try {
      const answer = await client.post(reviewOf(spec, reviewVersion), (review) =>
        readStatus(reviewStatus(review, "SubjectAccessReview", reviewVersion)),
      );
      if (sizeOf(asked) < MAX_REMEMBERED)
        this.#answers.set(key, answer, answer.allowed ? authorizedMs : unauthorizedMs);
      return decisionOf(answer);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      log("error", `the authorization webhook ${name} failed: ${error.message}`);
      if (onFailure === "noOpinion") metrics.failedOpen(name, error.timedOut ? "timeout" : "error");
      return { decision: onFailure, reason: "", error: error.message };
    }
  }
}

function readStatus(status: Readonly<Record<string, unknown>>): Answer {
  return {
    allowed: readFlag(status, "allowed"),
    denied: readFlag(status, "denied"),
    reason: readText(status, "reason"),
  };
}

function decisionOf({ allowed, denied, reason }: Answer): AccessDecision {
  if (denied && allowed)
    return {
      decision: "deny",
      reason,
      error: "webhook subject access review returned both allow and deny response",
    };
  return { decision: denied ? "deny" : allowed ? "allow" : "noOpinion", reason };
}

/** Returns the size of the attributes that the client chooses: all except the user. */
function sizeOf(asked: AccessAttributes): number {
  if (!isResourceAccess(asked)) return asked.verb.length + asked.path.length;
  const { user: _, ...chosen } = asked;
  return JSON.stringify(chosen).length;
}
