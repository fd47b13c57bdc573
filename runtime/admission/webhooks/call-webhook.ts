import type { AdmissionObserver, AdmissionRequest } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";
import { goQuote } from "../../go/quote.ts";
import { badRequest } from "../../values/status-errors.ts";
import type { SeenRequest } from "../policies/policy-request.ts";
import {
  type AdmissionResponse,
  type AdmissionReview,
  createReview,
  InvalidReviewError,
  readResponse,
  reviewVersion,
} from "./admission-review.ts";
import { checkReviewTypes } from "./check-review-types.ts";
import { type PostParts, postReview, UnexpectedStatusError } from "./post-review.ts";
import type { Webhook } from "./webhook-objects.ts";

/** A webhook that gave no answer that counts; its failure policy says what comes of it. */
export class WebhookCallError extends Error {
  readonly code = "webhook-call";
  /** The status that counts for it: that of its answer, if that was the trouble. */
  readonly status: number;

  constructor(webhook: string, why: string, status = SERVICE_UNAVAILABLE) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
    this.status = status;
  }
}

const BAD_REQUEST = 400;
const SERVICE_UNAVAILABLE = 503;

export interface CallParts extends PostParts {
  readonly naming: Naming;
  readonly newUid: () => string;
  /** Is told what webhooks are asked, and what comes of it. */
  readonly observer?: AdmissionObserver;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const HARMLESS = new Set(["None", "NoneOnDryRun"]);

/** Asks a webhook. Throws a WebhookCallError, or a StatusError where it must not be called at all. */
export async function callWebhook(
  webhook: Webhook,
  request: AdmissionRequest,
  seen: SeenRequest,
  mutating: boolean,
  parts: CallParts,
): Promise<AdmissionResponse> {
  const { name } = webhook;
  if (request.dryRun) checkSideEffects(webhook);
  const uid = parts.newUid();
  const review = attempt(name, "could not create admission objects", BAD_REQUEST, () =>
    createReview(reviewVersion(webhook.admissionReviewVersions ?? [], parts.naming.group("admission")), uid, seen),
  );
  const answer = await send(webhook, review, parts).catch((error: Error) => {
    const status = error instanceof UnexpectedStatusError ? error.status : undefined;
    throw new WebhookCallError(name, `failed to call webhook: ${error.message}`, status);
  });
  return attempt(name, "received invalid webhook response", SERVICE_UNAVAILABLE, () =>
    readResponse(answer, review, uid, mutating),
  );
}

function checkSideEffects({ name, sideEffects }: Webhook): void {
  if (sideEffects === undefined || sideEffects === null)
    throw new WebhookCallError(name, "Webhook SideEffects is nil", BAD_REQUEST);
  if (!HARMLESS.has(sideEffects)) throw badRequest(`admission webhook ${goQuote(name)} does not support dry run`);
}

function attempt<T>(webhook: string, what: string, status: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InvalidReviewError) throw new WebhookCallError(webhook, `${what}: ${error.message}`, status);
    throw error;
  }
}

/** The answer to a review, parsed. */
async function send({ clientConfig, timeoutSeconds }: Webhook, review: AdmissionReview, parts: CallParts) {
  const request = {
    clientConfig,
    timeoutSeconds: timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    maxBytes: MAX_ANSWER_BYTES,
  };
  const answer = await postReview({ ...request, review }, parts);
  checkKind(answer);
  checkReviewTypes(answer);
  return answer;
}

/** Answers are reviews, of whatever version; what they say is for others to judge. */
function checkKind(review: unknown): void {
  const { kind = "", apiVersion = "" } = (review ?? {}) as { readonly kind?: unknown; readonly apiVersion?: unknown };
  if (kind === "" || apiVersion === "" || (kind === "AdmissionReview" && /\/v1(beta1)?$/.test(String(apiVersion)))) {
    return;
  }
  const scheme = "k8s.io/apiserver/pkg/util/webhook/client.go:71";
  throw new Error(
    `no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme ${goQuote(scheme)}`,
  );
}
