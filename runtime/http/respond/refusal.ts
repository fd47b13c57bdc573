import type { StatusError } from "../../contract/status.ts";
import { tooManyRequests } from "../../values/status-errors.ts";
import type { AppContext } from "../pipeline/app-state.ts";

/** For requests that the server, or the budget of their user, has no room for: they may come again. */
export function refusal(ctx: AppContext): StatusError {
  ctx.state.terminated = true;
  return tooManyRequests("Too many requests, please try again later.", 1);
}
