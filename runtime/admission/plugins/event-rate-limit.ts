import { createHash } from "node:crypto";
import type { Event } from "../../../api-definitions/core/v1/event.ts";
import type { Limit } from "../../../api-definitions/eventratelimit/v1alpha1/configuration.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { FieldError } from "../../contract/field-error.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";
import { requiredField, unsupportedField } from "../../values/field-errors.ts";
import { failure } from "../../values/status-errors.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import { CREATE_AND_UPDATE } from "../requests.ts";

/** Default number of buckets per limit. */
const USUAL_BUCKETS = 4096;

/** Limits how many Events are written per second: in total, per namespace, per user, or per source and object. */
export function createEventRateLimit({ settings, now }: PluginEnvironment): AdmissionPlugin {
  const limits = settings?.eventRateLimits ?? [];
  const enforced = limits.map((limit) => new RateLimit(limit, () => now().getTime()));
  return {
    name: "EventRateLimit",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["events"]),
    validate(request) {
      if (request.dryRun || request.kind.kind !== "Event") return;
      const problems = enforced.flatMap((limit) => limit.take(request) ?? []);
      if (problems.length > 0)
        throw failure(429, "TooManyRequests", `Too many requests: ${aggregateMessages(problems)}`);
    },
  };
}

/** One limit, with a token bucket for each key. The least recently used buckets are evicted. */
class RateLimit {
  readonly #limit: Limit;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limit: Limit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Takes a token for the request. Returns an error message if there is none. */
  take(request: AdmissionRequest): string | undefined {
    const { type, qps, burst } = this.#limit;
    const key = boundedKey(KEYS[type](request));
    const at = this.#now();
    const known = this.#buckets.get(key);
    const refilled =
      known === undefined ? burst : Math.min(burst, known.tokens + (Math.max(0, at - known.at) / 1000) * qps);
    const isAllowed = refilled >= 1;
    this.#keep(key, { tokens: isAllowed ? refilled - 1 : refilled, at });
    return isAllowed ? undefined : `limit reached on type ${type} for key ${key}`;
  }

  #keep(key: string, bucket: { tokens: number; at: number }): void {
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined && this.#buckets.size > (this.#limit.cacheSize || USUAL_BUCKETS))
      this.#buckets.delete(oldest);
  }
}

/** Maximum length of a key. Longer ones are replaced by their digest: clients choose the fields of an Event. */
const MAX_KEY = 256;

function boundedKey(key: string): string {
  return key.length <= MAX_KEY ? key : createHash("sha256").update(key).digest("hex");
}

/** Returns the bucket key of a request, by the type of the limit. */
const KEYS: Readonly<Record<Limit["type"], (request: AdmissionRequest) => string>> = {
  Server: () => "",
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source, involvedObject } = object as unknown as Event;
    const { kind, namespace, name, uid, apiVersion } = involvedObject ?? {};
    return [source?.component, source?.host, kind, namespace, name, uid, apiVersion].join("");
  },
};

/** Validates the limits of a configuration. */
export function checkRateLimits(limits: readonly Limit[]): FieldError[] {
  if (limits.length === 0) return [requiredField("limits", "at least one limit is required")];
  const types = Object.keys(KEYS);
  return limits.flatMap(({ type }, index) =>
    types.includes(type) ? [] : [unsupportedField(`limits[${index}].type`, type, types)],
  );
}
