import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FILE } from "../../lib/private-files.ts";
import { notWritable, StoreError } from "../errors.ts";

const LOCK_FILE = "server.lock";

/** Held while a store uses a directory. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Takes the directory for this process, or throws Locked with the pid of the process that has it, or NotWritable where
 * not even a lock can be written: the disk may be full. The lock of a process that died, however it died, is taken over: a lock names its owner's pid and start time, so a reused pid does not count.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = join(directory, LOCK_FILE);
  const mine = JSON.stringify({ pid: process.pid, started: startTime(process.pid), token: randomUUID() });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeDraft(directory, draft, mine);
    for (;;) {
      if (tryLink(draft, path)) return { release: () => releaseIfOwned(path, mine) };
      const held = readIfPresent(path);
      if (held === undefined) continue;
      const owner = livingOwner(held);
      if (owner !== undefined) {
        throw new StoreError("Locked", `the data directory ${directory} is in use by the process with pid ${owner}`);
      }
      discardStale(path, held);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(directory: string, draft: string, text: string): void {
  try {
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: "wx" });
  } catch (error) {
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

/** The process that has the directory; undefined if none does. Changes nothing. */
export function lockOwner(directory: string): number | undefined {
  const held = readIfPresent(join(directory, LOCK_FILE));
  return held === undefined ? undefined : livingOwner(held);
}

/** Moves the stale lock away; if another process had replaced it meanwhile, puts that one back. */
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

function livingOwner(held: string): number | undefined {
  const owner = parseOwner(held);
  if (owner === undefined) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return undefined;
  }
  return owner.started === startTime(owner.pid) ? owner.pid : undefined;
}

function parseOwner(held: string): { pid: number; started: string } | undefined {
  try {
    const { pid, started } = JSON.parse(held) as { pid: unknown; started: unknown };
    return typeof pid === "number" && pid > 0 ? { pid, started: String(started) } : undefined;
  } catch {
    return undefined;
  }
}

/** The kernel's start time of a process, where there is one to read; otherwise always the same word. */
function startTime(pid: number): string {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return "unknown";
  // The second field, the command, may hold spaces: count from the closing parenthesis.
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
