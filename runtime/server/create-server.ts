import { createAggregation } from "../aggregation/create-aggregation.ts";
import { createAuthentication } from "../auth/authenticate/create-authentication.ts";
import { publishedTrust } from "../auth/authenticate/published-trust.ts";
import type { ClusterIdentity } from "../auth/pki/cluster-identity.ts";
import { createVirtualKinds } from "../auth/reviews/virtual-kinds.ts";
import { createComponentHealth } from "../controllers/component-health.ts";
import { registerCustomVersions } from "../controllers/custom-api-services.ts";
import { createServerLeases } from "../controllers/server-leases.ts";
import { parsePortRange } from "../controllers/services/port-record.ts";
import { createPortRecord } from "../controllers/services/stored-port-record.ts";
import { createFindHandler } from "../handlers/find-handler.ts";
import { createInMemoryTransport, type Fetch } from "../http/transport/in-memory-transport.ts";
import { type Listener, listen } from "../http/transport/listen.ts";
import { DefinitionLifecycle } from "../kinds/custom/definition/definition-lifecycle.ts";
import { knownKinds } from "../kinds/known-kinds.ts";
import { moveUngroupedKeys } from "../kinds/move-ungrouped-keys.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createUnexpectedErrors, type OnUnexpected } from "../lib/unexpected-errors.ts";
import { AdmissionMetrics } from "../metrics/admission-metrics.ts";
import { StorageMetrics } from "../metrics/storage-metrics.ts";
import { createObjectAccess } from "../resource/access/object-access.ts";
import { createSparseFeed } from "../resource/access/sparse-feed.ts";
import type { WriteEnvironment } from "../resource/write-request.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { startBackground } from "./background.ts";
import { createKinds } from "./create-kinds.ts";
import type { Settings } from "./read-settings.ts";
import { createRequestApp } from "./request-app.ts";
import type { ServerConfig } from "./server-config.ts";
import { createServerState, externalUrl, type ServerState } from "./server-state.ts";
import { createWriteEnvironment } from "./write-environment.ts";

/** Owner of the fields the server itself writes. */
const FIELD_MANAGER = "kube-apiserver";
const HTTPS_PORT = 443;
/** Whoever asks from within the process may have stopped reading for good. */
const IN_MEMORY_GRACE_MS = 2_000;

export interface ServerParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly identity: ClusterIdentity;
  readonly log: Log;
  /** False: no socket is opened, and only `fetch` reaches the server. */
  readonly listens?: boolean;
}

/** A server that answers requests. */
export interface Server {
  /** Where it listens; what it is called within a cluster, where it does not. */
  readonly url: string;
  /** Asks this server without a socket. Who asks is told by headers, as on any connection. */
  readonly fetch: Fetch;
  /** Resolves when everything that happens once at the start has happened. */
  readonly ready: Promise<void>;
  /** Logs and counts an error that nobody foresaw, such as one that reached the process itself. */
  readonly onUnexpected: OnUnexpected;
  /** Lets go of what is kept only to be fast. */
  releaseMemory(): void;
  /** Says that it is going down, ends watches, lets requests finish. */
  stop(): Promise<void>;
}

