import type { StatusError } from "../../contract/status.ts";
import { tooManyRequests } from "../../values/status-errors.ts";
import type { AppContext } from "../pipeline/app-state.ts";

/** 429 for requests beyond the limits of the server or of their user, with Retry-After. */
export function refusal(ctx: AppContext): StatusError {
  ctx.state.terminated = true;
  return tooManyRequests("Too many requests, please try again later.", 1);
}
