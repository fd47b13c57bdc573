import { parseGoBool } from "../../go/bool.ts";
import type { AppContext } from "../pipeline/app-state.ts";

const PEOPLE_AGENTS = /^(curl|Wget|Mozilla\/)/;

/**
 * Whether JSON is indented: if the Accept header requests it (`negotiated`), otherwise according to the `pretty` parameter; without that,
 * for browsers, curl and Wget.
 */
export function isPretty(ctx: AppContext, negotiated: boolean): boolean {
  if (negotiated) return true;
  const value = ctx.state.info.query.get("pretty");
  if (value) return parseGoBool(value) ?? false;
  return PEOPLE_AGENTS.test(ctx.req.headers["user-agent"] ?? "");
}