/** Puts a server together. One that cannot be started leaves nothing open, the store included. */
export async function createServer(parts: ServerParts): Promise<Server> {
  const undo: (() => unknown)[] = [() => parts.store.close(), () => parts.settings.close()];
  try {
    return await assemble(parts, (step) => void undo.push(step));
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

/** What is served, how it is stored, who may do what. Everything else is handed its parts. */
async function assemble(
  { settings, identity, log, listens = true, ...parts }: ServerParts,
  undoBy: (step: () => unknown) => void,
): Promise<Server> {
  const { config, platform, encryption, access, issuers } = settings;
  const now = (): Date => new Date();
  const state = createServerState();
  const onUnexpected = createUnexpectedErrors({
    log,
    count: (source) => state.unexpectedErrors.add(1, source),
    monotonic: () => performance.now(),
  });
  const { naming, gates, schemas } = platform;
  const store = encryption.over(parts.store);
  const storage = new StorageMetrics(() => performance.now());
  const admission = new AdmissionMetrics();
  const kinds = createKinds(platform, config, {
    store,
    encryption,
    meterOf: (resource) => storage.meterOf(resource),
    log,
  });
  undoBy(() => kinds.close());
  await moveUngroupedKeys(platform.catalogue.resources, {
    store,
    keyRoot: keyRootOf(config),
    transformerFor: (group, resource) => encryption.transformerFor(group, resource),
    log,
  });
  const surface = () => kinds.surface;
  const { authorizer } = access;

  // Admission reads objects through the very write path that it is a part of.
  const environment = (): WriteEnvironment => writing.environment;
  const objects = createObjectAccess({ surface, environment, fieldManager: FIELD_MANAGER });
  const portRecord =
    config.etcd &&
    createPortRecord({
      store,
      keyRoot: keyRootOf(config),
      range: parsePortRange(config.serviceNodePortRange),
      schemas,
    });
  const writing = createWriteEnvironment({
    portRecord,
    config,
    naming,
    objects,
    authorizer,
    rbac: access.rbac,
    gates,
    release: platform.release,
    surface,
    now,
    measured: (chain) => admission.measured(chain, () => performance.now()),
    admissionObserver: admission,
    pluginSettings: settings.admission,
    onMismatch(problem) {
      state.validationMismatches.add(1);
      log("warn", `declarative and handwritten validation disagree: ${problem}`);
    },
  });

  const authentication = createAuthentication({
    config,
    naming,
    objects,
    issuers,
    tokenFile: settings.tokenFile,
    clientAuthorityPem: clientAuthorityOf(config, identity),
    readsCertificateUids: gates.enabled("AllowParsingUserUIDFromCertAuth"),
    authorizer: () => authorizer,
    now,
    serverUrl: () => externalUrl(config, state),
  });
  undoBy(() => authentication.settled());
  const virtual = createVirtualKinds({
    naming,
    authorizer,
    withSelectors: gates.enabled("AuthorizeWithSelectors"),
    authentication,
    reader: objects,
    now,
    tokens: config.serviceAccounts,
  });
  const findHandler = createFindHandler({
    ...writing.environment,
    authorizer,
    kinds: knownKinds(platform.catalogue, schemas),
    deleteOptionsSchema: () => schemas.of("meta/v1.DeleteOptions"),
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    schemas,
    issueToken: virtual.issueToken,
    objects,
    watchLimits: {
      streamsLists: gates.enabled("WatchList"),
      defaultTimeoutSeconds: () => Math.round(config.minRequestTimeoutSeconds * (1 + Math.random())),
    },
    virtualKinds: virtual.kinds,
    computedKinds: new Map([
      ["core/v1.ComponentStatus", createComponentHealth({ pingStore: () => store.currentRevision() })],
    ]),
    loadResource: (group, version, resource) => kinds.load(group, version, resource),
  });
  const tellsUid = gates.enabled("RemoteRequestHeaderUID");
  const aggregation = createAggregation({
    config: config.aggregation,
    frontProxy: config.frontProxy,
    ownCertificate: identity.frontProxy.client,
    tellsUid,
    upgradeTimeoutMs: config.requestTimeoutMs,
    naming,
    vendor: platform.catalogue.vendor,
    discoveryGroup: platform.mediaTypes.discoveryGroup,
    feed: () => sparseFeed,
    surface: () => kinds.discovered,
    stopping: state.stopping.signal,
    log,
  });
  undoBy(() => aggregation.close());
  const audit = await settings.openAudit?.();
  undoBy(() => audit?.close());
  const app = createRequestApp({
    config,
    platform,
    kinds,
    store,
    encryption,
    state,
    authentication,
    authorizer,
    audit,
    storage,
    families: admission.families,
    serviceCounts: writing.serviceCounts,
    aggregation,
    findHandler,
    now,
    onUnexpected,
  });

  const definitions = new DefinitionLifecycle({
    naming,
    objects,
    serve: (served) => kinds.serveCustom(served),
    async served() {
      await registerCustomVersions(kinds.customVersions, { naming, objects, now });
      await state.background?.kindsChanged();
    },
    now,
    log,
  });
  const sparseFeed = createSparseFeed({ store, surface, keyRoot: keyRootOf(config), feed: objects });
  const followers = await Promise.all([
    access.follow(sparseFeed),
    writing.followServices(),
    writing.followAdmission(sparseFeed),
    definitions.start(),
    aggregation.follow(),
  ]);
  undoBy(() => Promise.all(followers.map((unfollow) => unfollow())));
  const handle = app.callback();
  const memory = createInMemoryTransport(handle, () => state.url);
  const listener = listens
    ? await listen(handle, {
        ...listenOptions(config, identity),
        onHandshakeError: () => state.handshakeErrors.add(1),
        onClosed: (reason) => state.closedConnections.add(1, reason),
        onUnexpected,
      })
    : undefined;
  state.connections = () => listener?.connections ?? 0;
  state.url = listener === undefined ? `https://${naming.vendor}.default.svc` : urlOf(config, listener);
  const background = startBackground({
    config,
    naming,
    objects,
    sparseFeed,
    surface,
    authorityPem: identity.authorityPem,
    podsFirst: gates.enabled("OrderedNamespaceDeletion"),
    clientAuthorityPem: clientAuthorityOf(config, identity),
    frontProxy: publishedTrust(
      config.frontProxy,
      config.aggregation.client === undefined ? { authority: identity.frontProxy.authorityPem, tellsUid } : undefined,
    ),
    availability: aggregation.availability,
    securePort: listener?.address.port ?? HTTPS_PORT,
    portRecord,
    leases: createServerLeases(store, keyRootOf(config)),
    now,
    log,
  }).then((running) => {
    state.background = running;
    state.started = true;
    return running;
  });
  const ready = background.then(() => undefined);
  ready.catch((error: unknown) =>
    log("error", `cannot create the objects that every cluster starts with: ${String(error)}`),
  );
  return {
    url: state.url,
    fetch: memory.fetch,
    ready,
    onUnexpected,
    releaseMemory: () => kinds.releaseMemory(),
    async stop() {
      await goDown(state, config.shutdownDelayMs);
      await (await background.catch(() => undefined))?.stop();
      await Promise.all(followers.map((unfollow) => unfollow()));
      await Promise.all([listener?.close(config.requestTimeoutMs), memory.close(IN_MEMORY_GRACE_MS)]);
      aggregation.close();
      await authentication.settled();
      await audit?.close();
      settings.close();
      kinds.close();
      await store.close();
    },
  };
}

/** Not ready at once, for load balancers to see; then watches end. */
async function goDown(state: ServerState, delayMs: number): Promise<void> {
  state.goingDown = true;
  if (delayMs > 0) {
    await new Promise<void>((resolve) => void systemClock.after(delayMs, resolve));
  }
  state.stopping.abort();
}

function listenOptions(config: ServerConfig, identity: ClusterIdentity): Parameters<typeof listen>[1] {
  const { tls, frontProxy, goawayChance, strictTransportSecurity } = config;
  return {
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      ...tls,
      cert: tls.certificate ?? identity.serving.certificatePem,
      key: tls.key ?? identity.serving.keyPem,
      clientAuthorities: [clientAuthorityOf(config, identity), ...(frontProxy ? [frontProxy.authority] : [])],
    },
    limits: config.connectionLimits,
    reusePort: config.permitPortSharing,
    ...(strictTransportSecurity.length > 0 && {
      headers: { "Strict-Transport-Security": strictTransportSecurity.join("; ") },
    }),
    ...(goawayChance > 0 && { endsConnection: () => Math.random() < goawayChance }),
  };
}

function clientAuthorityOf({ clientAuthority }: ServerConfig, identity: ClusterIdentity): string {
  return clientAuthority ?? identity.authorityPem;
}

function urlOf({ bindAddress }: ServerConfig, { address }: Listener): string {
  const reachable = bindAddress === "0.0.0.0" ? "127.0.0.1" : bindAddress === "::" ? "::1" : bindAddress;
  return `https://${reachable.includes(":") ? `[${reachable}]` : reachable}:${address.port}`;
}
