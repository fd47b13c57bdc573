import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  conversions,
  createTypeSource,
  hooks,
  readCatalogue,
  readConversions,
  readFeatureGates,
  readOpenApi,
} from "../../generated/registry.ts";
import { createAuthorizer } from "../auth/authorize/create-authorizer.ts";
import { NodeAuthorizer } from "../auth/authorize/node/node-authorizer.ts";
import { NodeReferences } from "../auth/authorize/node/node-references.ts";
import { RbacAuthorizer } from "../auth/authorize/rbac-authorizer.ts";
import { RbacIndex } from "../auth/authorize/rbac-index.ts";
import type { ClusterIdentity } from "../auth/pki/cluster-identity.ts";
import type { ApiObject } from "../contract/api-object.ts";
import type { Authorizer, RuleResolver } from "../contract/authorization.ts";
import type { KindHooks } from "../contract/kind-hooks.ts";
import { createNaming } from "../contract/naming.ts";
import { unknownPath } from "../contract/status.ts";
import type { TypeRef } from "../contract/type-table.ts";
import { createConverters } from "../conversion/create-converters.ts";
import { DefinitionLifecycle } from "../custom/definition/definition-lifecycle.ts";
import { encodeCbor } from "../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../encoding/protobuf/envelope.ts";
import { stringifyYaml } from "../encoding/yaml/stringify-yaml.ts";
import { applyPatch, parseConfiguration } from "../handlers/apply-patch.ts";
import { ApiSurface } from "../http/api-surface.ts";
import { createApp } from "../http/app.ts";
import { authorizeRequest } from "../http/authorize-request.ts";
import type { Codecs } from "../http/codecs.ts";
import type { EncodingContext } from "../http/encode-object.ts";
import { type Listener, listen } from "../http/listen.ts";
import { createMediaTypes } from "../http/media-types.ts";
import { RequestMetrics } from "../http/metrics/request-metrics.ts";
import { createHealthChecks } from "../http/paths/health-checks.ts";
import { createOpenApi } from "../http/paths/openapi.ts";
import { versionInfo } from "../http/paths/version.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { deprecationAnnotations, deprecationNotice } from "../release/deprecation.ts";
import { type GateDescriptor, resolveFeatureGates } from "../release/feature-gates.ts";
import { parseRelease } from "../release/release.ts";
import { parseRuntimeConfig } from "../release/runtime-config.ts";
import { selectServed } from "../release/served.ts";
import type { WriteEnvironment } from "../resource/write-request.ts";
import { createRuleCompiler } from "../schema/cel-rules.ts";
import { createSchemas } from "../schema/schemas.ts";
import type { Store } from "../store/store.ts";
import type { ObjectCodec } from "../watch/codec.ts";
import { ContinueTokens } from "../watch/continue-token.ts";
import { MemoBudget } from "../watch/memo-budget.ts";
import { WatchCache } from "../watch/watch-cache.ts";
import { createAuthentication } from "./authentication.ts";
import { startBackground } from "./background.ts";
import { parseBody } from "./bodies.ts";
import { CustomKinds } from "./custom-kinds.ts";
import { createFindHandler } from "./handlers.ts";
import { createObjectAccess } from "./object-access.ts";
import { createResourceEntries } from "./resource-entries.ts";
import type { ServerConfig } from "./server-config.ts";
import { createVirtualKinds } from "./virtual-kinds.ts";
import { createWriteEnvironment } from "./write-environment.ts";

const BYTES_FOR_ENCODINGS = 64 * 1024 * 1024;
const FIELD_MANAGER = "kube-apiserver";

export interface ServerParts {
  readonly config: ServerConfig;
  readonly store: Store;
  readonly identity: ClusterIdentity;
  readonly log: Log;
}

/** A server that answers requests. */
export interface Server {
  readonly listener: Listener;
  readonly url: string;
  /** Resolves when everything that happens once at the start has happened. */
  readonly ready: Promise<void>;
  /** Says that it is going down, ends watches, lets requests finish. */
  stop(): Promise<void>;
}

