import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { StoreError } from "../../runtime/store/errors.ts";
import type { Store } from "../../runtime/store/store.ts";

const PAGE = 4096;
const SECTOR = 512;
/** Number of meta pages at the start of an LMDB file, which refer to the roots of its trees. A commit writes one of them, as its last write. */
const META_PAGES = 2;
/** Offset of the transaction number in a meta page: the end of what a commit writes there. */
const TRANSACTION_AT = 152;
const PREFIX = "/registry/things/";

/** Possible contents of the file after a power failure during a commit, on a disk that honors syncs. */
export const FAILURES = ["some pages", "cut short", "all but the meta page", "half a meta page", "everything"] as const;
export type Failure = (typeof FAILURES)[number];

export interface TornWrites {
  readonly images: number;
  /** Images that a store refused to open with an error message. */
  readonly refused: number;
  readonly problems: readonly string[];
}

interface State {
  readonly revision: number;
  readonly values: ReadonlyMap<string, string>;
}

export interface TearOptions {
  /** An empty directory. */
  readonly directory: string;
  readonly commits: number;
  readonly imagesPerCommit: number;
  readonly random: () => number;
  /** For tests of this test: changes an image before it is opened. */
  readonly spoil?: (image: Buffer, before: Buffer, after: Buffer) => void;
}

/**
 * Writes commits to a store. From the file before and after each commit, creates files as a power failure in between may leave them. A store
 * opened with such a file must have the state before the commit, or after it if everything was written, and must accept writes.
 */
export async function tearWrites(options: TearOptions): Promise<TornWrites> {
  const { directory, commits, imagesPerCommit, random } = options;
  const live = join(directory, "live");
  const store = await openEmbeddedStore(live, { historyMs: Number.POSITIVE_INFINITY });
  const problems: string[] = [];
  let [images, refused] = [0, 0];
  try {
    let [file, state] = [readFileSync(join(live, "data.mdb")), await readState(store)];
    for (let commit = 0; commit < commits; commit++) {
      await writeSome(store, state, random);
      const [nextFile, nextState] = [readFileSync(join(live, "data.mdb")), await readState(store)];
      for (let image = 0; image < imagesPerCommit; image++) {
        const failure = FAILURES[images++ % FAILURES.length] as Failure;
        const bytes = tear(failure, file, nextFile, random);
        options.spoil?.(bytes, file, nextFile);
        const expected = failure === "everything" ? nextState : state;
        const found = await openImage(join(directory, `image-${images}`), bytes, expected);
        if (found === "refused") refused += 1;
        else if (found !== undefined) problems.push(`commit ${commit}, ${failure}: ${found}`);
      }
      [file, state] = [nextFile, nextState];
    }
  } finally {
    await store.close();
  }
  return { images, refused, problems };
}

/**
 * Creates, changes and deletes in one turn of the event loop, so that it is one commit. Values have all sizes, from a part of a page to
 * several pages.
 */
async function writeSome(store: Store, { values }: State, random: () => number): Promise<void> {
  const names = [...values.keys()];
  const size = (): number => Math.floor(20 + random() ** 3 * 3 * PAGE);
  const value = (): Buffer => Buffer.alloc(size(), String(random()));
  const chosen = new Set([0, 1, 2].flatMap(() => names[Math.floor(random() * names.length)] ?? []));
  const entries = await Promise.all([...chosen].map((key) => store.get(key)));
  // No await from here on: writes of several turns may become several commits.
  const writes: Promise<unknown>[] = [];
  for (let count = 0; count < 5; count++)
    writes.push(store.put(`${PREFIX}${Math.floor(random() * 1e9)}`, value(), { expected: 0 }));
  for (const entry of entries) {
    if (entry === undefined) continue;
    const { key, modRevision: expected } = entry;
    writes.push(random() < 0.4 ? store.delete(key, { expected }) : store.put(key, value(), { expected }));
  }
  await Promise.all(writes);
}

async function readState(store: Store): Promise<State> {
  const { entries, revision } = await store.range({ prefix: PREFIX });
  return { revision, values: new Map(entries.map(({ key, value }) => [key, Buffer.from(value).toString("latin1")])) };
}

/** Returns the bytes of a file after a failure. */
function tear(failure: Failure, before: Buffer, after: Buffer, random: () => number): Buffer {
  if (failure === "everything") return Buffer.from(after);
  const image = Buffer.alloc(Math.max(before.length, after.length));
  before.copy(image);
  for (let at = META_PAGES * PAGE; at < after.length; at += PAGE) {
    const end = Math.min(at + PAGE, after.length);
    const written = failure === "some pages" || failure === "cut short" ? sectorsWritten(random) * SECTOR : PAGE;
    after.copy(image, at, at, Math.min(end, at + written));
  }
  if (failure === "half a meta page") {
    const place = changedMeta(before, after);
    after.copy(image, place, place, place + Math.floor(random() * TRANSACTION_AT));
  }
  if (failure !== "cut short") return image;
  // The file had not reached its new length yet.
  return image.subarray(0, before.length + Math.floor(random() * (image.length - before.length + 1)));
}

/** Returns which sectors of a page were written: none, all or some. */
function sectorsWritten(random: () => number): number {
  return Math.min(PAGE / SECTOR, Math.max(0, Math.floor(random() * 3 * (PAGE / SECTOR)) - PAGE / SECTOR));
}

/** Returns the offset of the meta page that a commit wrote. */
function changedMeta(before: Buffer, after: Buffer): number {
  const isChanged = (at: number): boolean => !before.subarray(at, at + PAGE).equals(after.subarray(at, at + PAGE));
  const changed = [0, PAGE].filter(isChanged);
  if (changed.length !== 1) throw new Error("there was more than one commit");
  return changed[0] as number;
}

/** Returns the problem of a store with this file; undefined if there is none. */
async function openImage(directory: string, bytes: Buffer, expected: State): Promise<string | undefined> {
  mkdirSync(directory, { mode: 0o700 });
  chmodSync(directory, 0o700);
  writeFileSync(join(directory, "data.mdb"), bytes, { mode: 0o600 });
  let store: Store;
  try {
    store = await openEmbeddedStore(directory, { historyMs: Number.POSITIVE_INFINITY });
  } catch (error) {
    return error instanceof StoreError ? "refused" : `opening failed with ${String(error)}`;
  }
  try {
    const found = await readState(store);
    if (found.revision !== expected.revision) return `revision ${found.revision} instead of ${expected.revision}`;
    for (const key of new Set([...found.values.keys(), ...expected.values.keys()]))
      if (found.values.get(key) !== expected.values.get(key)) return `${key} has another value`;
    const { revision } = await store.put(`${PREFIX}later`, Buffer.from("later"), { expected: 0 });
    const later = await store.get(`${PREFIX}later`);
    return later?.modRevision === revision ? undefined : "a later write was lost";
  } catch (error) {
    return String(error);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
