import type { AppContext, Next } from "./app-state.ts";
import { Turns } from "./turns.ts";

const WRITES_A_TURN = 3;
/** Writes may take as much of a turn as everything else in it, however many they are. */
const WRITES_SHARE = 1 / 2;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export function isWrite({ info: { method } }: AppContext["state"]): boolean {
  return !READS.has(method);
}

/** When writes that no fairness delays begin: see `staggerWrites`. */
export function writeTurns(): Turns {
  return new Turns(WRITES_A_TURN, WRITES_SHARE);
}

/**
 * Starts a few writes per turn of the event loop. Writes that arrive together would otherwise all be prepared before the store
 * learns that its last commit is on disk, and then wait for one large commit while the CPU is idle. A few at a time, the
 * disk works on one commit while the next is prepared. Where turns are long, they start as many as fill half of a turn.
 */
export function staggerWrites() {
  const turns = writeTurns();
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    if (!isWrite(ctx.state)) return next();
    const turn = turns.enter();
    return turn === undefined ? next() : turn.then(next);
  };
}
