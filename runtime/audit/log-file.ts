import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { isForeign, makeDirectory, PRIVATE_FILE, refusePlanted } from "../lib/private-files.ts";

/** The destination of log lines. Writes are sequential. */
export interface LogDestination {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface LogFileOptions {
  readonly path: string;
  /** A file is rotated before it exceeds this size in bytes. */
  readonly maxBytes: number;
  /** Days for which rotated files are kept; 0 keeps them regardless of age. */
  readonly maxAgeDays: number;
  /** Number of rotated files that are kept; 0 keeps all. */
  readonly maxBackups: number;
  /** Whether rotated files are compressed. */
  readonly compress: boolean;
  readonly now: () => Date;
  /** Called when the log cannot be rotated, or rotated files cannot be compressed or removed. The log itself continues. */
  readonly onProblem: (message: string) => void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const COMPRESSED = ".gz";

/** A log file that only its owner may access. When it is full, it is rotated to `<name>-<time>.<extension>`. */
export class LogFile implements LogDestination {
  readonly #options: LogFileOptions;
  #file: FileHandle;
  #bytes: number;
  /** Compression and removal of rotated files, in the background, one round at a time. */
  #tidying: Promise<void> = Promise.resolve();

  private constructor(options: LogFileOptions, file: FileHandle, bytes: number) {
    this.#options = options;
    this.#file = file;
    this.#bytes = bytes;
  }

  /** Opens or creates the file. Throws the error of the file system. */
  static async open(options: LogFileOptions): Promise<LogFile> {
    makeDirectory(dirname(options.path));
    const file = await openPrivately(options.path);
    const { size } = await file.stat();
    const log = new LogFile(options, file, size);
    log.#tidySoon();
    return log;
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes > 0 && this.#bytes + bytes > this.#options.maxBytes) await this.#rotateIfPossible();
    await this.#file.appendFile(text);
    this.#bytes += bytes;
  }

  async close(): Promise<void> {
    await this.#tidying;
    await this.#file.close();
  }

  /** Rotates the log. If that fails, continues with the same file; the next attempt follows after it has grown by the maximum size again. */
  async #rotateIfPossible(): Promise<void> {
    this.#bytes = 0;
    try {
      await this.#rotate();
    } catch (error) {
      this.#options.onProblem(`cannot rotate the audit log: ${(error as Error).message}`);
    }
  }

  async #rotate(): Promise<void> {
    const { path } = this.#options;
    makeDirectory(dirname(path));
    // Another program may have moved or removed the file.
    if (existsSync(path)) await rename(path, await this.#freeName());
    const full = this.#file;
    this.#file = await openPrivately(path);
    await full.close();
    this.#tidySoon();
  }

  /** Returns a name with the current time, or with a slightly later one if that name exists. */
  async #freeName(): Promise<string> {
    const { path, now } = this.#options;
    const extension = extname(path);
    const stem = join(dirname(path), basename(path, extension));
    const taken = new Set(await readdir(dirname(path)));
    for (let time = now().getTime(); ; time += 1) {
      const name = `${stem}-${new Date(time).toISOString().replaceAll(":", "-").slice(0, -1)}${extension}`;
      if (!taken.has(basename(name)) && !taken.has(`${basename(name)}${COMPRESSED}`)) return name;
    }
  }

  #tidySoon(): void {
    this.#tidying = this.#tidying
      .then(() => this.#tidy())
      .catch((error: unknown) => this.#options.onProblem(`old audit logs: ${String(error)}`));
  }

  async #tidy(): Promise<void> {
    const { path, maxAgeDays, maxBackups, compress, now } = this.#options;
    const directory = dirname(path);
    const backups = (await readdir(directory)).flatMap((name) => asBackup(name, path)).sort((a, b) => b.time - a.time);
    const oldest = maxAgeDays > 0 ? now().getTime() - maxAgeDays * DAY_MS : Number.NEGATIVE_INFINITY;
    for (const [index, { name, time }] of backups.entries()) {
      const file = join(directory, name);
      if (time < oldest || (maxBackups > 0 && index >= maxBackups)) await rm(file, { force: true });
      else if (compress && !name.endsWith(COMPRESSED)) await compressFile(file);
    }
  }
}

/** Opens the log for appending. Makes an existing regular file private to its owner; other types, such as pipes, keep their mode. */
async function openPrivately(path: string): Promise<FileHandle> {
  refusePlanted(path);
  const file = await open(path, "a", PRIVATE_FILE);
  const stats = await file.stat();
  if (stats.isFile() && !isForeign(stats) && (stats.mode & 0o777) !== PRIVATE_FILE) await file.chmod(PRIVATE_FILE);
  return file;
}

/** Returns a rotated file with the time in its name; an empty list for other files. */
function asBackup(name: string, path: string): { name: string; time: number }[] {
  const extension = extname(path);
  const stem = `${basename(path, extension)}-`;
  const plain = name.endsWith(COMPRESSED) ? name.slice(0, -COMPRESSED.length) : name;
  if (!plain.startsWith(stem) || !plain.endsWith(extension)) return [];
  const stamp = plain.slice(stem.length, plain.length - extension.length);
  const match = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(stamp);
  return match === null ? [] : [{ name, time: Date.parse(`${match[1]}:${match[2]}:${match[3]}Z`) }];
}

async function compressFile(file: string): Promise<void> {
  await rm(`${file}${COMPRESSED}`, { force: true });
  const to = createWriteStream(`${file}${COMPRESSED}`, { mode: PRIVATE_FILE, flags: "wx" });
  await pipeline(createReadStream(file), createGzip(), to);
  await rm(file);
}

/** Writes to standard output, or to another stream that remains open when the log is closed. */
export function streamDestination(stream: NodeJS.WritableStream): LogDestination {
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stream.write(text, (error) => (error == null ? resolve() : reject(error)));
      }),
    close: async () => undefined,
  };
}
