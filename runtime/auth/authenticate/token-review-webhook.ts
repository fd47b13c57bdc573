import { type AuthenticationResult, CredentialsError, type TokenAuthenticator } from "../../contract/authentication.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { Log } from "../../lib/log.ts";
import { readFields, readFlag, readText, readTexts, reviewStatus } from "../webhook/read-review.ts";
import { type WebhookClient, WebhookError } from "../webhook/webhook-client.ts";
import { withSource } from "./join-refusals.ts";
import { commonAudiences } from "./server-audiences.ts";

export interface TokenReviewWebhookParts {
  readonly client: WebhookClient;
  /** For example `authentication.k8s.io/v1`. */
  readonly reviewVersion: string;
  /** Audiences of this server, used if the webhook returns none. */
  readonly serverAudiences: readonly string[];
  readonly log: Log;
}

interface ReviewStatus {
  readonly authenticated: boolean;
  readonly audiences: readonly string[];
  readonly error: string;
  readonly user: UserInfo;
}

/** Authenticates tokens through a webhook. Calls it each time: to be used behind a cache. */
export class TokenReviewWebhook implements TokenAuthenticator {
  readonly #parts: TokenReviewWebhookParts;

  constructor(parts: TokenReviewWebhookParts) {
    this.#parts = parts;
  }

  authenticateToken(token: string, wanted: readonly string[]): Promise<AuthenticationResult | undefined> {
    return withSource("token webhook", () => this.#authenticate(token, wanted));
  }

  async #authenticate(token: string, wanted: readonly string[]): Promise<AuthenticationResult | undefined> {
    const { serverAudiences } = this.#parts;
    const target = wanted.length === 0 ? serverAudiences : wanted;
    const status = await this.#review({ token, audiences: target });
    const given = status.audiences.length > 0 ? status.audiences : serverAudiences;
    const audiences = commonAudiences(target, given);
    if (audiences.length === 0) return undefined;
    if (status.authenticated) return { user: status.user, audiences };
    if (status.error !== "") throw new CredentialsError(status.error);
    return undefined;
  }

  async #review(spec: object): Promise<ReviewStatus> {
    const { client, reviewVersion, log } = this.#parts;
    const metadata = { creationTimestamp: null };
    try {
      const review = { kind: "TokenReview", apiVersion: reviewVersion, metadata, spec, status: { user: {} } };
      return await client.post(review, (answer) => readStatus(reviewStatus(answer, "TokenReview", reviewVersion)));
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      log("error", `the authentication webhook failed: ${error.message}`);
      throw new CredentialsError(error.message);
    }
  }
}

function readStatus(status: Readonly<Record<string, unknown>>): ReviewStatus {
  const user = readFields(status, "user");
  const [uid, extra] = [readText(user, "uid"), readFields(user, "extra")];
  const keys = Object.keys(extra);
  return {
    authenticated: readFlag(status, "authenticated"),
    audiences: readTexts(status, "audiences"),
    error: readText(status, "error"),
    user: {
      name: readText(user, "username"),
      groups: readTexts(user, "groups"),
      ...(uid !== "" && { uid }),
      ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, readTexts(extra, key)])) }),
    },
  };
}
