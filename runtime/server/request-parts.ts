import { type Aggregation, createAggregation } from "../aggregation/create-aggregation.ts";
import type { Audit } from "../audit/open-audit.ts";
import { type Authentication, createAuthentication } from "../auth/authenticate/create-authentication.ts";
import { createVirtualKinds } from "../auth/reviews/virtual-kinds.ts";
import { createComponentHealth } from "../controllers/component-health.ts";
import { formatDisturb } from "../disturb/disturb-settings.ts";
import type { Disturber } from "../disturb/disturber.ts";
import { createRequestFairness, type RequestFairness } from "../fairness/request-fairness.ts";
import { createFindHandler } from "../handlers/find-handler.ts";
import type { FindHandler } from "../handlers/handler.ts";
import { systemClock } from "../lib/clock.ts";
import type { ServerCore } from "./server-core.ts";
import { externalUrl, kindsKnownNow, schemasKnownNow } from "./server-state.ts";

/** Dependencies of the request app: a server core, and the parts that only requests use. */
export interface RequestAppParts {
  readonly core: ServerCore;
  readonly authentication: Authentication;
  readonly aggregation: Aggregation;
  /** Absent if auditing is off. */
  readonly audit: Audit | undefined;
  readonly findHandler: FindHandler;
  /** Absent unless this server disturbs its clients on purpose. */
  readonly disturber: Disturber | undefined;
  /** Absent if priority and fairness is off. */
  readonly fairness: RequestFairness | undefined;
}

/** Authentication of requests. */
export function authenticationFor(core: ServerCore): Authentication {
  const { settings, config, platform, kinds, objects, tls, state, now } = core;
  return createAuthentication({
    config,
    naming: platform.naming,
    objects,
    issuers: settings.issuers,
    tokenFile: settings.tokenFile,
    clientAuthorities: () => tls.authorities,
    readsCertificateUids: platform.gates.enabled("AllowParsingUserUIDFromCertAuth"),
    authorizer: settings.access.authorizer,
    signingKeys: core.signingKeys,
    hasAccounts: kinds.surface.storesKind("", "serviceaccounts"),
    now,
    log: core.log,
    serverUrl: () => externalUrl(config, state),
  });
}

/** Creates the handlers of all kinds and verbs. */
export function handlersFor(core: ServerCore, authentication: Authentication): FindHandler {
  const { config, platform, kinds, objects, writing, state, now } = core;
  const { naming, gates } = platform;
  const schemas = schemasKnownNow(state);
  const { authorizer } = core.settings.access;
  const virtual = createVirtualKinds({
    naming,
    authorizer,
    withSelectors: gates.enabled("AuthorizeWithSelectors"),
    authentication,
    reader: objects,
    now,
    tokens: config.serviceAccounts,
  });
  return createFindHandler({
    ...writing.environment,
    authorizer,
    kinds: kindsKnownNow(state),
    deleteOptionsSchema: () => schemas.of("meta/v1.DeleteOptions"),
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    schemas,
    issueToken: virtual.issueToken,
    objects,
    nodes: config.nodes,
    streamsLists: gates.enabled("WatchList"),
    watchLimits: {
      defaultTimeoutSeconds: () => Math.round(config.minRequestTimeoutSeconds * (1 + Math.random())),
    },
    virtualKinds: virtual.kinds,
    computedKinds: new Map([["core/v1.ComponentStatus", createComponentHealth({ pingStore: pingStoreOf(core) })]]),
    loadResource: (group, version, resource) => kinds.load(group, version, resource),
  });
}

/** Returns a function that rejects if the store does not respond. */
export function pingStoreOf({ worker, store }: ServerCore): () => Promise<unknown> {
  return worker?.pingStore ?? (() => store.currentRevision());
}

/** Whether the UID of the user is sent to extension servers. */
export function tellsUid({ platform }: ServerCore): boolean {
  return platform.gates.enabled("RemoteRequestHeaderUID");
}

/** Creates the aggregation layer for groups that extension servers serve. */
export function aggregationFor(core: ServerCore): Aggregation {
  const { config, platform, identity, kinds, state, sparseFeed, log } = core;
  return createAggregation({
    config: config.aggregation,
    frontProxy: config.frontProxy,
    ownCertificate: identity.frontProxy.client,
    tellsUid: tellsUid(core),
    upgradeTimeoutMs: config.requestTimeoutMs,
    naming: platform.naming,
    vendor: platform.catalogue.vendor,
    discoveryGroup: platform.mediaTypes.discoveryGroup,
    feed: sparseFeed,
    surface: () => kinds.discovered,
    stopping: state.stopping.signal,
    route: core.settings.egress?.cluster,
    log,
  });
}

/** Creates the disturber if the configuration asks for it. Logs the seed, so that a run can be repeated. */
export async function disturberFor(core: ServerCore): Promise<Disturber | undefined> {
  const { config, store, state, kinds, log } = core;
  if (config.disturb === undefined) return undefined;
  const { Disturber } = await import("../disturb/disturber.ts");
  log("warn", `disturbing clients; the same again with --disturb=${formatDisturb(config.disturb)}`);
  return new Disturber({
    settings: config.disturb,
    store,
    historyMs: config.historyMs,
    clock: systemClock,
    restart() {
      log("warn", "disturbing clients: restart");
      state.cutConnections();
      kinds.reloadCaches();
    },
  });
}

/** Undefined if fairness is off: disabled by its flag, no limits of requests in flight, or its kinds are not served. */
export function fairnessFor({ config, platform, kinds, sparseFeed }: ServerCore): RequestFairness | undefined {
  const { fairness: isEnabled, reads, writes } = config.budgets;
  const { naming, gates } = platform;
  const isServed = kinds.surface.storesKind(naming.group("flowcontrol.apiserver"), "flowschemas");
  if (!isEnabled || !isServed || reads + writes === 0) return undefined;
  return createRequestFairness({
    seats: reads + writes,
    naming,
    feed: sparseFeed,
    facts: {
      objectCount: ({ group, version, resource }) => {
        const entry = kinds.surface.find(group, version, resource);
        if (entry?.loaded === undefined || entry.descriptor.virtual) return undefined;
        const { cache, prefix } = entry.loaded.stored;
        return cache.count(prefix);
      },
      streamsLists: gates.enabled("WatchList"),
    },
  });
}
