import type { Lease as LeaseKind } from "../../../api-definitions/coordination/v1/lease.ts";
import type { LeaseCandidate as LeaseCandidateKind } from "../../../api-definitions/coordination/v1beta1/lease-candidate.ts";
import type { ObjectOf } from "../../contract/api-object.ts";

/** How long the server waits for the response of a candidate, and how long a response is valid. */
const ELECTION_MS = 5_000;
/** A candidate that does not renew for this time is deleted. After half of it, the candidate is pinged. */
const CANDIDATE_LIFE_MS = 30 * 60_000;
export const LEASE_SECONDS = 5;
const HANDLED_STRATEGY = "OldestEmulationVersion";

export type LeaseCandidate = ObjectOf<LeaseCandidateKind>;

export type Lease = ObjectOf<LeaseKind>;

/** The next action for a lease. */
export type ElectionStep =
  /** Wait for a change, or also for an interval (`again`). */
  | { readonly action: "wait"; readonly again: boolean; readonly problem?: string }
  /** Ping these candidates, by setting their `pingTime`. */
  | { readonly action: "ping"; readonly candidates: readonly LeaseCandidate[] }
  /** Make this candidate the holder. `holder` is undefined if another controller handles the strategy. */
  | { readonly action: "elect"; readonly strategy: string; readonly holder: string | undefined };

/**
 * Computes the next step of an election from the lease and its candidates only, without other state. All candidates are pinged; those that have
 * responded within five seconds take part.
 */
export function nextStep(lease: Lease | undefined, all: readonly LeaseCandidate[], now: number): ElectionStep {
  const candidates = all.filter((candidate) => !isCandidateExpired(candidate, now));
  if (candidates.length === 0) return { action: "wait", again: false };
  const needed = electionNeeded(lease, candidates, now);
  if (needed !== true) return { action: "wait", again: true, ...(needed !== false && { problem: needed }) };
  const asked = candidates.filter((candidate) => isWaitedFor(candidate, now));
  const unasked = candidates.filter((candidate) => !asked.includes(candidate) && mustBeAsked(candidate, now));
  if (unasked.length > 0) return { action: "ping", candidates: unasked };
  if (asked.length > 0) return { action: "wait", again: true };
  const present = candidates.filter(({ spec }) => isWithin(spec?.renewTime, ELECTION_MS, now));
  if (present.length === 0) return { action: "wait", again: false, problem: "no available candidates" };
  const picked = strategyOf(present);
  if ("problem" in picked) return { action: "wait", again: false, problem: picked.problem };
  const { strategy } = picked;
  const holder = strategy === HANDLED_STRATEGY ? bestOf(present)?.metadata.name : undefined;
  return { action: "elect", strategy, holder };
}

/** Whether a candidate was pinged and has not responded yet: its changes do not start an election. */
export function isAsked({ spec }: LeaseCandidate): boolean {
  return timeOf(spec?.pingTime) > timeOf(spec?.renewTime);
}

export function isCandidateExpired({ spec }: LeaseCandidate, now: number): boolean {
  return spec?.renewTime === undefined || timeOf(spec.renewTime) + CANDIDATE_LIFE_MS < now;
}

export function isLeaseExpired({ spec }: Lease, now: number): boolean {
  if (spec?.renewTime === undefined || spec.leaseDurationSeconds === undefined) return true;
  return timeOf(spec.renewTime) + spec.leaseDurationSeconds * 1000 < now;
}

/** Whether an election is needed. Returns a message if this cannot be decided. */
function electionNeeded(
  lease: Lease | undefined,
  candidates: readonly LeaseCandidate[],
  now: number,
): boolean | string {
  if (lease === undefined || isLeaseExpired(lease, now)) return true;
  const { holderIdentity = "" } = lease.spec ?? {};
  if (holderIdentity === "") return true;
  if (candidates.some(({ spec }) => timeOf(spec?.renewTime) + CANDIDATE_LIFE_MS / 2 < now)) return true;
  const picked = strategyOf(candidates);
  if ("problem" in picked) return picked.problem;
  if (picked.strategy !== HANDLED_STRATEGY) return false;
  const best = bestOf(candidates);
  return best !== undefined && best.metadata.name !== holderIdentity;
}

