import type { AppContext, Next } from "./app-state.ts";
import { Turns } from "./turns.ts";

const WRITES_A_TURN = 3;
/** Share of a turn of the event loop that writes may use, relative to all other work. */
const WRITES_SHARE = 1 / 2;
const READS = new Set(["GET", "HEAD", "OPTIONS"]);

export function isWrite({ info: { method } }: AppContext["state"]): boolean {
  return !READS.has(method);
}

/** Turns for writes that priority and fairness does not delay: see `staggerWrites`. */
export function writeTurns(): Turns {
  return new Turns(WRITES_A_TURN, WRITES_SHARE);
}

/**
 * Starts a few writes per turn of the event loop. Otherwise, all writes that arrive at the same time would be prepared before the store
 * learns that its last commit is on disk, and would then wait for one large commit while the CPU is idle. With a few at a time, the disk
 * works on one commit while the next is prepared. If turns are long, starts as many writes as fit into half of a turn.
 */
export function staggerWrites() {
  const turns = writeTurns();
  return (ctx: AppContext, next: Next): Promise<unknown> => {
    if (!isWrite(ctx.state)) return next();
    const turn = turns.enter();
    return turn === undefined ? next() : turn.then(next);
  };
}
