import { createPublicKey, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { registry as kubernetes } from "../generated/registry.ts";
import { ensureClusterIdentity } from "./auth/pki/cluster-identity.ts";
import { formatKubeconfig } from "./auth/pki/kubeconfig.ts";
import { servingNames } from "./auth/pki/serving-names.ts";
import { ensureSigningKey } from "./auth/pki/signing-key.ts";
import { keysWith, newKeysWhenNeeded } from "./auth/pki/signing-keys.ts";
import { parseFlags, readConfig } from "./cli/read-config.ts";
import type { ApiRegistry } from "./contract/api-registry.ts";
import type { Base } from "./contract/resource-descriptor.ts";
import type { Settling, SettlingPart } from "./contract/settling.ts";
import { type BootstrapWrites, keepStartingObjects } from "./controllers/bootstrap/starting-objects.ts";
import { RequestActivity } from "./http/pipeline/request-activity.ts";
import type { Fetch } from "./http/transport/in-memory-transport.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import type { Log } from "./lib/log.ts";
import { ManualClock } from "./plane/manual-clock.ts";
import { Settled } from "./plane/settled.ts";
import { sharedPlatform } from "./plane/shared-platforms.ts";
import { type WriteRecord, WriteRecords } from "./plane/write-record.ts";
import { joinRegistries } from "./registry/join-registries.ts";
import { createServer, type Server, type ServerParts } from "./server/create-server.ts";
import { readSettings, type Settings } from "./server/read-settings.ts";
import type { ServerConfig } from "./server/server-config.ts";
import { MemoryEngine } from "./store/embedded/memory-engine.ts";
import { openMemoryStore } from "./store/embedded/open-embedded-store.ts";
import { keyRootOf, openStore } from "./store/open-store.ts";
import { readState } from "./store/snapshot/read-state.ts";
import { readSnapshot, writeSnapshot } from "./store/snapshot/snapshot-file.ts";

export { ManualClock, manualClock } from "./plane/manual-clock.ts";
export type { Write, WriteRecord } from "./plane/write-record.ts";
export type { Clock, SettlingPart };

/** Connection settings of a client: the contents of a kubeconfig, ready for an HTTPS agent. */
export interface ClientConfig {
  /** For example `https://127.0.0.1:40123`. */
  readonly server: string;
  /** PEM of the CA that signed the serving certificate. */
  readonly certificateAuthority: string;
  /** PEM of the administrator's certificate and key. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Bearer token of the administrator. */
  readonly token: string;
}

export interface PlaneOptions {
  /** Port; 0, the default, selects a free port on loopback. */
  readonly port?: number;
  /** If false, no socket is opened and the plane is reachable only through its `fetch`. */
  readonly listen?: boolean;
  /** Directory for objects and keys. If unset, they are kept in memory only. */
  readonly directory?: string;
  /** Kinds of Kubernetes that are served in addition to the project's kinds. Defaults to the project's configuration, otherwise to all of them. */
  readonly base?: Base;
  /** Flags of `typeplane serve`, as on the command line: `{ "feature-gates": "WatchList=true" }`. A list repeats a flag. */
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  /** The project's kinds, served in addition to those of Kubernetes: `registry` of the project's `generated/registry.ts`. */
  readonly kinds?: ApiRegistry;
  readonly log?: Log;
  /**
   * Disturbs clients within the limits of the API, for tests of controllers: `seed=42` for all disturbances, `seed=42,late=0.2,close` for some. Same
   * syntax as the flag of this name. The guide "Test with a real API server" lists the disturbances.
   */
  readonly disturb?: string;
  /** A file that `snapshot` wrote, with whose objects the plane starts. Excludes `directory`. */
  readonly from?: string;
  /**
   * Clock, for tests: `manualClock()` stands still until it is advanced. Timestamps, expirations, leases, timeouts and the delays of the server's own
   * controllers use it, and so do clients of `connect({ plane })`. Not supported with etcd, which has its own clock.
   */
  readonly clock?: Clock;
  /** Called when the data directory can no longer be used: the plane must be stopped and started again. */
  readonly onStoreLost?: (error: Error) => void;
}

/** A complete server in this process. */
export interface Plane extends Settling {
  readonly client: ClientConfig;
  /** The same as a kubeconfig string, for tools that need a file. */
  readonly kubeconfig: string;
  /**
   * Sends requests within the process, without a socket: `await plane.fetch("/api/v1/namespaces")`. Requests have administrator rights, unless they
   * contain an `Authorization` header.
   */
  readonly fetch: Fetch;
  /** Resolves when the bootstrap objects (system namespaces, default roles …) exist. Requests are served before that. */
  readonly ready: Promise<void>;
  /** Clock of this plane. */
  readonly clock: Clock;
  /**
   * Resolves when nothing is left to do: no request is being handled, the server's own controllers have processed every change, events have been
   * delivered, and the informers and managers of clients in this process (`connect({ plane })`) are idle. Delayed work, such as a retry, does not
   * count.
   */
  settled(): Promise<void>;
  /**
   * Makes `settled` wait for this part too, until the returned function is called. Informers and managers of `connect({ plane })` join automatically.
   */
  join(part: SettlingPart): () => void;
  /** Starts to record writes, with their users and field managers. */
  record(): WriteRecord;
  /**
   * Returns a copy of this plane at one revision, in memory. Unchanged data are shared, so it takes milliseconds for any number of objects. Then each
   * plane has its own writes, watches, controllers and tokens, and either may be stopped first. Existing service account tokens and certificates are
   * valid in both. Waits until this plane is ready.
   */
  fork(options?: ForkOptions): Promise<Plane>;
  /**
   * Writes all objects, with their UIDs and revisions, to a file for `startPlane({ from })`. The file contains Secrets, so only its owner may read
   * it. It contains no private keys of the plane: existing service account tokens are valid where it is loaded, certificates are not.
   */
  snapshot(file: string): Promise<void>;
  stop(): Promise<void>;
}

/** Options of a fork. Other settings are those of the copied plane. */
export type ForkOptions = Pick<PlaneOptions, "port" | "listen" | "log" | "disturb" | "clock">;

const ADMIN_TOKEN_LENGTH = 32;

/**
 * Starts a server for tests and tools: in memory, on a free loopback port, with TLS, RBAC, admission and controllers. It installs no process-wide
 * handlers: an unexpected error is logged and counted where it occurs. The program must handle errors that reach the process nevertheless
 * (`uncaughtException`), and the loss of a data directory (`onStoreLost`).
 */
export async function startPlane(options: PlaneOptions = {}): Promise<Plane> {
  const { directory, from } = options;
  if (directory !== undefined && from !== undefined) {
    throw new Error("a plane begins with a snapshot or with a directory, not with both");
  }
  const { clock = systemClock } = options;
  const token = randomToken();
  const flags = {
    "secure-port": String(options.port ?? 0),
    "data-dir": directory === undefined ? "memory" : join(directory, "data"),
    "cert-dir": directory === undefined ? "memory" : join(directory, "pki"),
    ...(options.base !== undefined && { base: options.base }),
    ...(options.disturb !== undefined && { disturb: options.disturb }),
    ...options.flags,
  };
  const given = readConfig(
    parseFlags(Object.entries(flags).flatMap(([name, value]) => [value].flat().map((one) => `--${name}=${one}`))),
  );
  const users = given.tokenAuthFile?.contents ?? "";
  const config = { ...given, kubeconfigOut: undefined, tokenAuthFile: tokenFile(token, users) };
  if (config.etcd !== undefined && clock !== systemClock) {
    throw new Error("a plane over etcd has no clock of its own: etcd expires objects by its own time");
  }
  if (config.workers > 1) throw new Error("a plane is served by one process: use it without the flag workers");
  const log = options.log ?? (() => undefined);
  const registry = options.kinds ? joinedWith(options.kinds) : kubernetes;
  const settings = await readSettings(registry, config, log, sharedPlatform, clock);
  const identity = ensureClusterIdentity({
    directory: config.certDir,
    names: servingNames({ vendor: "kubernetes", serviceAddresses: [] }),
    vendor: "kubernetes",
    now: () => new Date(),
  });
  const data = await openData(settings, { ...options, clock, log });
  return runPlane({ settings, identity, token, users, data, log, listens: options.listen ?? true });
}

const joined = new WeakMap<ApiRegistry, ApiRegistry>();

/** Joins the kinds of Kubernetes and of a project, once for all planes of a process. */
function joinedWith(own: ApiRegistry): ApiRegistry {
  const found = joined.get(own) ?? joinRegistries(kubernetes, own);
  joined.set(own, found);
  return found;
}

/** Returns a token file with the administrator of a plane and the users of `--token-auth-file`. */
function tokenFile(token: string, users: string): ServerConfig["tokenAuthFile"] {
  return { path: "plane", contents: `${token},admin,admin,"system:masters"\n${users}` };
}

/** The store of a plane and its initial data. */
interface PlaneData extends Pick<ServerParts, "store" | "signingKeys" | "bootstrapped" | "onBootstrapped" | "caches"> {
  /** Undefined if objects are kept on disk or in etcd. */
  readonly engine: MemoryEngine | undefined;
}

type DataOptions = Pick<PlaneOptions, "from" | "onStoreLost"> & { readonly clock: Clock; readonly log: Log };

async function openData({ config, platform, egress }: Settings, options: DataOptions): Promise<PlaneData> {
  const { clock, log } = options;
  if (config.etcd !== undefined || config.dataDir !== undefined) {
    const store = await openStore(config, options.onStoreLost, { clock, tunnel: egress?.etcd, log });
    return { store, engine: undefined };
  }
  const loaded = options.from === undefined ? undefined : await readSnapshot(options.from);
  const keys = loaded?.keys.map((pem) => createPublicKey(pem));
  const { certDir } = config;
  const engine = loaded === undefined ? new MemoryEngine() : MemoryEngine.from(loaded.state);
  return {
    engine,
    store: openMemoryStore({ ...config, clock }, engine),
    signingKeys: certDir === undefined ? newKeysWhenNeeded(keys) : keysWith(ensureSigningKey(certDir), keys),
    ...(loaded === undefined && {
      onBootstrapped: (written: BootstrapWrites) => keepStartingObjects(config, platform, engine, written),
    }),
  };
}

interface PlaneParts extends Pick<ServerParts, "settings" | "identity" | "log"> {
  readonly token: string;
  /** Contents of `--token-auth-file`. */
  readonly users: string;
  readonly data: PlaneData;
  readonly listens: boolean;
}

async function runPlane(parts: PlaneParts): Promise<Plane> {
  const { settings, identity, token, users, data, log, listens } = parts;
  const [activity, records] = [new RequestActivity(), new WriteRecords()];
  const observed = { activity, recorder: records.recorder };
  const server = await createServer({ settings, identity, log, listens, observed, ...data });
  const settled = new Settled({
    settled: () => server.settled(),
    isBusy: () => server.isBusy(),
    activity: () => activity.count + records.count,
  });
  const { clock } = settings;
  const leaveClock = clock instanceof ManualClock ? clock.join({ idle: () => settled.settledOrStuck() }) : undefined;
  const keyRoot = keyRootOf(settings.config);
  return {
    client: {
      server: server.url,
      certificateAuthority: identity.serverTrustPem,
      clientCertificate: identity.admin.certificatePem,
      clientKey: identity.admin.keyPem,
      token,
    },
    kubeconfig: formatKubeconfig({ server: server.url, name: "typeplane", identity }),
    fetch: asAdministrator(server, token),
    ready: server.ready,
    clock,
    settled: () => settled.settled(),
    join: (part) => settled.join(part),
    record: () => records.begin(),
    async fork(options = {}) {
      await server.ready;
      const [own, keys] = [randomToken(), await server.acceptedKeys()];
      const config = {
        ...settings.config,
        securePort: options.port ?? 0,
        tokenAuthFile: tokenFile(own, users),
        ...(options.disturb !== undefined && readDisturb(options.disturb, settings.config)),
      };
      const [forkLog, forkClock] = [options.log ?? log, options.clock ?? clock];
      const copied = await readSettings(
        settings.platform.registry,
        config,
        forkLog,
        () => settings.platform,
        forkClock,
      );
      // The store and the caches are copied in the same turn of the event loop, so that they have the same revision.
      const engine = data.engine?.fork() ?? MemoryEngine.from(await readState(data.store, keyRoot));
      return runPlane({
        settings: copied,
        identity,
        token: own,
        users,
        log: forkLog,
        listens: options.listen ?? listens,
        data: {
          engine,
          store: openMemoryStore({ ...config, clock: forkClock }, engine),
          signingKeys: newKeysWhenNeeded(keys),
          bootstrapped: true,
          caches: data.engine && server.shareCaches(),
        },
      });
    },
    async snapshot(file) {
      const keys = (await server.acceptedKeys()).map(publicPem);
      await writeSnapshot(file, { state: data.engine?.state() ?? (await readState(data.store, keyRoot)), keys });
    },
    stop() {
      leaveClock?.();
      return server.stop();
    },
  };
}

/** Parses the disturbances. Throws a UsageError if they are invalid. */
function readDisturb(disturb: string, { bindAddress }: ServerConfig): Pick<ServerConfig, "disturb"> {
  const { disturb: settings } = readConfig(parseFlags([`--disturb=${disturb}`, `--bind-address=${bindAddress}`]));
  return { disturb: settings };
}

function publicPem(key: KeyObject): string {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return publicKey.export({ type: "spki", format: "pem" }) as string;
}

/** Adds the administrator's token to requests without an `Authorization` header. */
function asAdministrator({ fetch }: Server, token: string): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    if (!headers.has("Authorization")) headers.set("Authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
}

function randomToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(ADMIN_TOKEN_LENGTH))).toString("base64url");
}
