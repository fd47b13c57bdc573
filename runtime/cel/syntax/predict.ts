import type { Network, Place } from "./network.ts";

/** One way to go on: an alternative, the place it has led to, and where the rules it is in return to. */
interface Way {
  readonly alternative: number;
  readonly place: Place;
  readonly returns: readonly Place[];
  /** It has left the rule in which it began. */
  readonly left: boolean;
}

/** The alternative to take, or how many tokens ahead it became clear that there is none. */
export type Prediction = { readonly alternative: number } | { readonly failedAfter: number };

/** Looks ahead as far as it takes to tell which of the places, alternatives in this order, to go on from. */
export function predict(
  network: Network,
  starts: readonly Place[],
  typeAhead: (distance: number) => string,
  end: string,
): Prediction {
  let ways = close(
    network,
    starts.map((place, index) => ({ alternative: index, place, returns: [], left: false })),
  );
  for (let distance = 0; ; distance++) {
    const type = typeAhead(distance);
    const moved = ways.flatMap((way) => {
      const next = way.place.token?.types.has(type) ? way.place.token.next : undefined;
      return next === undefined ? [] : [{ ...way, place: next }];
    });
    const reached = close(network, moved);
    if (reached.length === 0) {
      const finished = ways.filter(({ left, place }) => left || place.kind === "end");
      if (finished.length > 0) return { alternative: least(finished) };
      return { failedAfter: distance };
    }
    const alternatives = new Set(reached.map(({ alternative }) => alternative));
    if (alternatives.size === 1 || type === end || isConflict(reached)) return { alternative: least(reached) };
    ways = reached;
  }
}

function least(ways: readonly Way[]): number {
  return Math.min(...ways.map(({ alternative }) => alternative));
}

/** All ways that tokens need not be taken for. */
function close(network: Network, ways: readonly Way[]): Way[] {
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
  return [...found.values()];
}

/** Whether looking further cannot tell the alternatives apart. */
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
