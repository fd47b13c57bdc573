import type { ServerConfig } from "../server/server-config.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";

export function readEncryptionFlags(flags: FlagValues): ServerConfig["encryption"] {
  const file = flags.string("encryption-provider-config") || undefined;
  const reload = flags.boolean("encryption-provider-config-automatic-reload");
  if (reload && file === undefined)
    throw new UsageError("--encryption-provider-config-automatic-reload must be set with --encryption-provider-config");
  return { file, reload };
}
