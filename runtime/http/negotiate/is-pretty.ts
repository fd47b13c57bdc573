import { parseGoBool } from "../../go/bool.ts";
import type { AppContext } from "../pipeline/app-state.ts";

const PEOPLE_AGENTS = /^(curl|Wget|Mozilla\/)/;

/**
 * Whether JSON is indented: where the Accept header asks for it (`negotiated`), else as the `pretty` parameter says; without one, for
 * browsers, curl and Wget.
 */
export function isPretty(ctx: AppContext, negotiated: boolean): boolean {
  if (negotiated) return true;
  const value = ctx.state.info.query.get("pretty");
  if (value) return parseGoBool(value) ?? false;
  return PEOPLE_AGENTS.test(ctx.req.headers["user-agent"] ?? "");
}