function isWaitedFor(candidate: LeaseCandidate, now: number): boolean {
  return isAsked(candidate) && isWithin(candidate.spec?.pingTime, ELECTION_MS, now);
}

function mustBeAsked(candidate: LeaseCandidate, now: number): boolean {
  const { pingTime, renewTime } = candidate.spec ?? {};
  if (isWithin(renewTime, ELECTION_MS, now)) return false;
  // A candidate that did not respond to the last ping is not pinged again.
  return pingTime === undefined || !isAsked(candidate);
}

/** Returns the strategy of the candidates with the newest binary version. */
function strategyOf(
  candidates: readonly LeaseCandidate[],
): { readonly strategy: string } | { readonly problem: string } {
  let newest = candidates[0] as LeaseCandidate;
  for (const candidate of candidates.slice(1)) {
    const order = compareVersions(newest.spec?.binaryVersion, candidate.spec?.binaryVersion);
    if (order < 0) newest = candidate;
    else if (order === 0 && candidate.spec?.strategy !== newest.spec?.strategy) {
      const names = `"${newest.metadata.name}", "${candidate.metadata.name}"`;
      return { problem: `candidates ${names} have the same binary version and different strategies` };
    }
  }
  return { strategy: newest.spec?.strategy ?? "" };
}

/** Returns the candidate with the lowest emulation version, then the lowest binary version, then the oldest one. */
function bestOf(candidates: readonly LeaseCandidate[]): LeaseCandidate | undefined {
  const valid = candidates.filter(
    ({ spec }) => parseVersion(spec?.emulationVersion) !== undefined && parseVersion(spec?.binaryVersion) !== undefined,
  );
  return valid.reduce<LeaseCandidate | undefined>(
    (best, candidate) => (best === undefined || compare(best, candidate) > 0 ? candidate : best),
    undefined,
  );
}

function compare(one: LeaseCandidate, other: LeaseCandidate): number {
  return (
    compareVersions(one.spec?.emulationVersion, other.spec?.emulationVersion) ||
    compareVersions(one.spec?.binaryVersion, other.spec?.binaryVersion) ||
    timeOf(one.metadata.creationTimestamp) - timeOf(other.metadata.creationTimestamp)
  );
}

interface Version {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

const VERSION = /^\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?\s*$/;

function parseVersion(text = ""): Version | undefined {
  const match = VERSION.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1, 4).map((part) => Number(part ?? 0));
  return { numbers, prerelease: match[4]?.split(".") ?? [] };
}

const ZERO: Version = { numbers: [0, 0, 0], prerelease: [] };

/** Compares by the precedence of semantic versions. An invalid version is equivalent to 0.0.0. */
function compareVersions(one: string | undefined, other: string | undefined): number {
  const [a, b] = [parseVersion(one) ?? ZERO, parseVersion(other) ?? ZERO];
  for (const [index, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return b.prerelease.length - a.prerelease.length;
  for (const [index, part] of a.prerelease.entries()) {
    const against = b.prerelease[index];
    if (against === undefined) return 1;
    const order = comparePrerelease(part, against);
    if (order !== 0) return order;
  }
  return a.prerelease.length - b.prerelease.length;
}

function comparePrerelease(a: string, b: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumber && isOtherNumber) return Number(a) - Number(b);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isWithin(time: string | undefined, milliseconds: number, now: number): boolean {
  return time !== undefined && timeOf(time) + milliseconds > now;
}

/** Returns a time in milliseconds; 0 if it is absent. */
function timeOf(text: string | null | undefined): number {
  return text == null ? 0 : Date.parse(text);
}
