import { createSecureContext } from "node:tls";
import type { AggregationConfig } from "../aggregation/create-aggregation.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";
import { readFlagFile } from "./read-flag-file.ts";

/** How requests are proxied to extension API servers. */
export function readAggregationFlags(flags: FlagValues): AggregationConfig {
  return {
    client: readClient(flags),
    toEndpoints: flags.boolean("enable-aggregator-routing"),
    rejectsRedirects: flags.boolean("aggregator-reject-forwarding-redirect"),
  };
}

function readClient(flags: FlagValues): AggregationConfig["client"] {
  const certificateFile = flags.string("proxy-client-cert-file") ?? "";
  const keyFile = flags.string("proxy-client-key-file") ?? "";
  if (certificateFile === "" && keyFile === "") return undefined;
  if (certificateFile === "" || keyFile === "")
    throw new UsageError("--proxy-client-cert-file and --proxy-client-key-file must be specified together");
  try {
    createSecureContext({
      cert: readFlagFile("proxy-client-cert-file", certificateFile),
      key: readFlagFile("proxy-client-key-file", keyFile),
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--proxy-client-cert-file, --proxy-client-key-file: ${(error as Error).message}`);
  }
  return { certificateFile, keyFile };
}
