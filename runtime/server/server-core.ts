import { createConversionWebhooks } from "../admission/webhooks/conversion-webhooks.ts";
import type { ClusterIdentity } from "../auth/pki/cluster-identity.ts";
import type { SigningKeys } from "../auth/pki/signing-keys.ts";
import type { ObjectChanger, ObjectFeed, ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import type { CreatePrepared } from "../controllers/bootstrap/prepared-of-server.ts";
import { type BootstrapWrites, writeStartingObjects } from "../controllers/bootstrap/starting-objects.ts";
import type { PortRecord } from "../controllers/services/port-record.ts";
import type { RequestActivity } from "../http/pipeline/request-activity.ts";
import { moveUngroupedKeys } from "../kinds/move-ungrouped-keys.ts";
import type { ServedKinds, SharedCaches } from "../kinds/served-kinds.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { createUnexpectedErrors, type OnUnexpected } from "../lib/unexpected-errors.ts";
import { AdmissionMetrics } from "../metrics/admission-metrics.ts";
import { ControllerMetrics } from "../metrics/controller-metrics.ts";
import { CustomKindMetrics } from "../metrics/custom-kind-metrics.ts";
import { StorageMetrics } from "../metrics/storage-metrics.ts";
import { createObjectAccess } from "../resource/access/object-access.ts";
import { createSparseFeed } from "../resource/access/sparse-feed.ts";
import type { RecordWrite, WriteEnvironment } from "../resource/write-request.ts";
import { keyRootOf } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { tracedCache, tracedStore } from "../tracing/traced-store.ts";
import type { ResidentBudget } from "../watch/resident-budget.ts";
import { createKinds } from "./create-kinds.ts";
import type { Platform } from "./platform.ts";
import type { Settings } from "./read-settings.ts";
import type { ServerConfig } from "./server-config.ts";
import { createServerState, kindsKnownNow, routingOf, type ServerState, schemasKnownNow } from "./server-state.ts";
import { TlsMaterial } from "./tls-material.ts";
import type { WorkerPart } from "./workers/worker-part.ts";
import { createWriteEnvironment, type Writing } from "./write-environment.ts";

/** Number of uncached reads of a kind after which a worker fills its cache. */
const FILL_AFTER_GETS = 20;

/** Field manager of the fields that the server itself writes. */
const FIELD_MANAGER = "kube-apiserver";

export interface CoreParts {
  readonly settings: Settings;
  readonly store: Store;
  readonly identity: ClusterIdentity;
  readonly log: Log;
  /** Keys that sign service account tokens; by default those in the key directory. */
  readonly signingKeys?: SigningKeys | undefined;
  /** Whether the store already holds the bootstrap objects for this configuration. */
  readonly bootstrapped?: boolean;
  /** Called with the bootstrap objects that were written to a store without them. */
  readonly onBootstrapped?: ((written: BootstrapWrites) => void) | undefined;
  /** Caches of another server over the same data; `store` must be a copy made in the same turn of the event loop. */
  readonly caches?: SharedCaches | undefined;
  /** Observation points for tests: requests being handled, and a recorder of writes. */
  readonly observed?: Observed | undefined;
  /** Set in a server that is one of several worker processes. */
  readonly worker?: WorkerPart | undefined;
}

export interface Observed {
  readonly activity: RequestActivity;
  readonly recorder: () => RecordWrite | undefined;
}

/** The part of a server that does not depend on requests: kinds over a store, and internal access to objects. */
export interface ServerCore extends CoreParts {
  readonly bootstrapped: boolean;
  /** Creates bootstrap objects with values of this server, if they are prepared. */
  readonly createPrepared: CreatePrepared | undefined;
  readonly config: ServerConfig;
  readonly platform: Platform;
  readonly state: ServerState;
  readonly tls: TlsMaterial;
  /** Prefix of all storage keys. */
  readonly keyRoot: string;
  readonly kinds: ServedKinds;
  readonly objects: ObjectReader & ObjectWriter & ObjectFeed & ObjectChanger;
  /** Feed that does not load kinds without objects. */
  readonly sparseFeed: ObjectFeed;
  readonly writing: Writing;
  /** Record of node ports that all servers over one store share; absent if there is only one server. */
  readonly portRecord: PortRecord | undefined;
  readonly metrics: {
    readonly storage: StorageMetrics;
    readonly admission: AdmissionMetrics;
    readonly customKinds: CustomKindMetrics;
    readonly controllers: ControllerMetrics;
  };
  readonly onUnexpected: OnUnexpected;
  readonly clock: Clock;
  readonly now: () => Date;
}

/** Functions that close what was opened, in the order of opening. */
export type Closers = (() => unknown)[];

/** Creates the core. Adds a function to `closers` for each thing it opens. */
export async function createCore(parts: CoreParts, closers: Closers): Promise<ServerCore> {
  const { settings, log } = parts;
  const { config, clock, platform, encryption } = settings;
  const now = (): Date => new Date(clock.now());
  const state = createServerState(platform);
  const store = encryption.over(settings.tracing ? tracedStore(parts.store) : parts.store);
  const keyRoot = keyRootOf(config);
  const exists = (resource: string): boolean => kinds.surface.servesNamed(resource);
  const storage = new StorageMetrics(() => performance.now(), exists);
  const customKinds = new CustomKindMetrics(exists);
  const kinds = createKinds(platform, config, {
    store,
    residents: await residentBudget(config, store),
    // Webhook Services are looked up through the kinds that are created here.
    conversionWebhooks: createConversionWebhooks(
      () => ({ reader: objects, ...routingOf(config, platform, state, settings.egress) }),
      (call) => customKinds.observe(call),
    ),
    encryption,
    meterOf: (resource) => storage.meterOf(resource),
    observeRules: customKinds.observeRules,
    traced: settings.tracing && tracedCache,
    caches: parts.caches,
    // In a worker, each uncached read is a call to another process.
    fillAfterGets: parts.worker?.catchUp && FILL_AFTER_GETS,
    clock,
    log,
  });
  closers.push(() => kinds.close());
  const transformerFor = (group: string, resource: string) => encryption.transformerFor(group, resource);
  const begun = await beginStore(parts, store, now);
  if (!begun.bootstrapped)
    await moveUngroupedKeys(platform.catalogue.resources, { store, keyRoot, transformerFor, log });
  const sharesStore = config.etcd !== undefined || config.workers > 1;
  const portRecord = sharesStore ? await openPortRecord(settings, store, keyRoot) : undefined;
  const tls = new TlsMaterial(config, parts.identity);
  const shared = { ...parts, ...begun, config, platform, state, tls, store, kinds, portRecord, clock, now };
  const admission = new AdmissionMetrics();
  const { objects, writing } = await createWriting(shared, admission);
  return {
    ...shared,
    keyRoot,
    objects,
    writing,
    sparseFeed: createSparseFeed({ store, surface: () => kinds.surface, keyRoot, feed: objects }),
    metrics: { storage, admission, customKinds, controllers: new ControllerMetrics() },
    onUnexpected: createUnexpectedErrors({
      log,
      count: (source) => state.faults.unexpectedErrors.add(1, source),
      monotonic: () => performance.now(),
    }),
  };
}

/** Writes the bootstrap objects that are prepared for the configuration into an empty store. */
async function beginStore(
  { settings: { config, platform }, ...parts }: CoreParts,
  store: Store,
  now: () => Date,
): Promise<Pick<ServerCore, "bootstrapped" | "createPrepared">> {
  if (parts.bootstrapped || parts.worker !== undefined) return { bootstrapped: true, createPrepared: undefined };
  const createPrepared = await writeStartingObjects({ config, platform, store, now });
  return { bootstrapped: createPrepared !== undefined, createPrepared };
}

/** Returns a budget only for a local data file: other stores need a remote call to read an object again. */
async function residentBudget(config: ServerConfig, store: Store): Promise<ResidentBudget | undefined> {
  if (config.dataDir === undefined || store.direct === undefined) return undefined;
  const { ResidentBudget } = await import("../watch/resident-budget.ts");
  return new ResidentBudget(config.watchCacheBytes);
}

async function openPortRecord({ config, platform }: Settings, store: Store, keyRoot: string): Promise<PortRecord> {
  const [{ parsePortRange }, { createPortRecord }] = await Promise.all([
    import("../controllers/services/port-record.ts"),
    import("../controllers/services/stored-port-record.ts"),
  ]);
  const range = parsePortRange(config.serviceNodePortRange);
  return createPortRecord({ store, keyRoot, range, schemas: platform.schemas });
}

/** Creates object access and the write path together: admission reads objects through the write path that it is part of. */
async function createWriting(
  parts: Omit<ServerCore, "keyRoot" | "objects" | "writing" | "sparseFeed" | "metrics" | "onUnexpected">,
  admission: AdmissionMetrics,
): Promise<Pick<ServerCore, "objects" | "writing">> {
  const { settings, config, platform, kinds, state, clock, now, log } = parts;
  const { naming, gates, release } = platform;
  const surface = () => kinds.surface;
  const environment = (): WriteEnvironment => writing.environment;
  const objects = createObjectAccess({ surface, environment, fieldManager: FIELD_MANAGER });
  const writing = await createWriteEnvironment({
    portRecord: parts.portRecord,
    config,
    naming,
    objects,
    authorizer: settings.access.authorizer,
    rbac: settings.access.rbac,
    gates,
    release,
    surface,
    kinds: kindsKnownNow(state),
    schemas: schemasKnownNow(state),
    clock,
    now,
    recorder: parts.observed?.recorder,
    measured: (chain) => admission.measured(chain, () => performance.now()),
    admissionObserver: admission,
    traces: settings.tracing !== undefined,
    pluginSettings: settings.admission,
    routing: routingOf(config, platform, state, settings.egress),
    onMismatch(problem) {
      state.faults.validationMismatches.add(1);
      log("warn", `declarative and handwritten validation disagree: ${problem}`);
    },
  });
  return { objects, writing };
}
