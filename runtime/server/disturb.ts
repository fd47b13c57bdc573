import { formatDisturb } from "../disturb/disturb-settings.ts";
import type { Disturber } from "../disturb/disturber.ts";
import { systemClock } from "../lib/clock.ts";
import type { ServerCore } from "./server-core.ts";

/** Disturbs clients if the configuration says so. Logs with which seed, so that it can be repeated. */
export async function disturberFor(core: ServerCore): Promise<Disturber | undefined> {
  const { config, store, state, kinds, log } = core;
  if (config.disturb === undefined) return undefined;
  const { Disturber } = await import("../disturb/disturber.ts");
  log("warn", `disturbing clients; the same again with --disturb=${formatDisturb(config.disturb)}`);
  return new Disturber({
    settings: config.disturb,
    store,
    historyMs: config.historyMs,
    clock: systemClock,
    restart() {
      log("warn", "disturbing clients: restart");
      state.cutConnections();
      kinds.reloadCaches();
    },
  });
}
