import type { AppContext, Next } from "./app-state.ts";
import { Turns } from "./turns.ts";

const WRITES_A_TURN = 3;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Writes that have arrived together would all be prepared before the store hears that its disk is done with the last
 * commit; then all would wait for one large commit, and the processor would be idle. A few at a time, the disk works on one
 * commit while the next is prepared.
 */
export function staggerWrites() {
  const turns = new Turns(WRITES_A_TURN);
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    if (READS.has(ctx.state.info.method)) return next();
    const turn = turns.enter();
    return turn === undefined ? next() : turn.then(next);
  };
}
