import type { AdmissionRequest } from "../../contract/admission.ts";
import { internalError } from "../../values/status-errors.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { PolicyRequest, type PolicyRequestParts } from "../policies/policy-request.ts";
import { type CallParts, callWebhook, WebhookCallError } from "./call-webhook.ts";
import { isAdmissionConfiguration, matchWebhook } from "./match-webhook.ts";
import { noteAnswer } from "./note-answer.ts";
import { observeWebhook } from "./observe-webhook.ts";
import type { RegisteredWebhook } from "./webhook-index.ts";
import { webhookRefusal } from "./webhook-refusal.ts";

export type WebhookParts = PolicyRequestParts & CallParts;

/** Calls all matching webhooks in parallel. If several reject the request, the first in order decides. */
export class ValidatingCaller {
  readonly #parts: WebhookParts;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  async ask(webhooks: readonly RegisteredWebhook[], request: AdmissionRequest): Promise<void> {
    if (isAdmissionConfiguration(request, this.#parts.naming)) return;
    const seen = new PolicyRequest(request, this.#parts);
    const concerned: { hook: RegisteredWebhook; version: MatchedVersion }[] = [];
    for (const hook of webhooks) {
      const version = await matchWebhook(hook.webhook, request, seen, this.#parts);
      if (version !== undefined) concerned.push({ hook, version });
    }
    if (concerned.length === 0) return;
    const started = performance.now();
    const problems = await Promise.all(
      concerned.map(({ hook, version }, index) => this.#askOne(hook, version, index, request, seen)),
    );
    request.waited(performance.now() - started, "validating-webhook");
    const first = problems.find((problem) => problem !== undefined);
    if (first !== undefined) throw first;
  }

  /** Returns the error with which a webhook rejects the request; undefined if it allows the request, or if its failure is ignored. */
  async #askOne(
    { webhook }: RegisteredWebhook,
    version: MatchedVersion,
    index: number,
    request: AdmissionRequest,
    seen: PolicyRequest,
  ): Promise<Error | undefined> {
    try {
      const shown = await seen.seenIn(version);
      await observeWebhook(webhook, "validating", request, this.#parts.observer, async () => {
        const response = await callWebhook(webhook, request, shown, false, this.#parts);
        await noteAnswer(webhook.name, response, request);
        if (!response.allowed) throw webhookRefusal(webhook.name, response.result);
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof WebhookCallError)) return error as Error;
      if (webhook.failurePolicy !== "Ignore") return internalError(error.message);
      const key = `failed-open.validating.webhook.admission.${this.#parts.naming.domain}/round_0_index_${index}`;
      request.annotate(key, webhook.name);
      return undefined;
    }
  }
}
