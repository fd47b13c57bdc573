import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { type Manifest, parseManifests } from "./parse-manifests.ts";

/** A specified source cannot be read. The message is shown to the user. */
export class SourceError extends Error {
  readonly code = "Source";
}

export interface ManifestSources {
  /** Files, directories (read recursively), or `-` for standard input. */
  readonly paths: readonly string[];
  readonly stdin: () => string;
}

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);

/**
 * Reads every document of every source. Follows links; reads each file once. Throws a SourceError for a specified path that cannot be read. An
 * unreadable file within a directory is reported as a problem.
 */
export function readManifests({ paths, stdin }: ManifestSources): Manifest[] {
  const seen = new Set<string>();
  return paths.flatMap((path): Manifest[] => {
    if (path === "-") return parseManifests("<stdin>", stdin());
    try {
      if (!statSync(path).isDirectory()) return readFile(path);
    } catch (error) {
      throw new SourceError(`${path}: ${reasonOf(error)}`, { cause: error });
    }
    return readBelow(path, seen);
  });
}

function readBelow(directory: string, seen: Set<string>): Manifest[] {
  let names: string[];
  try {
    if (!isNew(directory, seen)) return [];
    names = readdirSync(directory).sort();
  } catch (error) {
    return [{ file: directory, line: 1, problem: reasonOf(error) }];
  }
  return names.flatMap((name): Manifest[] => {
    const path = join(directory, name);
    const isManifest = EXTENSIONS.has(extname(name));
    try {
      const stat = statSync(path);
      if (stat.isDirectory()) return readBelow(path, seen);
      if (!isManifest || !stat.isFile() || !isNew(path, seen)) return [];
      return readFile(path);
    } catch (error) {
      return isManifest ? [{ file: path, line: 1, problem: reasonOf(error) }] : [];
    }
  });
}

function readFile(path: string): Manifest[] {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes) || bytes.includes(0)) return [{ file: path, line: 1, problem: "the file is not UTF-8 text" }];
  return parseManifests(path, bytes.toString("utf8"));
}

function isNew(path: string, seen: Set<string>): boolean {
  const real = realpathSync(path);
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
  ELOOP: "its links lead in a circle",
};

/** Returns the error of the file system as a message. */
export function reasonOf(error: unknown): string {
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  return REASONS[code] ?? message;
}
