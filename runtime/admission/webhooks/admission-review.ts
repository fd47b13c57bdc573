import type { Status } from "../../contract/status.ts";
import { goQuote } from "../../go/quote.ts";
import type { SeenRequest } from "../policies/policy-request.ts";

/** The request body for a webhook. */
export interface AdmissionReview {
  readonly kind: "AdmissionReview";
  readonly apiVersion: string;
  readonly request: object;
}

/** The validated response of a webhook. */
export interface AdmissionResponse {
  readonly allowed: boolean;
  readonly result: Partial<Status> | undefined;
  readonly warnings: readonly string[];
  /** As Go parses them, `null` is an empty string. */
  readonly auditAnnotations: Readonly<Record<string, string | null>>;
  /** JSON of a patch, decoded from base64. */
  readonly patch: string;
  readonly patchType: string;
}

/** A response is invalid; the message contains the reason. */
export class InvalidReviewError extends Error {
  readonly code = "invalid-review";
}

const KNOWN_VERSIONS = ["v1", "v1beta1"];

export const isKnownVersion = (version = ""): boolean => KNOWN_VERSIONS.includes(version);

/** Returns the first accepted version of the review that this server supports. Throws an InvalidReviewError if there is none. */
export function reviewVersion(accepted: readonly string[], group: string): string {
  const version = accepted.find(isKnownVersion);
  if (version === undefined)
    throw new InvalidReviewError("webhook does not accept known AdmissionReview versions (v1, v1beta1)");
  return `${group}/${version}`;
}

export function createReview(apiVersion: string, uid: string, seen: SeenRequest): AdmissionReview {
  const { object, oldObject, request } = seen;
  return { kind: "AdmissionReview", apiVersion, request: { ...request, uid, object, oldObject } };
}

interface RawResponse {
  readonly uid?: unknown;
  readonly allowed?: unknown;
  readonly status?: Partial<Status> | null;
  readonly warnings?: readonly (string | null)[] | null;
  readonly auditAnnotations?: Readonly<Record<string, string | null>> | null;
  readonly patch?: string | null;
  readonly patchType?: string | null;
}

/** Validates a response. Throws an InvalidReviewError. As in Kubernetes, responses in v1beta1 are checked less strictly. */
export function readResponse(
  review: unknown,
  sent: AdmissionReview,
  uid: string,
  mutating: boolean,
): AdmissionResponse {
  const { kind, apiVersion, response } = (review ?? {}) as Record<string, unknown>;
  if (response === null || typeof response !== "object") throw new InvalidReviewError("webhook response was absent");
  const raw = response as RawResponse;
  const patch = Buffer.from(raw.patch ?? "", "base64").toString();
  if (sent.apiVersion.endsWith("/v1")) {
    const given = String(raw.uid ?? "");
    if (given !== uid) throw new InvalidReviewError(`expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`);
    if (kind !== sent.kind || apiVersion !== sent.apiVersion)
      throw new InvalidReviewError(
        `expected webhook response of ${kindText(sent)}, got ${kindText({ kind, apiVersion })}`,
      );
    checkPatch(raw, patch, mutating);
  }
  return {
    allowed: raw.allowed === true,
    result: raw.status ?? undefined,
    warnings: (raw.warnings ?? []).map((warning) => warning ?? ""),
    auditAnnotations: raw.auditAnnotations ?? {},
    patch: mutating ? patch : "",
    patchType: raw.patchType ?? (patch === "" ? "" : "JSONPatch"),
  };
}

function checkPatch({ patchType }: RawResponse, patch: string, mutating: boolean): void {
  const named = patchType !== undefined && patchType !== null;
  if (!mutating) {
    if (patch !== "") throw new InvalidReviewError("validating webhook may not return response.patch");
    if (named) throw new InvalidReviewError("validating webhook may not return response.patchType");
    return;
  }
  if (patch !== "" && !named)
    throw new InvalidReviewError("webhook returned response.patch but not response.patchType");
  if (patch === "" && named) throw new InvalidReviewError("webhook returned response.patchType but not response.patch");
  if (patchType === "") throw new InvalidReviewError('webhook returned invalid response.patchType of ""');
}

function kindText({ kind, apiVersion }: { readonly kind?: unknown; readonly apiVersion?: unknown }): string {
  const version = String(apiVersion ?? "");
  return `${version.includes("/") ? version : `/${version}`}, Kind=${String(kind ?? "")}`;
}
