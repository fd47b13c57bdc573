import { createRequire } from "node:module";
import type { ServerConfig } from "../server/server-config.ts";
import { ADMISSION } from "./flags/admission.ts";
import { AGGREGATION } from "./flags/aggregation.ts";
import { API_VERSIONS } from "./flags/api-versions.ts";
import { AUDIT } from "./flags/audit.ts";
import { AUTHENTICATION } from "./flags/authentication.ts";
import { AUTHORIZATION } from "./flags/authorization.ts";
import { EGRESS, TRACES } from "./flags/egress.ts";
import { LIMITS } from "./flags/limits.ts";
import { LOGGING } from "./flags/logging.ts";
import { NODES } from "./flags/nodes.ts";
import type { Given } from "./flags/section.ts";
import { FLAGS } from "./flags/sections.ts";
import { SERVER } from "./flags/server.ts";
import { SERVICE_ACCOUNTS } from "./flags/service-accounts.ts";
import { SERVICES } from "./flags/services.ts";
import { STORAGE } from "./flags/storage.ts";
import { TLS } from "./flags/tls.ts";
import { parseArguments } from "./parse-arguments.ts";

/** The flags of `serve`, for `parseArguments`. */
export const FLAG_OPTIONS = FLAGS.map(({ name, type }) => ({
  name,
  isSwitch: type === "boolean",
  ...(name.length === 1 && { short: name }),
}));

/** Parses the flags of `serve` on a command line. Throws a UsageError for anything else. */
export function parseFlags(args: readonly string[]): Given {
  return parseArguments(args, FLAG_OPTIONS, "", explainAbsent);
}

/** Why a flag of kube-apiserver is not one here; undefined for other flags. Loaded when it is needed: every start parses flags. */
function explainAbsent(name: string): string | undefined {
  const module = createRequire(import.meta.url)("./assets/flags-without-effect.ts");
  return (module as typeof import("./assets/flags-without-effect.ts")).whyAbsent(name);
}

/** Converts flags to the configuration of a server. The return type determines which values each section must provide. */
export function readConfig(given: Given): ServerConfig {
  return {
    ...SERVER.read(given),
    ...STORAGE.read(given),
    ...TLS.read(given),
    ...AUTHENTICATION.read(given),
    ...SERVICE_ACCOUNTS.read(given),
    ...AUTHORIZATION.read(given),
    ...ADMISSION.read(given),
    ...API_VERSIONS.read(given),
    ...AGGREGATION.read(given),
    ...NODES.read(given),
    ...EGRESS.read(given),
    ...TRACES.read(given),
    ...SERVICES.read(given),
    ...AUDIT.read(given),
    ...LOGGING.read(given),
    ...LIMITS.read(given),
  };
}

/** Returns messages about given flags that are deprecated, in the wording of kube-apiserver. */
export function deprecatedFlags(
  given: Pick<Given, "has">,
  flags: readonly { readonly name: string; readonly deprecated: string | undefined }[] = FLAGS,
): readonly string[] {
  return flags.flatMap(({ name, deprecated }) =>
    deprecated !== undefined && given.has(name) ? [`Flag --${name} has been deprecated, ${deprecated}`] : [],
  );
}
