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
  /** `https://127.0.0.1:6443`, once it listens. */
  url: string;
  /** When it was created, on the clock of `performance.now()`. */
  readonly begun: number;
  /** The definitions that are served now: those of the start, until `Server.redefine` replaces them. */
  platform: Platform;
  readonly startUp: StartUp;
  /** Work that runs independently of requests, once it is started. */
  background?: Background;
  /** Whether shutdown has begun: not ready any more, but requests are still served. */
  goingDown: boolean;
  /** Aborted when watches must end. */
  readonly stopping: AbortController;
  /** Counts what should not happen. */
  readonly faults: FaultMetrics;
  /** Open connections, while the server listens. */
  connections: () => number;
  /** Closes all connections at once, once the server handles requests. */
  cutConnections: () => void;
  /** Whether events of watches wait to be written to connections. */
  flushesWait: () => boolean;
  /** The metrics of this process, once the server handles requests: all of them, or those of one path. */
  exposeMetrics: (path?: MetricsPath) => Promise<Buffer>;
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
  };
}

/** All kinds of the current definitions. */
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

/** The schemas of the current definitions. */
export function schemasKnownNow(state: ServerState): Schemas {
  return { of: (type) => state.platform.schemas.of(type) };
}

/** URL of this server for clients: the configured host and the port it listens on. */
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

/** How Services of webhooks are reached. The Service of this server is reached directly, as it has no proxy for cluster IPs. */
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
