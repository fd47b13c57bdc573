import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ObjectFeed } from "../../contract/object-access.ts";
import { internalError } from "../../contract/status.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { PolicyRequest, type PolicyRequestParts } from "../policies/policy-request.ts";
import { type CallParts, callWebhook, WebhookCallError } from "./call-webhook.ts";
import { isAdmissionConfiguration, matchWebhook } from "./match-webhook.ts";
import { noteAnswer } from "./note-answer.ts";
import { type RegisteredWebhook, WebhookIndex } from "./webhook-index.ts";
import { webhookRefusal } from "./webhook-refusal.ts";

export type WebhookParts = PolicyRequestParts & CallParts;

/** Asks all webhooks concerned at the same time; the first of them that refuses decides. */
export class ValidatingWebhooks {
  readonly #parts: WebhookParts;
  readonly #index: WebhookIndex;
  readonly plugin: AdmissionPlugin = {
    name: "ValidatingAdmissionWebhook",
    operations: new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]),
    validate: (request) => this.#validate(request),
  };

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const group = parts.naming.group("admissionregistration");
    this.#index = new WebhookIndex({ group, resource: "validatingwebhookconfigurations" });
  }

  /** Learns the webhooks; resolves when it has. */
  follow(feed: ObjectFeed): Promise<() => void> {
    return this.#index.follow(feed);
  }

  async #validate(request: AdmissionRequest): Promise<void> {
    const { webhooks } = this.#index;
    if (webhooks.length === 0 || isAdmissionConfiguration(request, this.#parts.naming)) return;
    const seen = new PolicyRequest(request, this.#parts);
    const concerned: { hook: RegisteredWebhook; version: MatchedVersion }[] = [];
    for (const hook of webhooks) {
      const version = await matchWebhook(hook, request, seen, this.#parts);
      if (version !== undefined) concerned.push({ hook, version });
    }
    const problems = await Promise.all(
      concerned.map(({ hook, version }, index) => this.#ask(hook, version, index, request, seen)),
    );
    const first = problems.find((problem) => problem !== undefined);
    if (first !== undefined) throw first;
  }

  /** What a webhook refuses the request with; undefined if it does not, or its failure does not count. */
  async #ask(
    { webhook }: RegisteredWebhook,
    version: MatchedVersion,
    index: number,
    request: AdmissionRequest,
    seen: PolicyRequest,
  ): Promise<Error | undefined> {
    try {
      const response = await callWebhook(webhook, request, await seen.seenIn(version), false, this.#parts);
      noteAnswer(webhook.name, response, request);
      return response.allowed ? undefined : webhookRefusal(webhook.name, response.result);
    } catch (error) {
      if (!(error instanceof WebhookCallError)) return error as Error;
      if (webhook.failurePolicy !== "Ignore") return internalError(error.message);
      const key = `failed-open.validating.webhook.admission.${this.#parts.naming.domain}/round_0_index_${index}`;
      request.annotate(key, webhook.name);
      return undefined;
    }
  }
}
