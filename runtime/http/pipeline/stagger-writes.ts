import type { AppContext, Next } from "./app-state.ts";
import { Turns } from "./turns.ts";

const WRITES_A_TURN = 3;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Starts a few writes per turn of the event loop. Writes that arrive together would otherwise all be prepared before the store
 * learns that its last commit is on disk, and then wait for one large commit while the CPU is idle. A few at a time, the
 * disk works on one commit while the next is prepared.
 */
export function staggerWrites() {
  const turns = new Turns(WRITES_A_TURN);
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    if (READS.has(ctx.state.info.method)) return next();
    const turn = turns.enter();
    return turn === undefined ? next() : turn.then(next);
  };
}
