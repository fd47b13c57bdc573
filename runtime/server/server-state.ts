import type { ServiceRouting } from "../admission/webhooks/service-address.ts";
import { StartUp } from "../http/health/start-up-steps.ts";
import { type KnownKinds, knownKinds } from "../kinds/known-kinds.ts";
import { FaultMetrics } from "../metrics/fault-metrics.ts";
import type { MetricsPath } from "../metrics/health-metrics.ts";
import type { Egress } from "../outbound/dial.ts";
import type { Schemas } from "../schema/type-schema.ts";
import { ipVersion } from "../values/ip-address.ts";
import type { Background } from "./background.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

/** Life cycle state of a server, shared by its parts. */
export interface ServerState {
  /** For example `https://127.0.0.1:6443`. Set once the server listens. */
  url: string;
  /** Start time on the clock of `performance.now()`. */
  readonly begun: number;
  /** The definitions served now: those of the start, until `Server.redefine` replaces them. */
  platform: Platform;
  readonly startUp: StartUp;
  /** Work that runs independently of requests. Set once it is started. */
  background?: Background;
  /** Whether shutdown has begun: the server reports not ready but still serves requests. */
  goingDown: boolean;
  /** Aborted when watches must end. */
  readonly stopping: AbortController;
  /** Counts unexpected errors. */
  readonly faults: FaultMetrics;
  /** Number of open connections. 0 until the server listens. */
  connections: () => number;
  /** Closes all connections at once. Set when the server handles requests. */
  cutConnections: () => void;
  /** Whether watch events wait to be written to connections. */
  flushesWait: () => boolean;
  /** The metrics of this process: of all paths, or only of the given one. Set when the server handles requests. */
  exposeMetrics: (path?: MetricsPath) => Promise<Buffer>;
  /** Resets the metrics of this process that a path shows. */
  resetMetrics: (path: MetricsPath) => void;
}

export function createServerState(platform: Platform): ServerState {
  return {
    url: "",
    begun: performance.now(),
    platform,
    startUp: new StartUp(),
    goingDown: false,
    stopping: new AbortController(),
    faults: new FaultMetrics(),
    connections: () => 0,
    cutConnections: () => undefined,
    flushesWait: () => false,
    exposeMetrics: async () => Buffer.alloc(0),
    resetMetrics: () => undefined,
  };
}

/** Known kinds of the current definitions, also after `Server.redefine`. */
export function kindsKnownNow(state: ServerState): KnownKinds {
  let { platform } = state;
  let known: KnownKinds | undefined;
  const current = (): KnownKinds => {
    if (platform !== state.platform) known = undefined;
    platform = state.platform;
    known ??= knownKinds(platform.catalogue, platform.schemas);
    return known;
  };
  return {
    has: (apiVersion, kind) => current().has(apiVersion, kind),
    schemaOf: (apiVersion, kind) => current().schemaOf(apiVersion, kind),
  };
}

/** Schemas of the current definitions, also after `Server.redefine`. */
export function schemasKnownNow(state: ServerState): Schemas {
  return { of: (type) => state.platform.schemas.of(type) };
}

/** URL of this server for clients: the configured host with the port on which it listens. */
export function externalUrl(
  { externalHostname: host }: Pick<ServerConfig, "externalHostname">,
  state: ServerState,
): string {
  if (host === undefined) return state.url;
  const { port } = new URL(state.url);
  const name = host.includes(":") ? `[${host}]` : host;
  return `https://${name}${port === "" ? "" : `:${port}`}`;
}

export const HTTPS_PORT = 443;

/** How requests to webhook Services are routed. This server's own Service is reached directly, as the server has no proxy for cluster IPs. */
export function routingOf(
  { aggregation }: Pick<ServerConfig, "aggregation">,
  { naming }: Pick<Platform, "naming">,
  state: ServerState,
  egress: Egress | undefined,
): ServiceRouting {
  return {
    egress,
    toEndpoints: aggregation.toEndpoints,
    own({ namespace, name, port }) {
      if (namespace !== "default" || name !== naming.vendor || port !== HTTPS_PORT) return undefined;
      const url = new URL(state.url);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      return ipVersion(host) === 0 ? undefined : { host, port: Number(url.port || HTTPS_PORT) };
    },
  };
}
