import type { Network, Place } from "./network.ts";

/** One configuration of the look-ahead: an alternative, the place that it has reached, and the stack of return places. */
interface Way {
  readonly alternative: number;
  readonly place: Place;
  readonly returns: readonly Place[];
  /** Whether it has left the rule in which it began. */
  readonly left: boolean;
}

/** The alternative to take, or the number of tokens ahead at which all alternatives have failed. */
export type Prediction = { readonly alternative: number } | { readonly failedAfter: number };

/** The configurations that remain after some tokens, with the computed transitions by token type. */
interface State {
  readonly ways: readonly Way[];
  readonly next: Map<string, State | { readonly alternative: number } | "fails">;
}

/** Limit of the state cache. Ordinary expressions share few states; only input made to exhaust memory needs more. */
const MAX_STATES = 5000;

/**
 * Chooses between alternatives by look-ahead. States are cached; otherwise every token of a long expression would cost as much as
 * traversing the whole grammar.
 */
export class Predictor {
  readonly #network: Network;
  readonly #end: string;
  readonly #starts = new Map<string, State>();
  readonly #states = new Map<string, State>();

  constructor(network: Network, end: string) {
    this.#network = network;
    this.#end = end;
  }

  /** Looks ahead as far as necessary to choose one of the alternatives, given by their first places. */
  predict(starts: readonly Place[], typeAhead: (distance: number) => string): Prediction {
    let state = this.#startOf(starts);
    for (let distance = 0; ; distance++) {
      const type = typeAhead(distance);
      let next = state.next.get(type);
      if (next === undefined) {
        next = this.#follow(state, type);
        state.next.set(type, next);
      }
      if (next === "fails") return { failedAfter: distance };
      if ("alternative" in next) return next;
      state = next;
    }
  }

  #startOf(starts: readonly Place[]): State {
    const key = starts.map(({ id }) => id).join(",");
    let state = this.#starts.get(key);
    if (state === undefined) {
      const ways = starts.map((place, index) => ({ alternative: index, place, returns: [], left: false }));
      state = { ways: [...close(this.#network, ways).values()], next: new Map() };
      this.#starts.set(key, state);
    }
    return state;
  }

  #follow({ ways }: State, type: string): State | { readonly alternative: number } | "fails" {
    const moved = ways.flatMap((way) => {
      const next = way.place.token?.types.has(type) ? way.place.token.next : undefined;
      return next === undefined ? [] : [{ ...way, place: next }];
    });
    const closed = close(this.#network, moved);
    const reached = [...closed.values()];
    if (reached.length === 0) {
      const finished = ways.filter(({ left, place }) => left || place.kind === "end");
      return finished.length > 0 ? { alternative: least(finished) } : "fails";
    }
    const alternatives = new Set(reached.map(({ alternative }) => alternative));
    if (alternatives.size === 1 || type === this.#end || isConflict(reached)) return { alternative: least(reached) };
    const key = [...closed.keys()].sort().join(";");
    let state = this.#states.get(key);
    if (state === undefined) {
      if (this.#states.size >= MAX_STATES) {
        this.#states.clear();
        this.#starts.clear();
      }
      state = { ways: reached, next: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }
}

function least(ways: readonly Way[]): number {
  return Math.min(...ways.map(({ alternative }) => alternative));
}

/** All configurations that can be reached without consuming a token, by a key that identifies them. */
function close(network: Network, ways: readonly Way[]): Map<string, Way> {
  const found = new Map<string, Way>();
  const open = [...ways];
  for (let way = open.pop(); way !== undefined; way = open.pop()) {
    const { place, returns } = way;
    const key = `${way.alternative} ${place.id} ${returns.map(({ id }) => id).join(",")} ${way.left}`;
    if (found.has(key)) continue;
    found.set(key, way);
    for (const other of place.same) open.push({ ...way, place: other });
    if (place.call !== undefined) {
      open.push({ ...way, place: network.rule(place.call.rule).first, returns: [...returns, place.call.next] });
    }
    if (place.kind !== "end") continue;
    const back = returns.at(-1);
    if (back !== undefined) open.push({ ...way, place: back, returns: returns.slice(0, -1) });
    else for (const follower of network.followersOf(place)) open.push({ ...way, place: follower, left: true });
  }
  return found;
}

/** Whether the alternatives are ambiguous, so that more look-ahead cannot decide between them. */
function isConflict(ways: readonly Way[]): boolean {
  const bySituation = new Map<string, Set<number>>();
  const byPlace = new Map<Place, Set<number>>();
  for (const { alternative, place, returns } of ways) {
    const situation = `${place.id} ${returns.map(({ id }) => id).join(",")}`;
    bySituation.set(situation, (bySituation.get(situation) ?? new Set()).add(alternative));
    byPlace.set(place, (byPlace.get(place) ?? new Set()).add(alternative));
  }
  const hasConflict = [...bySituation.values()].some(({ size }) => size > 1);
  return hasConflict && ![...byPlace.values()].some(({ size }) => size === 1);
}
