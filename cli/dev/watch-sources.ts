import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join, relative } from "node:path";

/** Delay before a change is processed, because editors write a file in several steps. */
const SETTLE_MS = 15;
const DEFINITIONS = "api-definitions";
const CONFIG_FILE = "typeplane.config.ts";

/**
 * Watches the definitions and the configuration of a project. `changed` receives the paths, below the root, of files that were written,
 * created or removed. It is not called again before its promise is settled. Returns a function that stops watching.
 */
export function watchSources(root: string, changed: (paths: ReadonlySet<string>) => Promise<void>): () => void {
  let pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  const run = async (): Promise<void> => {
    if (busy || pending.size === 0) return;
    const paths = pending;
    pending = new Set();
    busy = true;
    try {
      await changed(paths);
    } finally {
      busy = false;
      if (pending.size > 0) void run();
    }
  };
  const folders = new FolderWatch(join(root, DEFINITIONS), (file) => {
    if (/\.(ts|json)$/.test(file)) note(relative(root, file));
  });
  const config = watch(root, (_event, name) => {
    if (name === CONFIG_FILE) note(CONFIG_FILE);
  });
  function note(path: string): void {
    pending.add(path.replaceAll("\\", "/"));
    clearTimeout(timer);
    timer = setTimeout(() => void run(), SETTLE_MS);
  }
  return () => {
    clearTimeout(timer);
    folders.close();
    config.close();
  };
}

/** Watches each folder separately: on Linux, Node's recursive watch misses files that an editor replaces. */
class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #note: (file: string) => void;

  constructor(folder: string, note: (file: string) => void) {
    this.#note = note;
    this.#add(folder);
  }

  /** Watches a folder and those below it. Returns their files. */
  #add(folder: string): string[] {
    if (this.#watchers.has(folder)) return [];
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) this.#look(join(folder, name));
    });
    watcher.on("error", () => this.#forget(folder));
    this.#watchers.set(folder, watcher);
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? this.#add(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  }

  #look(path: string): void {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
      for (const file of this.#add(path)) this.#note(file);
    } else {
      this.#forget(path);
      this.#note(path);
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }
}
