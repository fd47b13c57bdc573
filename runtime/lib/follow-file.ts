import { readFile, unwatchFile, watchFile } from "node:fs";

const INTERVAL_MS = 1000;

export interface FileChanges {
  /** What the file holds now; never twice the same in a row. */
  changed(text: string): void;
  /** It cannot be read at the moment. */
  failed(error: Error): void;
}

/**
 * Follows the contents of a file until the returned function is called. The file is looked at now and then rather than
 * watched: mounted files are replaced by renaming a link, of which watches of the file itself see nothing.
 */
export function followFile(path: string, known: string, changes: FileChanges, intervalMs = INTERVAL_MS): () => void {
  let current = known;
  const look = () =>
    readFile(path, "utf8", (error, text) => {
      if (error !== null) return changes.failed(error);
      if (text === current) return;
      current = text;
      changes.changed(text);
    });
  watchFile(path, { persistent: false, interval: intervalMs }, look);
  return () => unwatchFile(path, look);
}
