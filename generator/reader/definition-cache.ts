import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { deserialize, serialize } from "node:v8";
import { gunzipSync } from "node:zlib";
import { ts } from "ts-morph";
import type { DefinitionFile } from "./syntax.ts";

/** Result of reading a file: `file` is undefined for a file of code. */
interface Entry {
  readonly hash: string;
  readonly file: DefinitionFile | undefined;
  /** Definition files that it imports. */
  readonly imported: readonly string[];
}

/** Number of files that can be read again in the time that writing the cache takes. */
const FEW = 5;

interface Stored {
  readonly key: string;
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * Cache of definition files, by path and hash of their content. Files with diagnostics are not cached, since every run must report them
 * again. All steps after the reader run each time, on all files, so that runs with and without a cache cannot differ.
 */
export class DefinitionCache {
  readonly #key: string;
  readonly #known: ReadonlyMap<string, Entry>;
  readonly #used = new Map<string, Entry>();
  #missed = 0;

  readonly #shipped: ReadonlyMap<string, Entry>;
  /** Content that this process has already hashed, by path. */
  readonly #hashed: Map<string, { readonly text: string; readonly hash: string }>;

  constructor(
    key = "",
    known: ReadonlyMap<string, Entry> = new Map(),
    shipped: ReadonlyMap<string, Entry> = new Map(),
    hashed: Map<string, { readonly text: string; readonly hash: string }> = new Map(),
  ) {
    this.#key = key;
    this.#known = known;
    this.#shipped = shipped;
    this.#hashed = hashed;
  }

  /** Returns the entry of a file with this content. Checks the imports again, because they depend on the other files. */
  find(path: string, text: string, exists: (path: string) => boolean): Entry | undefined {
    const hash = this.#hash(path, text);
    const found = [this.#known, this.#shipped].map((entries) => entries.get(path));
    const entry = found.find((one) => one?.hash === hash && one.imported.every(exists));
    if (entry !== undefined && entry !== found[1]) this.#used.set(path, entry);
    return entry;
  }

  keep(path: string, text: string, read: Omit<Entry, "hash">): void {
    this.#missed += 1;
    this.#used.set(path, { hash: this.#hash(path, text), ...read });
  }

  /** Returns the entries that this run used, for another run in the same process. */
  afterRun(): DefinitionCache {
    return new DefinitionCache(this.#key, this.#used, this.#shipped, this.#hashed);
  }

  #hash(path: string, text: string): string {
    const known = this.#hashed.get(path);
    if (known?.text === text) return known.hash;
    const hash = hashOf(text);
    this.#hashed.set(path, { text, hash });
    return hash;
  }

  /** Number of files that this run had to read. */
  get missed(): number {
    return this.#missed;
  }

  /** Replaces the stored cache by the entries that this run used, unless reading the few changed files again takes less time. */
  async store(path: string): Promise<void> {
    if ((this.#known.size > FEW || this.#shipped.size > FEW) && this.#missed <= FEW) return;
    const stored: Stored = { key: this.#key, entries: this.#used };
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}`, serialize(stored));
    await rename(`${path}.${process.pid}`, path);
  }
}

/** The definitions of Kubernetes as read by the reader of the same installed package. */
const SHIPPED = new URL("../kubernetes-definitions.bin.gz", import.meta.url);

/**
 * Opens a stored cache, or an empty one to be stored, together with the cache in an installed package. A cache that is unreadable or from
 * another reader is ignored.
 */
export async function openDefinitionCache(path: string, { empty = false } = {}): Promise<DefinitionCache> {
  const key = await readerKey();
  const [known, shipped] = await Promise.all([
    empty ? undefined : readEntries(path, key),
    readEntries(SHIPPED, key, gunzipSync),
  ]);
  return new DefinitionCache(key, known, shipped);
}

async function readEntries(
  path: string | URL,
  key: string,
  unpack = (bytes: Buffer): Buffer => bytes,
): Promise<ReadonlyMap<string, Entry> | undefined> {
  try {
    const stored = deserialize(unpack(await readFile(path))) as Stored;
    return stored.key === key && stored.entries instanceof Map ? stored.entries : undefined;
  } catch {
    // Absent, truncated, or written by another version of Node.
    return undefined;
  }
}

/** Returns a hash of everything else that determines the result: the code of the reader and the version of the compiler. */
async function readerKey(): Promise<string> {
  const names = (await readdir(new URL(".", import.meta.url))).filter((name) => /(?<!\.d)\.[jt]s$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, import.meta.url), "utf8")));
  return hashOf([ts.version, ...texts].join("\0"));
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
