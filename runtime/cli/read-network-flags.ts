import { isIP } from "node:net";
import { AddressRange, AddressRangeError } from "../controllers/services/address-range.ts";
import { PortRangeError, parsePortRange } from "../controllers/services/port-record.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { hostAddress, isLoopback, isUnspecified } from "./host-address.ts";
import { type FlagValues, UsageError } from "./parse-flags.ts";

const LAST_PORT = 65535;

type NetworkConfig = Pick<
  ServerConfig,
  | "bindAddress"
  | "securePort"
  | "advertiseAddress"
  | "externalHostname"
  | "serviceClusterIpRange"
  | "serviceNodePortRange"
  | "apiServiceNodePort"
>;

/** Addresses of this server, and the ranges of cluster IPs and node ports. */
export function readNetworkFlags(flags: FlagValues): NetworkConfig {
  const securePort = flags.number("secure-port");
  if (securePort > LAST_PORT)
    throw new UsageError(`--secure-port ${securePort} must be between 0 and 65535, inclusive`);
  return {
    bindAddress: readAddress(flags, "bind-address") ?? "127.0.0.1",
    securePort,
    advertiseAddress: readAdvertised(flags),
    externalHostname: flags.string("external-hostname") ?? flags.string("advertise-address"),
    ...readServiceRanges(flags),
  };
}

function readAddress(flags: FlagValues, name: string): string | undefined {
  const address = flags.string(name);
  if (address !== undefined && isIP(address) === 0) throw new UsageError(`--${name}=${address}: not an IP address`);
  return address;
}

/** Address at which other machines reach this server; undefined for loopback addresses. */
function readAdvertised(flags: FlagValues): string | undefined {
  const asked = readAddress(flags, "advertise-address");
  if (flags.choice("endpoint-reconciler-type", ["lease", "none"]) === "none") return undefined;
  const address = asked ?? flags.string("bind-address") ?? "";
  const reachable = isUnspecified(address) ? hostAddress(address) : address;
  return reachable === undefined || isLoopback(reachable) ? undefined : reachable;
}

function readServiceRanges(
  flags: FlagValues,
): Pick<NetworkConfig, "serviceClusterIpRange" | "serviceNodePortRange" | "apiServiceNodePort"> {
  const ranges = flags.string("service-cluster-ip-range") ?? "";
  const families = readWith("service-cluster-ip-range", ranges, (text) =>
    text.split(",").map((range) => new AddressRange(range.trim()).family),
  );
  if (families.length > 2) throw new UsageError("--service-cluster-ip-range must not contain more than two entries");
  if (families.length === 2 && families[0] === families[1])
    throw new UsageError(
      "--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family",
    );
  const portRange = flags.string("service-node-port-range") ?? "";
  const { first, last } = readWith("service-node-port-range", portRange, parsePortRange);
  const port = flags.number("kubernetes-service-node-port");
  if (port > LAST_PORT)
    throw new UsageError(
      `--kubernetes-service-node-port ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
    );
  if (port > 0 && (port < first || port > last))
    throw new UsageError(`kubernetes service node port range ${portRange} doesn't contain ${port}`);
  return { serviceClusterIpRange: ranges, serviceNodePortRange: portRange, apiServiceNodePort: port };
}

function readWith<T>(flag: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof AddressRangeError || error instanceof PortRangeError)
      throw new UsageError(`--${flag}=${text}: ${error.message}`);
    throw error;
  }
}
