import type { AdmissionObserver, AdmissionRequest } from "../../contract/admission.ts";
import type { Naming } from "../../contract/naming.ts";
import { goQuote } from "../../go/quote.ts";
import { inSpan } from "../../lib/trace-context.ts";
import { readTypeMeta } from "../../schema/type-meta.ts";
import { badRequest } from "../../values/status-errors.ts";
import type { SeenRequest } from "../policies/policy-request.ts";
import {
  type AdmissionResponse,
  type AdmissionReview,
  createReview,
  InvalidReviewError,
  isKnownVersion,
  readResponse,
  reviewVersion,
} from "./admission-review.ts";
import { checkReviewTypes } from "./check-review-types.ts";
import { type PostParts, postReview, UnexpectedStatusError } from "./post-review.ts";
import type { Webhook } from "./webhook-objects.ts";

/** A webhook call has no valid response. The failure policy of the webhook decides about the request. */
export class WebhookCallError extends Error {
  readonly code = "webhook-call";
  /** Status code for metrics: that of the response if it caused the failure. */
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
  /** Receives the calls of webhooks and their results. */
  readonly observer?: AdmissionObserver;
}

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const HARMLESS = new Set(["None", "NoneOnDryRun"]);

/** Calls a webhook. Throws a WebhookCallError, or a StatusError if the webhook must not be called. */
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
  const span = mutating ? "Call mutating webhook" : "Call validating webhook";
  const attributes = { webhook: name, operation: request.operation, UID: uid };
  const answer = await inSpan(span, attributes, () => send(webhook, review, parts)).catch((error: Error) => {
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

/** Sends a review. Returns the parsed response. */
async function send({ clientConfig, timeoutSeconds }: Webhook, review: AdmissionReview, parts: CallParts) {
  const request = {
    clientConfig,
    timeoutSeconds: timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    maxBytes: MAX_ANSWER_BYTES,
  };
  const answer = await postReview({ ...request, review }, parts);
  checkKind(answer, review.apiVersion);
  checkReviewTypes(answer);
  return answer;
}

/** Checks that a response that specifies its kind is an AdmissionReview of the sent version. Its contents are checked later. */
function checkKind(review: unknown, sent: string): void {
  const { kind, apiVersion } = readTypeMeta(review);
  if (kind === "" || apiVersion === "" || (kind === "AdmissionReview" && apiVersion === sent)) return;
  const [group, version] = apiVersion.split("/");
  const [sentGroup, sentVersion] = sent.split("/");
  if (kind === "AdmissionReview" && group === sentGroup && isKnownVersion(version))
    throw new Error(`converting (${version}.${kind}) to (${sentVersion}.${kind}): unknown conversion`);
  const scheme = "k8s.io/apiserver/pkg/util/webhook/client.go:71";
  throw new Error(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`,
  );
}
