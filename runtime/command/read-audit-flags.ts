import { AUDIT_LOG_MODES } from "../audit/audit-log.ts";
import type { AuditConfig } from "../compose/server-config.ts";
import type { FlagValues } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** What is to be written down about requests, and where. */
export function readAuditFlags(flags: FlagValues): AuditConfig {
  const policy = flags.string("audit-policy-file");
  return {
    policy: policy === undefined ? undefined : { path: policy, contents: readFlagFile("audit-policy-file", policy) },
    logPath: flags.string("audit-log-path"),
    format: flags.choice("audit-log-format", ["json", "legacy"]),
    mode: flags.choice("audit-log-mode", AUDIT_LOG_MODES),
    maxAge: flags.number("audit-log-maxage"),
    maxBackups: flags.number("audit-log-maxbackup"),
    maxSize: flags.number("audit-log-maxsize"),
    compress: flags.boolean("audit-log-compress"),
  };
}
