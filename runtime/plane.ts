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

/** How a client reaches a plane: what a kubeconfig holds, ready for an HTTPS agent. */
export interface ClientConfig {
  /** `https://127.0.0.1:40123` */
  readonly server: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly certificateAuthority: string;
  /** PEM of the administrator's certificate and key. */
  readonly clientCertificate: string;
  readonly clientKey: string;
  /** Bearer token of the administrator. */
  readonly token: string;
}

export interface PlaneOptions {
  /** 0, the default, chooses a free port on loopback. */
  readonly port?: number;
  /** False: no socket is opened; the plane is reached by its `fetch`. */
  readonly listen?: boolean;
  /** Directory that keeps objects and keys. Unset: they are in memory only. */
  readonly directory?: string;
  /** Kinds of Kubernetes that are served beside one's own. Default: those of the project's configuration, else all of them. */
  readonly base?: Base;
  /** Flags of `typeplane serve`, as on the command line: `{ "feature-gates": "WatchList=true" }`; a list repeats one. */
  readonly flags?: Readonly<Record<string, string | readonly string[]>>;
  /** Kinds of one's own, served beside those of Kubernetes: `registry` of the project's `generated/registry.ts`. */
  readonly kinds?: ApiRegistry;
  readonly log?: Log;
  /**
   * Disturbs clients as the API permits, for tests of controllers: `seed=42` for all disturbances, `seed=42,late=0.2,close` for some.
   * As the flag of that name; the guide "Test with a real API server" has their names.
   */
  readonly disturb?: string;
  /** A file that `snapshot` wrote: the plane begins with its objects. Not together with `directory`. */
  readonly from?: string;
  /**
   * Time, for tests: `manualClock()` stands still until it is moved. Timestamps, expiries, leases, timeouts and the delays of the server's
   * own controllers follow it, and those of clients that `connect({ plane })` makes. Not with etcd, which has a clock of its own.
   */
  readonly clock?: Clock;
  /** Called when the data directory cannot be used any more: the plane must be stopped, and started again. */
  readonly onStoreLost?: (error: Error) => void;
}

/** A complete server in this process. */
export interface Plane extends Settling {
  readonly client: ClientConfig;
  /** The same as text, for tools that want a file. */
  readonly kubeconfig: string;
  /**
   * Sends requests from within the process, without a socket: `await plane.fetch("/api/v1/namespaces")`. Requests are the
   * administrator's, unless they have an `Authorization` header of their own.
   */
  readonly fetch: Fetch;
  /** Resolves once system namespaces, default roles and the like exist; requests are answered before. */
  readonly ready: Promise<void>;
  /** Clock of this plane. */
  readonly clock: Clock;
  /**
   * Resolves when nothing is left to do: no request is being handled, the server's own controllers have processed every change, events have been
   * delivered, and the informers and managers of clients in this process (`connect({ plane })`) are idle. What waits for its time,
   * such as a retry, does not count.
   */
  settled(): Promise<void>;
  /** `settled` waits for this, too; the returned function ends that. Informers and managers of `connect({ plane })` join by themselves. */
  join(part: SettlingPart): () => void;
  /** Records what is written from now on, by whom, and as which field manager. */
  record(): WriteRecord;
  /**
   * A copy of this plane as of one revision, in memory: what neither changes is shared, so that it takes milliseconds whatever the
   * number of objects. Afterwards each has its own writes, watches, controllers and tokens, and either may be stopped first. Service
   * account tokens and certificates from before are valid in both. Waits until this plane is ready.
   */
  fork(options?: ForkOptions): Promise<Plane>;
  /**
   * Writes all objects, with their UIDs and revisions, to a file for `startPlane({ from })`. It contains Secrets, so that only the
   * owner may read it, and no private keys of the plane: service account tokens from before are valid where it is loaded, certificates
   * are not.
   */
  snapshot(file: string): Promise<void>;
  stop(): Promise<void>;
}

/** Options of a fork; the rest is as in the plane that it copies. */
export type ForkOptions = Pick<PlaneOptions, "port" | "listen" | "log" | "disturb" | "clock">;

const ADMIN_TOKEN_LENGTH = 32;

/**
 * Starts a server for tests and tools: in memory, on a free port of loopback, with TLS, RBAC, admission and controllers. It installs no
 * handlers of the process: an unexpected error is logged and counted where it happens. The program decides about an error that reaches
 * the process all the same (`uncaughtException`), and about a data directory that was lost (`onStoreLost`).
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

/** Kinds of Kubernetes and of a project, joined once for all planes of a process. */
function joinedWith(own: ApiRegistry): ApiRegistry {
  const found = joined.get(own) ?? joinRegistries(kubernetes, own);
  joined.set(own, found);
  return found;
}

/** The administrator of a plane, and the users of `--token-auth-file`. */
function tokenFile(token: string, users: string): ServerConfig["tokenAuthFile"] {
  return { path: "plane", contents: `${token},admin,admin,"system:masters"\n${users}` };
}

/** Where a plane keeps its objects, and what it begins with. */
interface PlaneData extends Pick<ServerParts, "store" | "signingKeys" | "bootstrapped" | "onBootstrapped" | "caches"> {
  /** Absent where objects are kept on disk or in etcd. */
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
      // Store and caches are copied in one turn, so that they show the same revision.
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

/** Throws a UsageError. */
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
