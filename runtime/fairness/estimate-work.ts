import type { RequestInfo, ResourceRequestInfo } from "../contract/request-info.ts";

/** The expected resource usage of a request. */
export interface Work {
  /** Seats while the request is handled. */
  readonly seats: number;
  /** Seats afterwards, while watches receive the change. */
  readonly finalSeats: number;
  /** Milliseconds for which the final seats are held. The client does not wait for them. */
  readonly lingerMs: number;
}

/** Facts on which estimates are based. */
export interface WorkFacts {
  /** Returns the number of stored objects of the resource; undefined if it is unknown. */
  objectCount(info: ResourceRequestInfo): number | undefined;
  /** Returns the number of watches that receive a write to this resource. */
  watchCount(info: ResourceRequestInfo): number;
  /** Whether watches may start with the existing objects. */
  readonly streamsLists: boolean;
}

const MOST_SEATS = 10;
const OBJECTS_PER_SEAT = 100;
const WATCHES_PER_SEAT = 10;
const EVENT_MS = 5;

export const ONE_SEAT: Work = { seats: 1, finalSeats: 0, lingerMs: 0 };

const WRITES: ReadonlySet<string> = new Set(["create", "update", "patch", "delete"]);

/** Estimates the work of a request. `maxSeats` is the maximum per request of its priority level, 0 for no limit. */
export function estimateWork(info: RequestInfo, maxSeats: number, facts: WorkFacts): Work {
  if (!info.isResource) return ONE_SEAT;
  const most = maxSeats === 0 ? MOST_SEATS : Math.min(maxSeats, MOST_SEATS);
  const { verb } = info;
  if (verb === "list" || (verb === "watch" && facts.streamsLists)) return listWork(info, most, facts);
  return WRITES.has(verb) ? writeWork(info, most, facts) : ONE_SEAT;
}

/** Returns one seat per hundred objects that are read. A watch that does not start with the existing objects reads none. */
function listWork(info: ResourceRequestInfo, most: number, facts: WorkFacts): Work {
  if (info.name !== "") return ONE_SEAT;
  const { query, selectors, verb } = info;
  if (verb === "watch" && query.get("sendInitialEvents") !== "true") return ONE_SEAT;
  const stored = facts.objectCount(info);
  if (stored === undefined || stored <= OBJECTS_PER_SEAT) return ONE_SEAT;
  const limit = Number(query.get("limit") ?? 0);
  const selects = selectors.fieldSelector !== undefined || selectors.labelSelector !== undefined;
  const read = limit > 0 && !selects && verb === "list" ? Math.min(limit, stored) : stored;
  const seats = Math.min(Math.max(1, Math.ceil(read / OBJECTS_PER_SEAT)), most);
  return seats === 1 ? ONE_SEAT : { seats, finalSeats: 0, lingerMs: 0 };
}

/** Ten watches take a seat for five milliseconds. The number of seats is limited; if it is reduced, the seats are held longer. */
function writeWork(info: ResourceRequestInfo, most: number, facts: WorkFacts): Work {
  if (info.resource === "serviceaccounts" && info.subresource === "token") return ONE_SEAT;
  const watches = facts.watchCount(info);
  if (watches < WATCHES_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(watches / WATCHES_PER_SEAT);
  const finalSeats = Math.min(wanted, most);
  return { seats: 1, finalSeats, lingerMs: (wanted * EVENT_MS) / finalSeats };
}
