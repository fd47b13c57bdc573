import type { ApiRegistry } from "../contract/api-registry.ts";
import { checkObjects } from "../kinds/check-objects.ts";
import { readDefinitions } from "../kinds/custom/stored-definitions.ts";
import type { StoredKind } from "../kinds/served-resource.ts";
import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { SlowProgress } from "../lib/slow-progress.ts";
import { createKinds } from "../server/create-kinds.ts";
import { createPlatform } from "../server/platform.ts";
import type { ServerConfig } from "../server/server-config.ts";
import { BackupError } from "../store/backup/backup-file.ts";
import { readBackupFile, readDirectory } from "../store/backup/read-stored.ts";
import { DATA_FILE, hasDataFile } from "../store/embedded/check-data-file.ts";
import { lossOf } from "../store/embedded/lmdb-errors.ts";
import { type Encryption, loadEncryption } from "../store/encryption/load-encryption.ts";
import { isEncrypted } from "../store/encryption/prefix-transformer.ts";
import { StoreError } from "../store/errors.ts";
import { keyRootOf, openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { CommandStreams } from "./command-streams.ts";
import { counted } from "./counted.ts";
import { parseArguments } from "./parse-arguments.ts";
import { withProjectFlags } from "./project-flags.ts";
import { FLAG_OPTIONS, readConfig } from "./read-config.ts";
import { UsageError } from "./usage-error.ts";

export const VERIFY_USAGE = `typeplane verify [--from FILE] [flags of serve]

Reads all stored objects and reports problems: changes that contradict each other, an index that differs from the changes, objects that
cannot be decrypted or decoded, or that are stored under the key of another object. Changes nothing. Set --from to read a backup, or the
flags of serve that define where objects are stored (--data-dir, --etcd-servers …). In both cases set the flags for encryption
(--encryption-provider-config) and the release (--release). The server may be running. For a data directory the command needs memory for
its keys; for a backup also for its objects, about as much as the server.

The exit status is 0 if there are no problems, 1 if there are problems, 2 if the check was not possible: a file is missing, etcd does not
respond, or a flag is wrong.
`;

/** The data to verify, in a store to which nothing else writes. */
interface Source {
  readonly store: Store;
  readonly revision: number;
  readonly problems: readonly string[];
}

/** Resolves with the exit status. */
export async function verifyCommand(
  args: readonly string[],
  streams: CommandStreams,
  registry: ApiRegistry,
): Promise<number> {
  const given = parseArguments(args, [...FLAG_OPTIONS, { name: "from", isSwitch: false }]);
  const config = readConfig(withProjectFlags(given, registry));
  const { dataDir, etcd } = config;
  const from = given.get("from")?.at(-1);
  if (from === undefined && etcd === undefined && dataDir !== undefined && !hasDataFile(dataDir))
    throw new UsageError(`--data-dir=${dataDir}: the directory has no ${DATA_FILE}`);
  const found = await verifyStored(config, registry, { from, err: streams.err }).catch((error: Error) => error);
  if (found instanceof Error) {
    streams.err(`${found.message}\n`);
    return isDamage(found) ? 1 : 2;
  }
  const { revision, objects, kinds, others, problems } = found;
  for (const problem of problems) streams.err(`${problem}\n`);
  const left = others > 0 ? `; not decoded, as they belong to no kind: ${counted(others, "stored value")}` : "";
  const verdict = problems.length === 0 ? "nothing is wrong" : counted(problems.length, "problem");
  const read = `${counted(objects, "object")} of ${counted(kinds, "kind")} read`;
  streams.out(`revision ${revision}: ${read}${left}; ${verdict}\n`);
  return problems.length === 0 ? 0 : 1;
}

/** Whether an error means that stored data are damaged. Other errors mean that the data could not be read. */
function isDamage(error: Error): boolean {
  if (error instanceof BackupError) return error.isDamage;
  return (
    (error instanceof StoreError && (error.code === "Corrupt" || error.code === "Lost")) || lossOf(error) !== undefined
  );
}

/** The result of verifying a store or a backup. */
export interface Verified {
  readonly revision: number;
  readonly objects: number;
  /** Number of kinds that have objects. */
  readonly kinds: number;
  /** Number of stored values that belong to no kind. */
  readonly others: number;
  /** Number of objects in an older version, or not encrypted with the current key. */
  readonly stale: number;
  /** Key prefixes of kinds that are encrypted according to the current configuration. */
  readonly encryptedPrefixes: readonly string[];
  readonly problems: readonly string[];
}

interface VerifyOptions {
  /** Path of a backup to read instead of the configured store. */
  readonly from: string | undefined;
  /** Receives lines of progress and warnings. */
  readonly err: CommandStreams["err"];
}

/** Reads, decrypts and decodes all stored values. */
export async function verifyStored(
  config: ServerConfig,
  registry: ApiRegistry,
  { from, err }: VerifyOptions,
): Promise<Verified> {
  const log: Log = (level, message) => err(`${level}: ${message}\n`);
  const platform = createPlatform(registry, config, log);
  const { configFiles, catalogue } = platform;
  const encryption = await loadEncryption(
    { ...config.encryption, reload: false },
    { configFiles, domain: catalogue.domain, allowsKmsV1: platform.gates.enabled("KMSv1"), log },
  );
  const progress = new SlowProgress(systemClock, ({ count, milliseconds }) =>
    err(`${count} read … (${(milliseconds / 1000).toFixed(1)} s)\n`),
  );
  const source = await openSource(from, config, () => progress.add(1));
  const store = encryption.over(source.store);
  try {
    // A backup contains values in the encoding of the embedded store, regardless of the current store.
    const stored = from === undefined ? config : { ...config, etcd: undefined };
    const kinds = createKinds(platform, stored, { store, encryption });
    kinds.serveCustom(await readDefinitions(kinds, store, platform.naming));
    const problems = [...source.problems];
    let [objects, ofKinds, stale] = [0, 0, 0];
    const encryptedPrefixes: string[] = [];
    for (const kind of await kinds.storedKinds()) {
      if (encrypts(encryption, kind)) encryptedPrefixes.push(kind.prefix);
      const { seen, stale: older, problems: more } = await checkObjects(store, kind, progress);
      objects += seen;
      stale += older;
      ofKinds += seen > 0 ? 1 : 0;
      problems.push(...more);
    }
    kinds.close();
    const prefix = `${keyRootOf(stored)}/`;
    const { count: keys = 0 } = await store.range({ prefix, limit: 1, count: true });
    const others = Math.max(0, keys - objects);
    return { revision: source.revision, objects, kinds: ofKinds, others, stale, encryptedPrefixes, problems };
  } finally {
    encryption.close();
    await store.close();
  }
}

/** Whether objects of a kind are encrypted when they are written with the current configuration. */
function encrypts(encryption: Encryption, { groupResource: { group, resource }, prefix }: StoredKind): boolean {
  try {
    const sealed = encryption.transformerFor(group, resource)?.seal(`${prefix}a`, new Uint8Array());
    return sealed !== undefined && isEncrypted(sealed);
  } catch {
    // A KMS plugin does not respond, but encryption is configured.
    return true;
  }
}

async function openSource(from: string | undefined, config: ServerConfig, onRecord: () => void): Promise<Source> {
  if (from !== undefined) return readBackupFile(from, onRecord);
  if (config.etcd !== undefined) {
    const store = await openStore({ ...config, historyMs: Number.POSITIVE_INFINITY });
    return { store, revision: await store.currentRevision(), problems: [] };
  }
  if (config.dataDir === undefined) throw new UsageError("--data-dir=memory: there is nothing to read");
  return readDirectory(config.dataDir, onRecord);
}
