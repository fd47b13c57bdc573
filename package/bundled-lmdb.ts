import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "rolldown";

const INSTALLED = join(import.meta.dirname, "installed-lmdb.ts");
const LOADER_OF_BUNDLE = join(import.meta.dirname, "load-bundled-lmdb.ts");
const C_LIBRARY = join(import.meta.dirname, "c-library.ts");
const LMDB = createRequire(import.meta.url).resolve("lmdb");

/** Where LMDB asks for its own location: the native part, the dictionary of compression, and what it requires later. */
const OWN_URL =
  "(typeof document === 'undefined' ? new (require('u' + 'rl').URL)('file:' + __filename).href : (document.currentScript && document.currentScript.tagName.toUpperCase() === 'SCRIPT' && document.currentScript.src || new URL('index.cjs', document.baseURI).href))";
const OWN_URLS = 3;

/** Modules of this folder that are part of the bundle. */
export const LMDB_PARTS: ReadonlySet<string> = new Set([INSTALLED, LOADER_OF_BUNDLE, C_LIBRARY]);

/**
 * Bundles the main file of LMDB. What it requires, among it the loader of its native part, is required from the installed package, from
 * where it would be otherwise. One of these packages has a direct `eval`, for which V8 would keep all variables of the bundle.
 */
export function bundledLmdb(): Plugin {
  return {
    name: "bundled-lmdb",
    resolveId(source, importer = "") {
      if (source.endsWith("/load-lmdb.ts") && !LMDB_PARTS.has(importer)) return LOADER_OF_BUNDLE;
      return source === INSTALLED ? INSTALLED : undefined;
    },
    transform(code, id) {
      return id === LMDB ? { code: withInstalledParts(code), map: null } : undefined;
    },
  };
}

function withInstalledParts(code: string): string {
  const pieces = code.split(OWN_URL);
  if (pieces.length !== OWN_URLS + 1) throw new Error("lmdb finds its own location otherwise than expected");
  const installed = `require(${JSON.stringify(INSTALLED)})`;
  return pieces
    .join(`${installed}.installedUrl()`)
    .replace(/\brequire\(('(?!node:)[^']+')\)/g, `${installed}.requireOfLmdb($1)`);
}
