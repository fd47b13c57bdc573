import { type Aggregation, createAggregation } from "../aggregation/create-aggregation.ts";
import { type Authentication, createAuthentication } from "../auth/authenticate/create-authentication.ts";
import { createVirtualKinds } from "../auth/reviews/virtual-kinds.ts";
import { createComponentHealth } from "../controllers/component-health.ts";
import { createFindHandler } from "../handlers/find-handler.ts";
import type { FindHandler } from "../handlers/handler.ts";
import { type KnownKinds, knownKinds } from "../kinds/known-kinds.ts";
import type { Schemas } from "../schema/type-schema.ts";
import { clientAuthorityOf } from "./listen-options.ts";
import type { ServerCore } from "./server-core.ts";
import { externalUrl } from "./server-state.ts";

/** Authentication of requests. */
export function authenticateFor(core: ServerCore): Authentication {
  const { settings, config, platform, kinds, objects, identity, state, now } = core;
  return createAuthentication({
    config,
    naming: platform.naming,
    objects,
    issuers: settings.issuers,
    tokenFile: settings.tokenFile,
    clientAuthorityPem: clientAuthorityOf(config, identity),
    readsCertificateUids: platform.gates.enabled("AllowParsingUserUIDFromCertAuth"),
    authorizer: settings.access.authorizer,
    signingKeys: core.signingKeys,
    hasAccounts: kinds.surface.storesKind("", "serviceaccounts"),
    now,
    log: core.log,
    serverUrl: () => externalUrl(config, state),
  });
}

/** The handlers of everything that is served. */
export function handlersFor(core: ServerCore, authentication: Authentication): FindHandler {
  const { config, platform, kinds, objects, writing, store, state, now } = core;
  const { naming, gates } = platform;
  const schemas: Schemas = { of: (type) => state.platform.schemas.of(type) };
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
    kinds: kindsKnownNow(core),
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
    computedKinds: new Map([
      [
        "core/v1.ComponentStatus",
        createComponentHealth({ pingStore: core.worker?.pingStore ?? (() => store.currentRevision()) }),
      ],
    ]),
    loadResource: (group, version, resource) => kinds.load(group, version, resource),
  });
}

/** All kinds of the current definitions. */
function kindsKnownNow({ state }: ServerCore): KnownKinds {
  let platform = state.platform;
  let known = knownKinds(platform.catalogue, platform.schemas);
  const current = (): KnownKinds => {
    if (platform !== state.platform) {
      platform = state.platform;
      known = knownKinds(platform.catalogue, platform.schemas);
    }
    return known;
  };
  return {
    has: (apiVersion, kind) => current().has(apiVersion, kind),
    schemaOf: (apiVersion, kind) => current().schemaOf(apiVersion, kind),
  };
}

/** Whether the UID of the user is sent to extension servers. */
export function tellsUid({ platform }: ServerCore): boolean {
  return platform.gates.enabled("RemoteRequestHeaderUID");
}

/** Groups that extension servers serve. */
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
