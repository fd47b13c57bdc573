import { resolve } from "node:path";
import type { ApiRegistry } from "../contract/api-registry.ts";
import { MovedValues } from "../kinds/moved-values.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { SlowProgress } from "../lib/slow-progress.ts";
import { createKinds } from "../server/create-kinds.ts";
import { createPlatform } from "../server/platform.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { loadEncryption } from "../store/encryption/load-encryption.ts";
import type { EtcdStore } from "../store/etcd/etcd-store.ts";
import { everyEntry } from "../store/every-entry.ts";
import { openDirectoryDestination } from "../store/move/directory-destination.ts";
import { openEtcdDestination } from "../store/move/etcd-destination.ts";
import type { MoveDestination } from "../store/move/move-destination.ts";
import { MoveError } from "../store/move/move-error.ts";
import { type MovedKey, type MoveSource, openDirectorySource, openEtcdSource } from "../store/move/move-source.ts";
import { isOfServer } from "../store/move/server-keys.ts";
import { keyRootOf, openStore } from "../store/open-store.ts";
import type { Store, StoreEntry } from "../store/store.ts";
import type { CommandStreams } from "./command-streams.ts";
import { MoveTally } from "./move-tally.ts";
import { parseArguments } from "./parse-arguments.ts";
import { withProjectFlags } from "./project-flags.ts";
import { FLAG_OPTIONS, readConfig } from "./read-config.ts";
import { UsageError } from "./usage-error.ts";

export const MOVE_USAGE = `typeplane move --from DIR --to https://HOST:2379[,…] [--dry-run] [flags of serve]
typeplane move --from https://HOST:2379[,…] --to DIR [--dry-run] [flags of serve]

Moves all objects from a data directory to etcd, or from etcd to a new data directory. The source is not changed. Stop its servers first.
The format in etcd is that of kube-apiserver, so that either server can replace the other: built-in kinds in protobuf, custom objects and
their definitions in JSON.

First all objects are read, decrypted, decoded and encoded; if that fails for an object, nothing is written. Then objects are written in the
order of their last changes, read back, counted and compared. A difference is an error that names the key. If a move to etcd is
interrupted, run the same command again to continue; servers refuse to start with that etcd until the move is finished.

      --from       Data directory, or addresses of etcd.
      --to         Addresses of an etcd without keys under --etcd-prefix, or a directory that does not exist or is empty.
      --dry-run    Only read, check, count and hash the objects. Does not require --to.

These flags of serve have an effect: --etcd-prefix, --etcd-cafile, --etcd-certfile, --etcd-keyfile; --encryption-provider-config, whose
providers decrypt the source and whose first provider encrypts the destination; --release.
`;

const OPTIONS = [
  ...FLAG_OPTIONS,
  { name: "from", isSwitch: false },
  { name: "to", isSwitch: false },
  { name: "dry-run", isSwitch: true },
];

/** Number of values that are read concurrently. */
const READ_AT_ONCE = 64;

/** Resolves with the exit status. */
export async function moveCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const { dryRun, from, to, config } = readPlan(args, registry);
  const log: Log = (level, message) => streams.err(`${level}: ${message}\n`);
  const platform = createPlatform(registry, config, log);
  const encryption = await loadEncryption(
    { ...config.encryption, reload: false },
    {
      configFiles: platform.configFiles,
      domain: platform.catalogue.domain,
      allowsKmsV1: platform.gates.enabled("KMSv1"),
      log,
    },
  );
  const progressOf = (what: string) =>
    new SlowProgress(systemClock, ({ count, milliseconds }) =>
      streams.err(`${count} ${what} … (${(milliseconds / 1000).toFixed(1)} s)\n`),
    );
  const source = await openSource(from, config, progressOf("records read"));
  let destination: MoveDestination | undefined;
  try {
    if (!dryRun) destination = await openDestination(to, config, source);
    const written = { ...config, etcd: isEtcd(to) ? config.etcd : undefined };
    const kinds = createKinds(platform, written, { store: source.store, encryption });
    const values = new MovedValues({
      kinds: await kinds.storedKinds(),
      keyRoot: keyRootOf(written),
      storedAs: written.etcd === undefined ? "json" : "protobuf",
      transformerFor: (group, resource) => encryption.transformerFor(group, resource),
    });
    kinds.close();
    const move: Move = {
      source,
      reading: encryption.over(source.store),
      values,
      tally: new MoveTally(),
      progressOf,
    };
    await checkAll(move);
    if (destination === undefined) {
      const { tally } = move;
      streams.out(`${tally.describe()}revision ${source.revision}: ${tally.total} objects can be moved\n`);
      return 0;
    }
    await copyAll(move, destination);
    await source.checkUnchanged();
    await compareAll(move, destination, encryption.over(await destination.readBack()));
    await finish(move, destination, streams);
    return 0;
  } finally {
    encryption.close();
    await destination?.close();
    await source.close();
  }
}

interface Move {
  readonly source: MoveSource;
  /** The source with decryption. */
  readonly reading: Store;
  readonly values: MovedValues;
  readonly tally: MoveTally;
  readonly progressOf: (what: string) => SlowProgress;
}

/** Decodes, encodes and counts all objects. Throws a MoveError that lists all objects that cannot be moved. */
async function checkAll({ source, reading, values, tally, progressOf }: Move): Promise<void> {
  const problems: string[] = [];
  const checked = progressOf("objects checked");
  for await (const [moved, entry] of entriesOf(source, reading)) {
    checked.add(1);
    try {
      tally.add(moved, values.check(moved.name, entry.key, entry.value));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(reason.startsWith(entry.key) ? reason : `${entry.key}: ${reason}`);
    }
  }
  if (problems.length > 0)
    throw new MoveError(
      `${problems.join("\n")}\n${problems.length} objects cannot be moved: delete or repair them first; nothing was written`,
    );
}

