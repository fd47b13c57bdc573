import { AddressRange, AddressRangeError } from "../../controllers/services/address-range.ts";
import { PortRangeError, parsePortRange } from "../../controllers/services/port-record.ts";
import { UsageError } from "../usage-error.ts";
import { number, string } from "./flag.ts";
import { section } from "./section.ts";

const LAST_PORT = 65535;
const DEFAULT_RANGE = "10.0.0.0/24";
/** Minimum number of host bits of a range: 8 addresses. */
const LEAST_BITS = 3;

export const SERVICES = section(
  "Services",
  {
    serviceClusterIpRange: string("service-cluster-ip-range", {
      default: DEFAULT_RANGE,
      help: "CIDR of the cluster IPs of Services: at most a /12 or, for IPv6, a /108, unless the feature gate DisableAllocatorDualWrite is on. Two, separated by a comma, for dual stack.",
    }).to((given, name) => {
      const ranges = given === "" ? DEFAULT_RANGE : given;
      const all = parsed(name, ranges, (text) => text.split(",").map((range) => new AddressRange(range.trim())));
      const [first, second, ...more] = all.map(({ family }) => family);
      if (all.some(({ family, bits }) => (family === "IPv4" ? 32 : 128) - bits < LEAST_BITS))
        throw new UsageError(`--${name}=${ranges}: the service cluster IP range must be at least 8 IP addresses`);
      if (more.length > 0) throw new UsageError(`--${name} must not contain more than two entries`);
      if (first === second) throw new UsageError(`--${name}[0] and --${name}[1] must be of different IP family`);
      return ranges;
    }),
    serviceNodePortRange: string("service-node-port-range", {
      default: "30000-32767",
      help: "Port range of Services of type NodePort.",
    }),
    apiServiceNodePort: number("kubernetes-service-node-port", {
      default: "0",
      help: "Node port of the kubernetes Service. 0 makes it a Service of type ClusterIP.",
    }).to((port, name) => {
      if (port > LAST_PORT)
        throw new UsageError(
          `--${name} ${port} must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
        );
      return port;
    }),
  },
  (values) => {
    const { serviceNodePortRange: range, apiServiceNodePort: port } = values;
    const { first, last } = parsed("service-node-port-range", range, parsePortRange);
    if (port > 0 && (port < first || port > last))
      throw new UsageError(`kubernetes service node port range ${range} doesn't contain ${port}`);
    return values;
  },
);

function parsed<T>(flag: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof AddressRangeError || error instanceof PortRangeError)
      throw new UsageError(`--${flag}=${text}: ${error.message}`);
    throw error;
  }
}
