import { setTimeout } from "node:timers";
import type { FrontProxyHeaders } from "../contract/authentication.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed } from "../contract/object-access.ts";
import type { ApiSurface } from "../kinds/api-surface.ts";
import type { KeyPairInFiles, PemPair } from "../lib/follow-key-pair.ts";
import type { Log } from "../lib/log.ts";
import { AggregationMetrics } from "../metrics/aggregation-metrics.ts";
import type { Metric } from "../metrics/metric.ts";
import type { Route } from "../outbound/dial.ts";
import { type ApiService, isAvailable } from "./api-service.ts";
import type { ForwardingContext } from "./forwarding-context.ts";
import { judgeAvailability, type ProbeServer, type Verdict } from "./judge-availability.ts";
import { createRemoteDocuments, type RemoteDocuments } from "./remote-documents.ts";
import { isSameServer, RemoteVersions } from "./remote-versions.ts";
import { ServiceDirectory } from "./service-directory.ts";

/** How requests are forwarded to extension servers. */
export interface AggregationConfig {
  /** Client certificate of this server. If undefined, the server creates one. */
  readonly client: KeyPairInFiles | undefined;
  /** Whether requests go directly to an endpoint instead of the address of the Service. */
  readonly toEndpoints: boolean;
  /** Whether redirects of extension servers are rejected. */
  readonly rejectsRedirects: boolean;
}

export interface AggregationParts {
  readonly config: AggregationConfig;
  /** Trusted front proxies. Headers with these names are not forwarded from clients to extension servers. */
  readonly frontProxy: FrontProxyHeaders | undefined;
  /** Client certificate of this server, used if none is configured. */
  readonly ownCertificate: PemPair;
  /** Whether the UID of users is sent to extension servers. */
  readonly tellsUid: boolean;
  /** Timeout for the response to a protocol upgrade; 0 means none. */
  readonly upgradeTimeoutMs: number;
  readonly naming: Naming;
  readonly vendor: string;
  readonly discoveryGroup: string;
  /** Feed that does not load kinds without objects. */
  readonly feed: ObjectFeed;
  readonly surface: () => ApiSurface;
  readonly stopping: AbortSignal;
  /** Proxy to extension servers; undefined for direct connections. */
  readonly route: Route | undefined;
  readonly log: Log;
}

/** API groups that extension servers serve. */
export interface Aggregation {
  /** Selects the APIServices to check, and evaluates whether their servers are available. */
  readonly availability: {
    follow(look: (name: string) => void): void;
    judge(registered: ApiService): Promise<Verdict>;
  };
  /** API groups of all servers, and the documents of extension servers. */
  readonly groups: RemoteDocuments["groups"];
  readonly discovered: RemoteDocuments["discovered"];
  readonly openApi: RemoteDocuments["openApi"];
  /** How requests are forwarded. */
  readonly forwarding: ForwardingContext;
  readonly families: readonly Metric[];
  /** Updates the metrics. */
  collect(): void;
  /** Watches APIServices; resolves when all existing ones are loaded. The returned function stops the watch. */
  follow(): Promise<() => Promise<void>>;
  /** Closes the connections to other servers at once. */
  close(): void;
}

const RETRY_MS = 500;

export function createAggregation(parts: AggregationParts): Aggregation {
  const { config, naming, log } = parts;
  const certificate = followCertificate(parts, () => remotes.reconnect());
  const remotes = new RemoteVersions({
    ownGroup: naming.group("apiregistration"),
    certificate: certificate.current,
    dial: parts.route?.dial,
  });
  const services = new ServiceDirectory({
    feed: parts.feed,
    toEndpoints: config.toEndpoints,
    random: Math.random,
  });
  /** Starts the watches. Retries while the store is unavailable. */
  const openServices = (): void => {
    services.open().catch(() => setTimeout(openServices, RETRY_MS).unref());
  };
  remotes.listen(openServices);
  const metrics = new AggregationMetrics(() => remotes.states());
  const probe: ProbeServer = async (service, path) => {
    const { probeServer } = await import("./probe-server.ts");
    await probeServer(service, path, { services, certificate: certificate.current, route: parts.route });
  };
  const documents = createRemoteDocuments({ ...parts, remotes, services });
  return {
    groups: documents.groups,
    discovered: documents.discovered,
    openApi: documents.openApi,
    availability: {
      follow(look) {
        // A change that keeps Service and transport, such as a status update, needs no new check.
        remotes.listen((_type, remote, former) => {
          if (former === undefined || !isSameServer(remote, former)) look(remote.name);
        });
        services.listen((namespace, name) => {
          for (const remote of remotes.all())
            if (remote.service.namespace === namespace && remote.service.name === name) look(remote.name);
        });
        remotes.listenToStrays(look);
        for (const { name } of remotes.all()) look(name);
      },
      async judge(registered) {
        const verdict = await judgeAvailability(registered, { services, probe });
        if (isAvailable(registered) && verdict.status !== "True")
          metrics.lost(registered.metadata.name ?? "", verdict.reason);
        return verdict;
      },
    },
    families: metrics.families,
    collect: () => metrics.collect(),
    forwarding: {
      ownerOf: (path) => (remotes.isEmpty ? undefined : (remotes.ownerOf(path) ?? documents.openApi.ownerOf(path))),
      addressOf: ({ service }) => services.resolve(service),
      headerRules: {
        identity: namesOf(parts.frontProxy),
        tokenProtocol: `base64url.bearer.${naming.group("authorization")}.`,
      },
      tellsUid: parts.tellsUid,
      rejectsRedirects: config.rejectsRedirects,
      upgradeTimeoutMs: parts.upgradeTimeoutMs,
      stopping: parts.stopping,
      onProblem: ({ name }, problem) =>
        log("warn", `cannot proxy a request for APIService ${name}: ${String(problem)}`),
    },
    async follow() {
      const resource = { group: naming.group("apiregistration"), resource: "apiservices" };
      const unfollow = await parts.feed.follow(resource, (change) => remotes.change(change));
      if (!remotes.isEmpty) await services.open();
      return async () => {
        unfollow();
        await certificate.stop();
        documents.stop();
        await services.close();
      };
    },
    close: () => remotes.close(),
  };
}

/** Returns the headers in which front proxies send the user. */
function namesOf(trust: FrontProxyHeaders | undefined): ForwardingContext["headerRules"]["identity"] {
  if (trust === undefined) return { names: new Set(), prefixes: [] };
  const lower = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
  return {
    names: new Set(lower([...trust.usernameHeaders, ...trust.uidHeaders, ...trust.groupHeaders])),
    prefixes: lower(trust.extraHeaderPrefixes),
  };
}

/** Returns the client certificate of this server: its own, or that of the files, which are reread when they change. */
function followCertificate({ config, ownCertificate, log }: AggregationParts, onChange: () => void) {
  const { client } = config;
  if (client === undefined) return { current: () => ownCertificate, stop: async () => undefined };
  let current = client.pair;
  const following = import("../lib/follow-key-pair.ts").then(({ followKeyPair }) =>
    followKeyPair(client.files, current, {
      changed(pair) {
        current = pair;
        onChange();
      },
      failed: (error) => log("warn", `--proxy-client-cert-file: ${error.message}`),
    }),
  );
  return { current: () => current, stop: async () => (await following)() };
}
