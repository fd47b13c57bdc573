import type { AdmissionRequest, MutationRound } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import { parseJson, parseLargeJson } from "../../encoding/json/parse-json.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { goQuote } from "../../go/quote.ts";
import type { RestoreObject, RestoreTarget } from "../../kinds/restore-object.ts";
import { equalJson } from "../../lib/equal-json.ts";
import { LARGE_BYTES } from "../../lib/in-turns.ts";
import { internalError } from "../../values/status-errors.ts";
import type { MatchedVersion } from "../matching/match-constraints.ts";
import { patchObjectInTurns } from "../patch-object.ts";
import { PolicyRequest } from "../policies/policy-request.ts";
import { Reinvocation } from "../reinvocation.ts";
import type { AdmissionResponse } from "./admission-review.ts";
import { callWebhook, WebhookCallError } from "./call-webhook.ts";
import { isAdmissionConfiguration, matchWebhook } from "./match-webhook.ts";
import { noteAnswer } from "./note-answer.ts";
import { observeWebhook } from "./observe-webhook.ts";
import type { WebhookParts } from "./validating-caller.ts";
import type { RegisteredWebhook } from "./webhook-index.ts";
import { webhookRefusal } from "./webhook-refusal.ts";

export interface MutatingWebhookParts extends WebhookParts {
  readonly restore: RestoreObject;
}

/** Key of the state that is kept between the two rounds. */
const MEMORY = "MutatingAdmissionWebhook";

/** Calls the matching webhooks sequentially. Each receives the object that the previous one returned. */
export class MutatingCaller {
  readonly #parts: MutatingWebhookParts;

  constructor(parts: MutatingWebhookParts) {
    this.#parts = parts;
  }

  async ask(webhooks: readonly RegisteredWebhook[], request: AdmissionRequest, round: MutationRound): Promise<void> {
    if (isAdmissionConfiguration(request, this.#parts.naming)) return;
    const reinvocation = Reinvocation.of(round, MEMORY, request.object);
    const first = new PolicyRequest(request, this.#parts);
    for (const [index, hook] of webhooks.entries()) {
      const seen = first.changed();
      const version = await matchWebhook(hook.webhook, request, seen, this.#parts);
      if (version === undefined || !reinvocation.isDue(hook.id)) continue;
      const before = request.object;
      const started = performance.now();
      try {
        await this.#askOne(hook, version, request, seen, { round: round.number, index });
      } finally {
        request.waited(performance.now() - started, "mutating-webhook");
      }
      if (!equalJson(before, request.object)) reinvocation.changed();
      if (hook.webhook.reinvocationPolicy === "IfNeeded") reinvocation.invoked(hook.id);
    }
    reinvocation.finish(request.object);
  }

  async #askOne(
    { webhook, configuration }: RegisteredWebhook,
    version: MatchedVersion,
    request: AdmissionRequest,
    seen: PolicyRequest,
    place: { readonly round: number; readonly index: number },
  ): Promise<void> {
    const key = (prefix: string) =>
      `${prefix}.webhook.admission.${this.#parts.naming.domain}/round_${place.round}_index_${place.index}`;
    const { name } = webhook;
    let mutated = false;
    try {
      const shown = await seen.seenIn(version);
      const patched = await observeWebhook(webhook, "admit", request, this.#parts.observer, async () => {
        const response = await callWebhook(webhook, request, shown, true, this.#parts);
        await noteAnswer(name, response, request);
        if (!response.allowed) throw webhookRefusal(name, response.result);
        return this.#patch(name, shown.object, response, { ...request, ...version });
      });
      if (patched !== undefined) {
        mutated = !equalJson(request.object, patched.object);
        request.object = patched.object;
        request.annotate(key("patch"), stringifyJson({ configuration, webhook: name, ...patched.note }));
      }
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      if (webhook.failurePolicy !== "Ignore") throw internalError(error.message);
      request.annotate(key("failed-open.mutation"), name);
    } finally {
      request.annotate(key("mutation"), JSON.stringify({ configuration, webhook: name, mutated }));
    }
  }

  /** Applies the patch of a webhook. Returns the object in the storage version; undefined without a patch. */
  async #patch(
    webhook: string,
    object: ApiObject | null,
    { patch, patchType }: AdmissionResponse,
    target: RestoreTarget,
  ): Promise<{ object: ApiObject; note: object } | undefined> {
    if (patch === "") return undefined;
    const operations = await orInternal(() => parsePatch(patch));
    if (operations === null || (Array.isArray(operations) && operations.length === 0)) return undefined;
    if (object === null)
      throw internalError(
        `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`,
      );
    if (patchType !== "JSONPatch") throw new WebhookCallError(webhook, `unsupported patch type ${goQuote(patchType)}`);
    const patched = await orInternal(() => patchObjectInTurns(object, operations, patch.length >= LARGE_BYTES));
    const restored = await this.#parts.restore(patched, target);
    return { object: restored, note: { patch: operations, patchType } };
  }
}

async function parsePatch(patch: string): Promise<unknown> {
  const options = { floatLiterals: true };
  if (patch.length < LARGE_BYTES) return parseJson(patch, options).value;
  return (await parseLargeJson(Buffer.from(patch), options)).value;
}

async function orInternal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw internalError((error as Error).message);
  }
}
