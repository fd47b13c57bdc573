import type { AuthorizationWebhookFlags } from "../auth/authorize/load-authorizers.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";

const WEBHOOK_FLAGS = [
  "authorization-webhook-config-file",
  "authorization-webhook-version",
  "authorization-webhook-cache-authorized-ttl",
  "authorization-webhook-cache-unauthorized-ttl",
];

/** Flags of mode Webhook; undefined without that mode. Throws a UsageError for flags that exclude each other. */
export function readAuthorizationWebhookFlags(flags: FlagValues): AuthorizationWebhookFlags | undefined {
  if (flags.given("authorization-config")) {
    if (["authorization-mode", ...WEBHOOK_FLAGS].some((name) => flags.given(name)))
      throw new UsageError(
        "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
      );
    return undefined;
  }
  const version = flags.string("authorization-webhook-version") ?? "";
  checkVersion("webhook authorizer", version);
  const configFile = flags.string("authorization-webhook-config-file") ?? "";
  const wanted = flags.list("authorization-mode").includes("Webhook");
  if (wanted && configFile === "")
    throw new UsageError("authorization-mode Webhook's authorization config file not passed");
  if (!wanted && configFile !== "")
    throw new UsageError("cannot specify --authorization-webhook-config-file without mode Webhook");
  if (!wanted) return undefined;
  const duration = (name: string) => {
    flags.duration(name);
    return flags.string(name) ?? "0s";
  };
  return {
    configFile,
    version,
    authorizedTtl: duration("authorization-webhook-cache-authorized-ttl"),
    unauthorizedTtl: duration("authorization-webhook-cache-unauthorized-ttl"),
  };
}

/** The webhook that authenticates bearer tokens; undefined without one. */
export function readTokenWebhookFlags(flags: FlagValues): ServerConfig["tokenWebhook"] {
  const configFile = flags.string("authentication-token-webhook-config-file") ?? "";
  const version = flags.string("authentication-token-webhook-version") ?? "";
  checkVersion("authentication webhook", version);
  if (configFile === "") return undefined;
  return { configFile, version, cacheMs: flags.duration("authentication-token-webhook-cache-ttl") };
}

function checkVersion(what: string, version: string): void {
  if (version !== "v1" && version !== "v1beta1")
    throw new UsageError(`unsupported ${what} version "${version}", supported versions are "v1", "v1beta1"`);
}
