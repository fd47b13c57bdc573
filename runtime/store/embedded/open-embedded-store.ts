import { accessSync, constants } from "node:fs";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { claimDirectory, UnsafeFileError } from "../../lib/private-files.ts";
import type { ChangeLogConfig } from "../change-log/change-log.ts";
import { notWritable, StoreError, type StoreLostError, UnknownFormatError } from "../errors.ts";
import { checkDataFile } from "./check-data-file.ts";
import { claimFiles, unsafe } from "./claim-files.ts";
import { lockDirectory } from "./directory-lock.ts";
import { EmbeddedStore, type StoreFollower } from "./embedded-store.ts";
import type { Engine } from "./engine.ts";
import { MemoryEngine } from "./memory-engine.ts";

const FIVE_MINUTES_MS = 5 * 60 * 1000;

/** Names of files that are expected in a directory that only the server uses. */
const OUR_FILES = /^(?:data\.mdb|lock\.mdb|server\.lock)(?:\.|$)|^lost\+found$/;

export interface OpenEmbeddedOptions {
  readonly clock?: Clock;
  readonly historyMs?: number;
  /** Memory of the machine in bytes. A larger data file is read differently. */
  readonly memoryBytes?: number | undefined;
  /** Called when the data becomes unusable until the store is reopened. */
  readonly onLost?: ((error: StoreLostError) => void) | undefined;
  /** Where to copy changes, for a restore to any revision; undefined disables the copy. */
  readonly changeLog?: ChangeLogConfig | undefined;
  /** Called with a sentence about the change log, for the log of the server. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/**
 * Opens the store in a directory, which is created if necessary. Throws NotWritable, Locked (with the other server's pid), UnknownFormat or
 * Corrupt, each with a sentence for the command line.
 */
export async function openEmbeddedStore(directory: string, options: OpenEmbeddedOptions = {}): Promise<EmbeddedStore> {
  prepareDirectory(directory);
  const lock = await lockDirectory(directory);
  try {
    claimFiles(directory);
    checkDataFile(directory);
    const onLost = onlyOnce(options.onLost);
    const engine = await openEngine(directory, onLost, options.memoryBytes);
    const follower = await openFollower(engine, options);
    const onClose = (): void => lock.release();
    return new EmbeddedStore({ engine, ...timing(options), follower, onLost, onClose });
  } catch (error) {
    lock.release();
    throw error instanceof StoreError ? error : unusable(directory, error);
  }
}

async function openEngine(directory: string, onLost: OpenEmbeddedOptions["onLost"], memory?: number): Promise<Engine> {
  const { LmdbEngine } = await import("./lmdb-engine.ts");
  try {
    return await LmdbEngine.open(directory, onLost, undefined, memory);
  } catch (error) {
    if (!(error instanceof UnknownFormatError) || error.found !== 1) throw error;
    const { upgradeFromFormat1 } = await import("./upgrade-data-file.ts");
    await upgradeFromFormat1(directory);
    return await LmdbEngine.open(directory, onLost, undefined, memory);
  }
}

/** Wraps `onLost` so that it is called once: concurrent reads and writes may all find the same loss. */
function onlyOnce(onLost: OpenEmbeddedOptions["onLost"]): (error: StoreLostError) => void {
  let called = false;
  return (error) => {
    if (!called) onLost?.(error);
    called = true;
  };
}

async function openFollower(engine: Engine, options: OpenEmbeddedOptions): Promise<StoreFollower | undefined> {
  const { changeLog, clock = systemClock, onProblem = () => undefined } = options;
  if (changeLog === undefined) return undefined;
  try {
    const { ChangeLogFollower } = await import("../change-log/follow-store.ts");
    return await ChangeLogFollower.open(engine, changeLog, clock, onProblem);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Opens the same store without a file, empty or with the data of an engine. */
export function openMemoryStore(options: OpenEmbeddedOptions = {}, engine = new MemoryEngine()): EmbeddedStore {
  return new EmbeddedStore({ engine, ...timing(options) });
}

/** A store over an engine that accepts no commits and has no history. */
export function openReadOnlyStore(engine: Engine): EmbeddedStore {
  return new EmbeddedStore({ engine, clock: systemClock, historyMs: Number.POSITIVE_INFINITY });
}

function timing(options: OpenEmbeddedOptions): { clock: Clock; historyMs: number } {
  return { clock: options.clock ?? systemClock, historyMs: options.historyMs ?? FIVE_MINUTES_MS };
}

function prepareDirectory(directory: string): void {
  try {
    claimDirectory(directory, (name) => OUR_FILES.test(name));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof UnsafeFileError ? unsafe(error) : notWritable(directory, error);
  }
}

function unusable(directory: string, error: unknown): StoreError {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError("Corrupt", `the data in ${directory} cannot be opened: ${reason}`, { cause: error });
}
