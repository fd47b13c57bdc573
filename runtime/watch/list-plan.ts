import { type ContinueTokens, LATEST } from "./continue-token.ts";
import { BadRequestError, InvalidOptionsError, type OptionFault } from "./errors.ts";
import type { CacheWatchRequest, ListRequest } from "./requests.ts";

const LARGEST_VERSION = 2n ** 64n - 1n;

/** The state that a list must show: the rows of the table in README.md. */
export type ListPlan =
  | { readonly kind: "mostRecent"; readonly startAfter?: string; readonly limit: number | undefined }
  | { readonly kind: "any" }
  | { readonly kind: "notOlderThan"; readonly revision: number; readonly limit: number | undefined }
  | { readonly kind: "exact"; readonly revision: number; readonly limit: number | undefined }
  | {
      readonly kind: "continuation";
      readonly revision: number;
      readonly startAfter: string;
      readonly delivered: number | undefined;
      readonly limit: number | undefined;
    };

/** Decides which state a list request needs. Throws InvalidOptionsError or BadRequestError for the invalid combinations of the table. */
export function planList(request: ListRequest, tokens: ContinueTokens): ListPlan {
  const faults = listFaults(request);
  if (faults.length > 0) throw new InvalidOptionsError(faults);
  const { resourceVersion = "", resourceVersionMatch = "", continue: token = "" } = request;
  const limit = request.limit !== undefined && request.limit > 0 ? request.limit : undefined;
  if (token !== "") return planContinuation(token, request, tokens, limit);
  if (resourceVersion === "") return { kind: "mostRecent", limit };
  const revision = parseListVersion(resourceVersion);
  // Kubernetes ignores the limit of these lists and returns all items.
  if (revision === 0) return { kind: "any" };
  // A limit requests pages of one state; a single object has no pages.
  const paged = resourceVersionMatch === "" && limit !== undefined && !request.single;
  const exact = resourceVersionMatch === "Exact" || paged;
  return { kind: exact ? "exact" : "notOlderThan", revision, limit };
}

function planContinuation(
  token: string,
  request: ListRequest,
  tokens: ContinueTokens,
  limit: number | undefined,
): ListPlan {
  const { revision, startAfter, delivered } = tokens.decode(token, request.scope);
  const { resourceVersion = "" } = request;
  if (resourceVersion !== "" && resourceVersion !== "0") {
    throw new BadRequestError("specifying resource version is not allowed when using continue");
  }
  if (revision === LATEST) return { kind: "mostRecent", startAfter, limit };
  return { kind: "continuation", revision, startAfter, delivered, limit };
}

/** The options of a list or watch that select the version to read. */
export interface VersionOptions {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly continue?: string;
  readonly sendInitialEvents?: boolean;
}

/** Returns the options of a list that exclude each other or are not supported. */
export function listFaults(options: VersionOptions): OptionFault[] {
  const { resourceVersion = "", resourceVersionMatch: match = "", continue: token = "" } = options;
  const faults: OptionFault[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      faults.push(forbiddenMatch("resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (token !== "") faults.push(forbiddenMatch("resourceVersionMatch is forbidden when continue is provided"));
    if (match !== "Exact" && match !== "NotOlderThan") {
      faults.push(unsupportedMatch(match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      faults.push(forbiddenMatch('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    faults.push(forbiddenInitialEvents("sendInitialEvents is forbidden for list"));
  }
  return faults;
}

/** How and from where a watch starts. */
export type WatchPlan =
  | { readonly kind: "initialEvents"; readonly from: "mostRecent" | "any" | number }
  | { readonly kind: "events"; readonly from: "mostRecent" | "any" | number };

/** Decides how a watch starts. Throws InvalidOptionsError or BadRequestError. */
export function planWatch(request: CacheWatchRequest): WatchPlan {
  const faults = watchFaults(request);
  if (faults.length > 0) throw new InvalidOptionsError(faults);
  const { resourceVersion = "", sendInitialEvents } = request;
  const revision = parseResourceVersion(resourceVersion);
  const from = resourceVersion === "" ? "mostRecent" : revision === 0 ? "any" : revision;
  const initial = sendInitialEvents ?? revision === 0;
  return { kind: initial ? "initialEvents" : "events", from };
}

/** Returns the options of a watch that exclude each other or are not supported. `streamsLists`: feature gate `WatchList`. */
export function watchFaults(options: VersionOptions, streamsLists = true): OptionFault[] {
  const { resourceVersionMatch: match = "", continue: token = "", sendInitialEvents } = options;
  const faults: OptionFault[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    faults.push(forbiddenMatch("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (sendInitialEvents !== undefined && !streamsLists) {
    faults.push(
      forbiddenInitialEvents("sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"),
    );
  }
  if (match !== "" && sendInitialEvents === undefined) {
    faults.push(forbiddenMatch("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match !== "" && match !== "NotOlderThan") faults.push(unsupportedMatch(match, ["NotOlderThan"]));
  if (match !== "" && token !== "") {
    faults.push(forbiddenMatch("resourceVersionMatch is forbidden when continue is provided"));
  }
  return faults;
}

/**
 * Returns 0 for an unset version and for `0`. Throws InvalidOptionsError unless the version is an unsigned 64-bit integer. A version too
 * large for an exact number becomes the nearest one: no revision is that large.
 */
export function parseResourceVersion(text: string): number {
  if (text === "") return 0;
  const isNumber = /^\d+$/.test(text);
  if (isNumber && BigInt(text) <= LARGEST_VERSION) return Number(text);
  const detail = `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${isNumber ? "value out of range" : "invalid syntax"}`;
  throw new InvalidOptionsError([{ field: "resourceVersion", type: "Invalid", value: text, detail }]);
}

/** For reads that Kubernetes serves from the store, such as lists: an invalid version is a BadRequestError. */
export function parseListVersion(text: string): number {
  try {
    return parseResourceVersion(text);
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    const detail = error.faults[0]?.detail;
    throw new BadRequestError(
      `invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${detail}`,
    );
  }
}

function forbiddenMatch(detail: string): OptionFault {
  return { field: "resourceVersionMatch", type: "Forbidden", detail };
}

function forbiddenInitialEvents(detail: string): OptionFault {
  return { field: "sendInitialEvents", type: "Forbidden", detail };
}

function unsupportedMatch(value: string, supported: readonly string[]): OptionFault {
  return { field: "resourceVersionMatch", type: "NotSupported", detail: "unsupported value", value, supported };
}
