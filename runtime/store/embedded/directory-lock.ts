import { randomUUID } from "node:crypto";
import { chmodSync, closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../lib/private-files.ts";
import { notWritable, StoreError } from "../errors.ts";

const LOCK_FILE = "server.lock";

/** Whether a file of this name in a data directory is part of its lock. */
export function isOfLock(name: string): boolean {
  return name === LOCK_FILE || name.startsWith(`${LOCK_FILE}.`);
}

/** Held while a store uses the directory. */
export interface DirectoryLock {
  release(): void;
}

/** The process that holds the lock of a directory. */
export interface LockOwner {
  /** The pid in the owner's own pid namespace. */
  readonly pid: number;
  /** The owner runs in another container: its pid means nothing in this one. */
  readonly isElsewhere: boolean;
}

/**
 * Locks the directory for this process. Throws Locked with the pid of the process that holds the lock, or NotWritable if the lock file
 * cannot be written, for example because the disk is full. The lock of a dead process is taken over, however the process ended. A lock file
 * contains the pid and start time of its owner, so a reused pid does not match. A process in another container cannot be found by its pid;
 * it is found by the socket on which each owner listens in the directory until it ends.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = join(directory, LOCK_FILE);
  const token = randomUUID();
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid), token });
  const draft = `${path}.${randomUUID()}`;
  writeDraft(directory, draft, mine);
  let stopListening: (() => void) | undefined;
  try {
    stopListening = listenAt(directory, socketName(token));
    for (;;) {
      if (tryLink(draft, path)) {
        const stop = stopListening;
        stopListening = undefined;
        return {
          release() {
            releaseIfOwned(path, mine);
            stop();
          },
        };
      }
      const held = readIfPresent(path);
      if (held === undefined) continue;
      const owner = await livingOwner(directory, held);
      if (owner !== undefined) throw new StoreError("Locked", inUse(directory, owner));
      discardStale(path, held);
      removeSocket(directory, held);
    }
  } finally {
    stopListening?.();
    rmSync(draft, { force: true });
  }
}

/** Example: `the data directory data is in use by the process with pid 4711`. */
export function inUse(directory: string, owner: LockOwner): string {
  return `the data directory ${directory} is in use by ${describeOwner(owner)}`;
}

/** Example: `the process with pid 4711`. */
export function describeOwner({ pid, isElsewhere }: LockOwner): string {
  return isElsewhere ? `a process in another container (pid ${pid} there)` : `the process with pid ${pid}`;
}

function writeDraft(directory: string, draft: string, text: string): void {
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: "wx" });
  } catch (error) {
    // A full disk leaves an empty file.
    if ((error as NodeJS.ErrnoException).code !== "EACCES") rmSync(draft, { force: true });
    throw notWritable(directory, error);
  }
}

function tryLink(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** The process that holds the lock of the directory; undefined if there is none. Changes nothing. */
export async function lockOwner(directory: string): Promise<LockOwner | undefined> {
  const held = readIfPresent(join(directory, LOCK_FILE));
  return held === undefined ? undefined : livingOwner(directory, held);
}

/** Moves a stale lock file away. If another process has replaced it in the meantime, restores the new one. */
function discardStale(path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readIfPresent(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function releaseIfOwned(path: string, mine: string): void {
  if (readIfPresent(path) === mine) rmSync(path, { force: true });
}

async function livingOwner(directory: string, held: string): Promise<LockOwner | undefined> {
  const owner = parseOwner(held);
  if (owner === undefined) return undefined;
  const { pid, started, token } = owner;
  if (isRunning(pid) && started === startTime(pid)) return { pid, isElsewhere: false };
  const isElsewhere = token !== undefined && (await isListening(directory, socketName(token)));
  return isElsewhere ? { pid, isElsewhere } : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

interface RecordedOwner {
  readonly pid: number;
  readonly started: string;
  /** Part of the name of the owner's socket. Undefined for locks of older versions. */
  readonly token: string | undefined;
}

function parseOwner(held: string): RecordedOwner | undefined {
  try {
    const { pid, started, token } = JSON.parse(held) as Readonly<Record<string, unknown>>;
    if (typeof pid !== "number" || pid <= 0) return undefined;
    return { pid, started: String(started), token: typeof token === "string" && TOKEN.test(token) ? token : undefined };
  } catch {
    return undefined;
  }
}

const TOKEN = /^[0-9a-f-]{36}$/;

function socketName(token: string): string {
  return `${LOCK_FILE}.${token}.socket`;
}

function removeSocket(directory: string, stale: string): void {
  const token = parseOwner(stale)?.token;
  if (token !== undefined) rmSync(join(directory, socketName(token)), { force: true });
}

/**
 * Listens on a Unix socket until the returned function is called or the process ends. Does nothing if the file system does not support
 * sockets: other processes then identify the owner by its pid alone.
 */
function listenAt(directory: string, name: string): () => void {
  const address = socketAddress(directory, name);
  const server = createServer((socket) => socket.destroy());
  // `listen` binds synchronously; an error event comes later.
  server.on("error", () => undefined).unref();
  server.listen(address.path);
  const path = join(directory, name);
  if (server.listening) chmodSync(path, PRIVATE_FILE);
  return () => {
    server.close();
    address.release();
    rmSync(path, { force: true });
  };
}

/** Whether a process listens on a socket. True also for errors that do not prove the opposite. */
async function isListening(directory: string, name: string): Promise<boolean> {
  const address = socketAddress(directory, name);
  try {
    return await new Promise<boolean>((resolve) => {
      const socket = connect(address.path);
      socket.once("error", ({ code }: NodeJS.ErrnoException) => resolve(!NOBODY.includes(code ?? "")));
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
    });
  } finally {
    address.release();
  }
}

/** Connection errors which prove that no process listens on the socket, or that the file is not a socket. */
const NOBODY = ["ENOENT", "ECONNREFUSED", "ENOTSOCK", "EOPNOTSUPP", "ENAMETOOLONG"];

/**
 * Address of a socket. Operating systems limit it to about 100 bytes; on Linux, a longer one is replaced by a path through the descriptor
 * of its directory.
 */
function socketAddress(directory: string, name: string): { readonly path: string; release(): void } {
  const path = join(directory, name);
  if (Buffer.byteLength(path) <= 100 || process.platform !== "linux") return { path, release: () => undefined };
  const descriptor = openSync(directory, "r");
  return { path: `/proc/self/fd/${descriptor}/${name}`, release: () => closeSync(descriptor) };
}

/** Start time of a process as the kernel reports it, or a constant where the kernel does not report it. */
function startTime(pid: number): string {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return "unknown";
  // The second field, the command, may contain spaces: count fields from the closing parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const dead = fields[0] === "Z" || fields[0] === "X";
  return dead ? "dead" : String(fields[19]);
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
