import { readFile, unwatchFile, watchFile } from "node:fs";

const INTERVAL_MS = 1000;

export interface FileChanges {
  /** Called with the new content of the file. Never called twice in a row with the same content. */
  changed(text: string): void;
  /** Called if the file cannot be read at the moment. */
  failed(error: Error): void;
}

/**
 * Follows the content of a file until the returned function is called. The file is read periodically instead of watched: mounted files are
 * replaced by renaming a link, which watches of the file itself do not detect.
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
