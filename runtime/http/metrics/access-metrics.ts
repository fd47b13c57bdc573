import type { UserInfo } from "../../contract/user-info.ts";
import { type Metric, NumberMetric } from "./metric.ts";

/** Users whose names are no secret and few. */
const KNOWN_USERS = new Set(["admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default"]);

/** Who was let in, and who was allowed what they wanted, in numbers. */
export class AccessMetrics {
  readonly #attempts = new NumberMetric(
    "counter",
    "authentication_attempts",
    "Requests by whether it is known whose.",
    ["result"],
  );
  readonly #users = new NumberMetric("counter", "authenticated_user_requests", "Requests by user.", ["username"]);
  readonly #decisions = new NumberMetric(
    "counter",
    "authorization_attempts_total",
    "Requests by whether they were allowed.",
    ["result"],
  );

  get families(): readonly Metric[] {
    return [this.#attempts, this.#users, this.#decisions];
  }

  authenticated(user: UserInfo | undefined): void {
    this.#attempts.add(1, user === undefined ? "failure" : "success");
    if (user !== undefined) this.#users.add(1, shownName(user.name));
  }

  authorized(allowed: boolean): void {
    this.#decisions.add(1, allowed ? "allowed" : "denied");
  }
}

/** Strangers must not make labels. */
function shownName(username: string): string {
  if (KNOWN_USERS.has(username)) return username;
  return username.includes("@") ? "email_id" : "other";
}
