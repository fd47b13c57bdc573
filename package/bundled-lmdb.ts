import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "rolldown";

const INSTALLED = join(import.meta.dirname, "installed-lmdb.ts");
const LOADER_OF_BUNDLE = join(import.meta.dirname, "load-bundled-lmdb.ts");
const C_LIBRARY = join(import.meta.dirname, "c-library.ts");
const LMDB = createRequire(import.meta.url).resolve("lmdb");

/** Expression by which LMDB determines its own location, for the native part, the compression dictionary, and what it requires later. */
const OWN_URL =
  "(typeof document === 'undefined' ? new (require('u' + 'rl').URL)('file:' + __filename).href : (document.currentScript && document.currentScript.tagName.toUpperCase() === 'SCRIPT' && document.currentScript.src || new URL('index.cjs', document.baseURI).href))";
const OWN_URLS = 3;

/**
 * Packages that LMDB must require from the installed location: the loader of its native part, and one that is loaded lazily. Its other
 * dependencies are bundled.
 */
const OF_INSTALLED = ["node-gyp-build-optional-packages", "msgpackr"];

/** Encodes the keys of LMDB. It creates a function with a direct `eval`, because of which V8 would keep all variables of the bundle. */
const KEYS = createRequire(LMDB).resolve("ordered-binary");
const EVALUATED = "eval(makeStringBuilder())";
const BUILDER = /^function makeStringBuilder\(\) \{\n[\s\S]*?^\}$/m;

/** Modules of this folder that are part of the bundle. */
export const LMDB_PARTS: ReadonlySet<string> = new Set([INSTALLED, LOADER_OF_BUNDLE, C_LIBRARY]);

/** Bundles LMDB and the packages that it loads. The loader of its native part is still required from the installed location. */
export function bundledLmdb(): Plugin {
  return {
    name: "bundled-lmdb",
    resolveId(source, importer = "") {
      if (source.endsWith("/load-lmdb.ts") && !LMDB_PARTS.has(importer)) return LOADER_OF_BUNDLE;
      return source === INSTALLED ? INSTALLED : undefined;
    },
    transform(code, id) {
      if (id === KEYS) return { code: withoutEval(code), map: null };
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
    .replace(/\brequire\('([^']+)'\)/g, (call: string, name: string) =>
      OF_INSTALLED.includes(name) ? `${installed}.requireOfLmdb('${name}')` : call,
    );
}

/** Replaces the evaluation by the code that would be evaluated. */
export function withoutEval(code: string): string {
  const [builder] = BUILDER.exec(code) ?? [];
  if (builder === undefined || code.split(EVALUATED).length !== 2)
    throw new Error("ordered-binary makes its functions otherwise than expected");
  const text = new Function("fromCharCode", `${builder}\nreturn makeStringBuilder();`)(String.fromCharCode) as string;
  return code.replace(EVALUATED, () => `(${text})`);
}