/** Puts a server together: what is served, how it is stored, who may do what. Everything else is handed its parts. */
export async function createServer({ config, store, identity, log }: ServerParts): Promise<Server> {
  const now = (): Date => new Date();
  const catalogue = readCatalogue();
  const naming = createNaming(catalogue);
  const release = config.release === undefined ? catalogue.release : parseRelease(config.release);
  const gates = resolveFeatureGates(readFeatureGates<GateDescriptor>(), release, config.featureGates);
  for (const warning of gates.warnings) {
    log("warn", warning);
  }
  const served = selectServed(catalogue, {
    release,
    runtimeConfig: parseRuntimeConfig(config.runtimeConfig, catalogue),
  });
  const types = createMediaTypes({ ...catalogue, cbor: gates.enabled("CBORServingAndStorage") });
  const schemas = createSchemas(createTypeSource(), { compileRules: createRuleCompiler() });
  const budget = new MemoBudget(BYTES_FOR_ENCODINGS);
  const tokens = new ContinueTokens(store.identity);
  const caches = new Set<WatchCache>();
  const openCache = (prefix: string, codec: ObjectCodec): WatchCache => {
    const cache = new WatchCache({ store, prefix, codec, tokens, budget });
    caches.add(cache);
    return cache;
  };
  const keyRoot = config.etcd?.prefix ?? "/registry";
  const storedAs = config.etcd === undefined ? "json" : "protobuf";
  const entries = createResourceEntries(served.resources, {
    schemas,
    store,
    budget,
    metaGroup: types.metaGroup,
    keyRoot,
    storedAs,
    ttlSeconds: (type) => (type === "core/v1.Event" ? config.eventTtlSeconds : undefined),
    loadHooks,
    loadConverter: createConverters({
      entries: readConversions(),
      declarations: conversions,
      schemas,
      domain: catalogue.domain,
    }),
    versionsOf: (hub) => catalogue.resources.filter(({ storage }) => storage.type === hub),
    storageVersionOf: served.storageVersionOf,
    openCache,
  });
  const custom = new CustomKinds({
    schemas,
    store,
    budget,
    vendor: catalogue.vendor,
    metaGroup: types.metaGroup,
    keyRoot,
    storedAs,
    openCache,
  });
  let surface = new ApiSurface(served.groups, entries, catalogue.domain);

  const environmentHolder: { environment?: WriteEnvironment } = {};
  const objects = createObjectAccess({
    entries: () => surface.entries(),
    environment: () => environmentHolder.environment as WriteEnvironment,
    fieldManager: FIELD_MANAGER,
  });
  const rbac = new RbacIndex(naming);
  const nodes = new NodeReferences(naming);
  const authorizer: Authorizer & RuleResolver = createAuthorizer(config.authorizationModes, {
    RBAC: new RbacAuthorizer(rbac),
    Node: new NodeAuthorizer(naming, nodes),
  });
  const state = { started: false, stopping: new AbortController(), url: "" };
  const authentication = createAuthentication({
    config,
    naming,
    reader: objects,
    authorizer: () => authorizer,
    now,
    serverUrl: () => state.url,
  });
  const virtual = createVirtualKinds({ naming, authorizer, authentication, reader: objects, now });

  const { environment, followServices } = createWriteEnvironment({
    config,
    naming,
    objects,
    authorizer,
    rbac,
    gates,
    surface: () => surface,
    now,
  });
  environmentHolder.environment = environment;

  const kindNames = new Set(
    catalogue.resources.flatMap(({ group, version, kind, listKind }) =>
      [kind, listKind].map((name) => `${group === "" ? version : `${group}/${version}`} ${name}`),
    ),
  );
  const findHandler = createFindHandler({
    ...environment,
    parseBody,
    knowsKind: (apiVersion, kind) => kindNames.has(`${apiVersion} ${kind}`) || kind === "List" || kind === "Status",
    deleteOptionsSchema: () => schemas.of("meta/v1.DeleteOptions"),
    applyPatch,
    parseConfiguration,
    schemas,
    issueToken: virtual.issueToken,
    objects,
    watchLimits: {
      streamsLists: gates.enabled("WatchList"),
      defaultTimeoutSeconds: () => Math.round(config.minRequestTimeoutSeconds * (1 + Math.random())),
    },
    virtualKinds: virtual.kinds,
    async loadResource(group, version, resource) {
      const entry = surface.find(group, version, resource);
      if (entry === undefined) {
        throw unknownPath();
      }
      return entry.load();
    },
  });

  const metrics = new RequestMetrics();
  const encoding: EncodingContext = { codecs, types, schemas, now, annotationPrefix: catalogue.domain };
  const health = createHealthChecks({
    pingStore: () => store.currentRevision(),
    started: () => state.started,
    stopping: () => state.stopping.signal.aborted,
  });
  const app = createApp({
    ...encoding,
    compress: gates.enabled("APIResponseCompression"),
    stopping: state.stopping.signal,
    surface: () => surface,
    findHandler,
    deprecation({ entry, subresource }) {
      const notice = deprecationNotice(entry.descriptor, release);
      const own = entry.descriptor.custom?.warning;
      if (own !== undefined) {
        return { warning: own, annotations: {} };
      }
      if (notice === undefined) {
        return undefined;
      }
      const { group, version, resource } = entry.descriptor;
      metrics.deprecated.set(1, group, version, resource, subresource?.name ?? "", notice.removedRelease);
      return { warning: notice.warning, annotations: deprecationAnnotations(notice, catalogue.domain) };
    },
    paths: {
      surface: () => surface,
      discovery: {
        ...encoding,
        surface: () => surface,
        serverAddress: () => new URL(state.url).host,
        speaksBeta: !gates.enabled("AggregatedDiscoveryRemoveBetaType"),
      },
      health,
      version: versionInfo(release),
      answerOpenApi: createOpenApi({
        surface: () => surface,
        documents: {
          read: readOpenApi,
          otherPaths: [".well-known/openid-configuration", "api", "apis", "logs", "openid/v1/jwks", "version"],
        },
        encodeProtobuf: async (job) => (await import("../http/openapi-protobuf/encode-openapi.ts")).encodeOpenApi(job),
      }),
      metrics: () => metrics.expose(),
      openIdDocument: authentication.openIdDocument,
    },
    authenticate: authentication.authenticate,
    authorize: authorizeRequest(authorizer),
    requestTimeoutMs: config.requestTimeoutMs,
    clock: systemClock,
    limits: { reads: config.maxRequestsInflight, writes: config.maxMutatingRequestsInflight },
    metrics,
    newUid: randomUUID,
    monotonic: () => performance.now(),
    onUnexpected: (error, path) =>
      log(
        "error",
        `unexpected error on ${path}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      ),
  });

  const definitions = new DefinitionLifecycle({
    naming,
    objects,
    serve(served_) {
      if (custom.replace(served_)) {
        surface = new ApiSurface(custom.groups(served.groups), [...entries, ...custom.entries], catalogue.domain);
      }
    },
    served: async () => undefined,
    now,
    log,
  });
  const followers = await Promise.all([
    rbac.follow(objects),
    followServices(),
    definitions.start(),
    ...(config.authorizationModes.includes("Node") ? [nodes.follow(objects)] : []),
  ]);
  const listener = await listen(app.callback(), {
    host: config.bindAddress,
    port: config.securePort,
    tls: {
      cert: identity.serving.certificatePem,
      key: identity.serving.keyPem,
      clientAuthority: config.clientCaFile ? readFileSync(config.clientCaFile, "utf8") : identity.authorityPem,
    },
    headersTimeoutMs: 30_000,
  });
  const host = config.bindAddress.includes(":") ? `[${config.bindAddress}]` : config.bindAddress;
  state.url = `https://${host === "0.0.0.0" ? "127.0.0.1" : host}:${listener.address.port}`;
  const background = startBackground({
    config,
    naming,
    objects,
    surface: () => surface,
    authorityPem: identity.authorityPem,
    securePort: listener.address.port,
    now,
    log,
  }).then((stop) => {
    state.started = true;
    return stop;
  });
  const ready = background.then(() => undefined);
  ready.catch((error: unknown) => log("error", `cannot make the objects a cluster starts with: ${String(error)}`));
  return {
    listener,
    url: state.url,
    ready,
    async stop() {
      state.stopping.abort();
      await (await background.catch(() => undefined))?.();
      await Promise.all(followers.map((unfollow) => unfollow()));
      if (config.shutdownDelayMs > 0) {
        await new Promise<void>((resolve) => systemClock.after(config.shutdownDelayMs, resolve));
      }
      await listener.close(config.requestTimeoutMs);
      for (const cache of caches) {
        cache.close();
      }
      await store.close();
    },
  };
}

const codecs: Codecs = {
  stringifyJson: (value, pretty) => stringifyJson(value, pretty ? { pretty } : undefined),
  stringifyYaml,
  encodeCbor: (value) => encodeCbor(value),
  encodeEnvelope: (apiVersion, kind, raw) => encodeEnvelope({ apiVersion, kind, raw }),
};

async function loadHooks(type: TypeRef): Promise<KindHooks<ApiObject>> {
  const load = (hooks as Readonly<Record<string, (() => Promise<unknown>) | undefined>>)[type];
  return load === undefined ? {} : ((await load()) as KindHooks<ApiObject>);
}
