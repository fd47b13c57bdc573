import { TooBusy } from "../../contract/status.ts";
import type { AppContext } from "../pipeline/app-state.ts";

/** The 429 error, with Retry-After, for requests beyond the limits of the server or of their user. */
export function refusal(ctx: AppContext, retryAfterSeconds = 1): TooBusy {
  ctx.state.terminated = true;
  return new TooBusy("Too many requests, please try again later.", retryAfterSeconds);
}