/** Writes all objects except those that an interrupted move has already written. */
async function copyAll({ source, reading, values, tally, progressOf }: Move, to: MoveDestination): Promise<void> {
  const copied = progressOf(`of ${tally.total} objects written`);
  for await (const [moved, entry] of entriesOf(source, reading)) {
    copied.add(1);
    if (moved.modRevision <= to.cursor) continue;
    await to.write(moved, values.encode(moved.name, entry.key, entry.value));
  }
}

/** Throws a MoveError if objects differ, are missing, or are not in the source. */
async function compareAll(
  { source, values, tally, progressOf }: Move,
  to: MoveDestination,
  readBack: Store,
): Promise<void> {
  const compared = progressOf(`of ${tally.total} objects compared`);
  // An interrupted move wrote these before they expired. Their leases last a little longer.
  const expired = new Set(source.keys.flatMap(({ name }) => (tally.has(name) ? [] : [name])));
  for await (const { key, value, modRevision } of everyEntry(readBack, `${to.keyRoot}/`)) {
    compared.add(1);
    const name = key.slice(to.keyRoot.length);
    if (!isOfServer(name) && !expired.has(name)) tally.compare(key, name, modRevision, values.read(name, key, value));
  }
  tally.checkComplete(to.keyRoot, Date.now());
}

async function finish({ source, tally }: Move, to: MoveDestination, streams: CommandStreams): Promise<void> {
  const { sameRevisions } = tally;
  const revision = await to.finish({ sameRevisions });
  const versions = sameRevisions
    ? "all resourceVersions are the same"
    : "resourceVersions have changed, in the same order: clients list again";
  streams.out(`${tally.describe()}revision ${revision}: ${tally.total} objects moved and compared; ${versions}\n`);
  if (revision < source.revision)
    streams.err(
      `the revision of the source was ${source.revision}: restart clients that were connected to it, or raise the revision of etcd (etcdutl snapshot restore --bump-revision)\n`,
    );
}

interface Plan {
  readonly from: string;
  /** Destination of the objects. Also set in a dry run. */
  readonly to: string;
  readonly dryRun: boolean;
  readonly config: ServerConfig;
}

function readPlan(args: readonly string[], registry: ApiRegistry): Plan {
  const given = new Map(parseArguments(args, OPTIONS));
  const [from, dryRun] = [given.get("from")?.at(-1), given.get("dry-run")?.at(-1) === "true"];
  const chosen = given.get("to")?.at(-1);
  for (const name of ["data-dir", "etcd-servers"])
    if (given.has(name)) throw new UsageError(`--${name}: write --from and --to instead`);
  if (from === undefined || from === "") throw new UsageError("--from is required");
  if (!dryRun && (chosen === undefined || chosen === "")) throw new UsageError("--to is required");
  const to = chosen ?? (isEtcd(from) ? "memory" : "http://127.0.0.1:2379");
  if (isEtcd(from) === isEtcd(to))
    throw new UsageError(
      isEtcd(from)
        ? "--from and --to are both etcd: use etcdctl snapshot save and etcdutl snapshot restore"
        : "--from and --to are both directories: use typeplane backup and typeplane restore",
    );
  for (const name of ["from", "to", "dry-run"]) given.delete(name);
  const flags = new Map(withProjectFlags(given, registry));
  flags.set("etcd-servers", [isEtcd(from) ? from : to]);
  flags.set("data-dir", [isEtcd(from) ? to : from]);
  return { from, to, dryRun, config: readConfig(flags) };
}

function isEtcd(place: string): boolean {
  return place.includes("://");
}

async function openSource(from: string, config: ServerConfig, progress: SlowProgress): Promise<MoveSource> {
  if (!isEtcd(from)) return openDirectorySource(resolve(from), keyRootOf({ etcd: undefined }), () => progress.add(1));
  const store = await connect(config);
  return openEtcdSource(store, keyRootOf(config)).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
}

async function openDestination(to: string, config: ServerConfig, source: MoveSource): Promise<MoveDestination> {
  if (!isEtcd(to)) return openDirectoryDestination(resolve(to), keyRootOf({ etcd: undefined }), source);
  const store = await connect(config);
  return openEtcdDestination(store, keyRootOf(config), source).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
}

/** Connects to etcd without compacting it in the background. */
async function connect(config: ServerConfig): Promise<EtcdStore> {
  return (await openStore({ ...config, historyMs: Number.POSITIVE_INFINITY })) as EtcdStore;
}

/** Yields the values of the source that have not expired, in the order of their last changes. */
async function* entriesOf(source: MoveSource, store: Store): AsyncIterable<readonly [MovedKey, StoreEntry]> {
  for (let start = 0; start < source.keys.length; start += READ_AT_ONCE) {
    const batch = source.keys.slice(start, start + READ_AT_ONCE);
    const atRevision = source.revision;
    const entries = await Promise.all(batch.map(({ name }) => store.get(source.keyRoot + name, { atRevision })));
    for (const [index, moved] of batch.entries()) {
      const entry = entries[index];
      if (entry === undefined) throw new MoveError(`${source.keyRoot}${moved.name} can no longer be read`);
      if (moved.expires === undefined || moved.expires > Date.now()) yield [moved, entry];
    }
  }
}
