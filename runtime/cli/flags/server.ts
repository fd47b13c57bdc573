import { randomInt } from "node:crypto";
import { isIP } from "node:net";
import { DisturbError, type DisturbSettings, parseDisturb } from "../../disturb/disturb-settings.ts";
import { hostAddress, isLoopback, isUnspecified } from "../host-address.ts";
import { UsageError } from "../usage-error.ts";
import { boolean, choice, duration, number, string } from "./flag.ts";
import { section } from "./section.ts";

const LAST_PORT = 65535;
const MOST_WORKERS = 256;

export const SERVER = section(
  "Server",
  {
    bindAddress: string("bind-address", {
      default: "127.0.0.1",
      help: "IP address to listen on. 0.0.0.0 and :: listen on all interfaces.",
    }).to(checkAddress),
    securePort: number("secure-port", {
      default: "6443",
      help: "Port to listen on, over TLS. 0 chooses a free port.",
    }).to((port) => {
      if (port > LAST_PORT) throw new UsageError(`--secure-port ${port} must be between 0 and 65535, inclusive`);
      return port;
    }),
    workers: number("workers", {
      default: "1",
      help: "Number of processes that serve requests behind --secure-port, beside the process that has the store and runs the controllers. 1 does everything in one process. A process that ends is started again. Limits are divided among them.",
    }).to((count, name) => {
      if (count < 1 || count > MOST_WORKERS)
        throw new UsageError(`--${name}=${count}: write a number from 1 to ${MOST_WORKERS}`);
      return count;
    }),
    certDir: string("cert-dir", {
      default: ".typeplane/pki",
      help: 'Directory of the CA, certificates and keys. Those that are missing are created at the first start. "memory" creates new ones at every start and writes none to disk.',
    }).to((directory) => (directory === "memory" ? undefined : directory)),
    kubeconfigOut: string("kubeconfig-out", {
      default: ".typeplane/kubeconfig",
      help: "File that the administrator's kubeconfig is written to. Empty writes none.",
    }).to((path) => path || undefined),
    advertiseAddress: string("advertise-address", {
      help: "IP address that is published as the endpoint of the kubernetes Service. Defaults to --bind-address, or to an address of the host's default interface if --bind-address is 0.0.0.0, :: or a loopback address. A loopback address is not published.",
    }).to((address, name) => (address === undefined ? undefined : checkAddress(address, name))),
    endpointReconcilerType: choice("endpoint-reconciler-type", ["lease", "none"], {
      default: "lease",
      help: "How --advertise-address is published: lease removes the address of a server that stops or is lost, none publishes no address.",
    }),
    externalHostname: string("external-hostname", {
      help: "Host name of this server in the URLs that it publishes. Defaults to --advertise-address.",
    }),
    controllers: boolean("controllers", {
      default: "true",
      help: "Run the built-in controllers: namespace deletion, contents of new namespaces, garbage collection, cluster role aggregation, quota usage. Set it to false when a kube-controller-manager runs.",
    }),
    livezGraceMs: duration("livez-grace-period", {
      default: "0s",
      help: "How long after the start /livez ignores start-up checks that have not finished. 0 means not at all.",
    }),
    profiling: boolean("profiling", {
      default: "true",
      help: "Serve CPU and heap profiles of this process at /debug/pprof/ to users who may get that path.",
    }),
    shutdownDelayMs: duration("shutdown-delay-duration", {
      default: "0s",
      help: "How long the server keeps serving after SIGTERM, while /readyz already fails, so that load balancers notice. 0 stops at once.",
    }),
    disturb: string("disturb", {
      help: "For tests of clients: stale lists, late events, closed watches, 410, 409, 429, slow responses and restarts, as far as the API permits them. seed=42 repeats the same disturbances; seed=42,late=0.2,close chooses some of them, with rates from 0 to 1: stale, late, close, expire, conflict, refuse, slow, bookmarks, restart. Only with a loopback --bind-address.",
    }).to(readDisturb),
  },
  ({ endpointReconcilerType, advertiseAddress, externalHostname, ...values }) => ({
    ...checkDisturb(values),
    advertiseAddress:
      endpointReconcilerType === "none" ? undefined : publishedAddress(advertiseAddress, values.bindAddress),
    externalHostname: externalHostname ?? advertiseAddress,
  }),
);

function checkAddress(address: string, name: string): string {
  if (isIP(address) === 0) throw new UsageError(`--${name}=${address}: not an IP address`);
  return address;
}

/** Returns the address in the endpoints of the API Service, chosen as in kube-apiserver; undefined if the host has none. */
function publishedAddress(given: string | undefined, bound: string): string | undefined {
  if (given !== undefined && !isUnspecified(given)) return isLoopback(given) ? undefined : given;
  return isUnspecified(bound) || isLoopback(bound) ? hostAddress(bound) : bound;
}

function readDisturb(text: string | undefined): DisturbSettings | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDisturb(text, () => randomInt(2 ** 32));
  } catch (error) {
    throw error instanceof DisturbError ? new UsageError(`--disturb: ${error.message}`) : error;
  }
}

/** Only clients of tests on this machine may be disturbed. */
function checkDisturb<
  T extends {
    readonly disturb: DisturbSettings | undefined;
    readonly bindAddress: string;
    readonly workers: number;
  },
>(values: T): T {
  if (values.disturb !== undefined && values.workers > 1) {
    throw new UsageError("--disturb needs --workers=1: its disturbances are those of one process");
  }
  if (values.disturb !== undefined && !isLoopback(values.bindAddress)) {
    throw new UsageError(
      `--disturb is for tests: it needs a loopback address instead of --bind-address=${values.bindAddress}`,
    );
  }
  return values;
}
