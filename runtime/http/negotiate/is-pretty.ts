import type { AppContext } from "../pipeline/app-state.ts";

const PEOPLE_AGENTS = /^(curl|Wget|Mozilla\/)/;

/** `pretty` says it; without it, what people use to look at an API gets it pretty. */
export function isPretty(ctx: AppContext): boolean | undefined {
  const value = ctx.state.info.query.get("pretty");
  if (value !== null) {
    return value !== "false" && value !== "0";
  }
  const agent = ctx.req.headers["user-agent"];
  return agent !== undefined && PEOPLE_AGENTS.test(agent) ? true : undefined;
}
