import type { UserInfo } from "../contract/user-info.ts";
import { Histogram, type Metric, NumberMetric } from "./metric.ts";

/** Well-known user names, which may be used as labels. */
const KNOWN_USERS = new Set(["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"]);

/** From a millisecond to 16 seconds. */
const BOUNDS = Array.from({ length: 15 }, (_, power) => 0.001 * 2 ** power);

/** Metrics of authentication and authorization. */
export class AccessMetrics {
  readonly #attempts = new NumberMetric(
    "counter",
    "authentication_attempts",
    "Number of authentication attempts, by result.",
    ["result"],
  );
  readonly #users = new NumberMetric(
    "counter",
    "authenticated_user_requests",
    "Number of authenticated requests, by user name.",
    ["username"],
  );
  readonly #decisions = new NumberMetric(
    "counter",
    "authorization_attempts_total",
    "Number of authorization attempts, by result.",
    ["result"],
  );

  readonly #loginTimes = new Histogram(
    "authentication_duration_seconds",
    "Duration of authentication, in seconds, by result.",
    ["result"],
    BOUNDS,
  );
  readonly #decisionTimes = new Histogram(
    "authorization_duration_seconds",
    "Duration of authorization, in seconds, by result.",
    ["result"],
    BOUNDS,
  );

  get families(): readonly Metric[] {
    return [this.#attempts, this.#loginTimes, this.#users, this.#decisions, this.#decisionTimes];
  }

  authenticated(user: UserInfo | undefined, milliseconds: number): void {
    const result = user === undefined ? "failure" : "success";
    this.#attempts.add(1, result);
    this.#loginTimes.observe(milliseconds / 1000, result);
    if (user !== undefined) this.#users.add(1, shownName(user.name));
  }

  authorized(allowed: boolean, milliseconds: number): void {
    const result = allowed ? "allowed" : "denied";
    this.#decisions.add(1, result);
    this.#decisionTimes.observe(milliseconds / 1000, result);
  }
}

/** Returns a label for a user name. Clients must not be able to create arbitrary labels. */
function shownName(username: string): string {
  if (KNOWN_USERS.has(username)) return username;
  return username.includes("@") ? "email_id" : "other";
}
