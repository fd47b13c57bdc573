import { registry as kubernetes } from "../../generated/registry.ts";
import { type ClusterIdentity, ensureClusterIdentity } from "../../runtime/auth/pki/cluster-identity.ts";
import { servingNames } from "../../runtime/auth/pki/serving-names.ts";
import { newKeysWhenNeeded } from "../../runtime/auth/pki/signing-keys.ts";
import { parseFlags, readConfig } from "../../runtime/cli/read-config.ts";
import { type Clock, systemClock } from "../../runtime/lib/clock.ts";
import type { Log } from "../../runtime/lib/log.ts";
import { sharedPlatform } from "../../runtime/plane/shared-platforms.ts";
import { createServer, type Server, type ServerParts } from "../../runtime/server/create-server.ts";
import { readSettings } from "../../runtime/server/read-settings.ts";
import type { ServerConfig } from "../../runtime/server/server-config.ts";
import type { LogRecord } from "../../runtime/store/embedded/engine.ts";
import { MemoryEngine } from "../../runtime/store/embedded/memory-engine.ts";
import { openMemoryStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { BEGINNING } from "./world.ts";

export const TOKEN = "simulation";
/** Token and name of a user without permissions. */
export const LIMITED = "limited";
/** A role in the first namespace that is not bound. */
export const ROLE = "reader";
/** Namespaces of the objects that clients write. */
export const NAMESPACES = ["default", "other"] as const;

/** Disables what takes most of the time of a start and is not checked: other kinds, and the default roles. */
const FLAGS = ["--base=core", "--authorization-mode=AlwaysAllow"];

/** Initial state of all runs: the data of a cluster that was started once, and values that are the same for all runs. */
export interface Beginning {
  readonly tables: MemoryEngine;
  readonly config: ServerConfig;
  readonly identity: ClusterIdentity;
}

/** Starts a server in real time, and returns its data. */
export async function prepareBeginning(): Promise<Beginning> {
  const flags = ["--secure-port=0", "--data-dir=memory", "--cert-dir=memory", ...FLAGS];
  const config = {
    ...readConfig(parseFlags(flags)),
    kubeconfigOut: undefined,
    tokenAuthFile: {
      path: "simulation",
      contents: `${TOKEN},admin,admin,"system:masters"\n${LIMITED},${LIMITED},${LIMITED}\n`,
    },
  };
  const identity = ensureClusterIdentity({
    directory: config.certDir,
    names: servingNames({ vendor: "kubernetes", serviceAddresses: [] }),
    vendor: "kubernetes",
    now: () => new Date(),
  });
  const tables = MemoryEngine.from({
    identity: Buffer.alloc(32, "simulation"),
    revision: 1,
    records: [],
    expiries: [],
  });
  const server = await startServer(
    { tables, config, identity },
    { store: openMemoryStore({}, tables), clock: systemClock, log: () => undefined, isNew: true },
  );
  await server.ready;
  const create = async (path: string, object: object): Promise<void> => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const { status } = await server.fetch(path, { method: "POST", headers, body: JSON.stringify(object) });
    if (status !== 201) throw new Error(`cannot create ${JSON.stringify(object)}: ${status}`);
  };
  for (const name of NAMESPACES.slice(1)) await create("/api/v1/namespaces", { metadata: { name } });
  await create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACES[0]}/roles`, {
    metadata: { name: ROLE },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
  });
  await server.settled();
  const kept = inOrder(tables);
  await server.stop();
  return { tables: kept, config, identity };
}

/** Returns the same objects with revisions in the order of their keys, because a start in real time does not always create them in the same order. */
function inOrder(tables: MemoryEngine): MemoryEngine {
  const state = tables.state();
  const records = [...state.records].sort((a, b) => (a.key < b.key ? -1 : 1));
  const ordered = records.map((record, index): LogRecord => {
    const revision = index + 2;
    return { ...record, revision, createRevision: revision, previousRevision: 0, time: BEGINNING };
  });
  return MemoryEngine.from({ ...state, records: ordered, expiries: [], revision: records.length + 1 });
}

export interface ServerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the handler of requests. If absent, the server is reached through `fetch` only. */
  readonly openListener?: NonNullable<ServerParts["openListener"]>;
  /** Whether the store is empty. */
  readonly isNew?: boolean;
}

/** Starts a complete server without a socket. */
export async function startServer(beginning: Beginning, options: ServerOptions): Promise<Server> {
  const { config, identity } = beginning;
  const { store, clock, log, openListener, isNew = false } = options;
  return createServer({
    settings: await readSettings(kubernetes, config, log, sharedPlatform, clock),
    identity,
    log,
    store,
    listens: openListener !== undefined,
    ...(openListener && { openListener }),
    bootstrapped: !isNew,
    signingKeys: newKeysWhenNeeded(),
  });
}
