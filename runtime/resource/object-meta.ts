import type { ApiObject, OwnerReference } from "../contract/api-object.ts";
import { goQuote } from "../go/quote.ts";
import { withMeta } from "../kinds/change-meta.ts";
import { badRequest, plainFailure } from "../values/status-errors.ts";
import { formatTime } from "../values/times.ts";
import type { WriteRequest } from "./write-request.ts";

/** Removes the metadata that only the server sets from a new object, so that no manager owns it. */
export function withoutServerMeta(object: ApiObject): ApiObject {
  const { uid, creationTimestamp, selfLink, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const marks = deletionTimestamp !== undefined || deletionGracePeriodSeconds !== undefined;
  if (!uid && !creationTimestamp && !selfLink && !marks) {
    return object;
  }
  const cleared = {
    uid: undefined,
    selfLink: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  };
  return withMeta(object, { ...cleared, creationTimestamp: null as unknown as undefined });
}

/** Sets the metadata of a new object that only the server sets. */
export function initializeMeta(object: ApiObject, now: Date, uid: string): ApiObject {
  return withMeta(object, { selfLink: undefined, uid, creationTimestamp: formatTime(now) });
}

/** Sets the namespace of the request, or throws 400 if the object has a different one. Removes it from cluster-scoped objects. */
export function settleNamespace(object: ApiObject, request: WriteRequest): ApiObject {
  const expected = request.resource.descriptor.namespaced ? request.namespace : "";
  const actual = object.metadata.namespace ?? "";
  if (actual === expected) {
    return object;
  }
  if (actual !== "" && expected !== "") {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return withMeta(object, { namespace: expected === "" ? undefined : expected });
}

/** Removes duplicate owner references, with a warning. */
export function dedupOwnerReferences(object: ApiObject, warn: (message: string) => void, after: string): ApiObject {
  const references = object.metadata.ownerReferences;
  if (references === undefined || references.length < 2) {
    return object;
  }
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  const kept: OwnerReference[] = [];
  for (const reference of references) {
    const key = JSON.stringify([
      reference.apiVersion,
      reference.kind,
      reference.name,
      reference.uid,
      reference.controller ?? null,
      reference.blockOwnerDeletion ?? null,
    ]);
    if (seen.has(key)) {
      duplicates.add(reference.uid);
    } else {
      seen.add(key);
      kept.push(reference);
    }
  }
  if (duplicates.size === 0) {
    return object;
  }
  warn(
    `.metadata.ownerReferences contains duplicate entries${after}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(", ")}`,
  );
  return withMeta(object, { ownerReferences: kept });
}

const VERSION_LIMIT = 1n << 64n;

/** Parses a resourceVersion; 0 if empty. Throws Go's error if it is not a uint64. */
export function objectVersion(text = ""): bigint {
  if (text === "") return 0n;
  const version = uint64Of(text);
  if (version !== undefined) return version;
  const why = /^\d+$/.test(text) ? "value out of range" : "invalid syntax";
  throw plainFailure(`strconv.ParseUint: parsing ${goQuote(text)}: ${why}`);
}

/**
 * Parses a decimal 64-bit number; undefined if the text is not one. Limits the number of digits first, because parsing a very long bigint
 * takes more than linear time.
 */
export function uint64Of(text: string): bigint | undefined {
  const [, digits] = /^0*(\d{1,20})$/.exec(text) ?? [];
  const number = digits === undefined ? VERSION_LIMIT : BigInt(digits);
  return number < VERSION_LIMIT ? number : undefined;
}
