import { goQuote } from "../../go/quote.ts";
import type { Log } from "../../lib/log.ts";

const EVERY_MS = 1000;
const MOST_CHARACTERS = 1000;

/**
 * Logs why credentials were rejected: the violated rule of an issuer, or why the issuer could not be reached. Logs at most one line per second, so
 * that a client with an invalid token cannot fill the disk. The next line contains the number of omitted ones.
 */
export function logRefusals(log: Log, now: () => Date): (reason: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  let omitted = 0;
  return (reason) => {
    const time = now().getTime();
    if (time - last < EVERY_MS) {
      omitted++;
      return;
    }
    const more = omitted === 0 ? "" : ` (${omitted} more since the last line)`;
    last = time;
    omitted = 0;
    // Quoted, as the reason may contain claims that the client chose.
    log("warn", `unable to authenticate the request: ${goQuote(reason.slice(0, MOST_CHARACTERS))}${more}`);
  };
}
