import type { AppContext } from "../pipeline/app-state.ts";

const PEOPLE_AGENTS = /^(curl|Wget|Mozilla\/)/;

/** The `pretty` parameter decides; without it, browsers, curl and Wget get indented output. */
export function isPretty(ctx: AppContext): boolean | undefined {
  const value = ctx.state.info.query.get("pretty");
  if (value !== null) {
    return value !== "false" && value !== "0";
  }
  const agent = ctx.req.headers["user-agent"];
  return agent !== undefined && PEOPLE_AGENTS.test(agent) ? true : undefined;
}
