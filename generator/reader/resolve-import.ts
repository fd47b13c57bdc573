import { posix } from "node:path";
import { VOCABULARY } from "./syntax.ts";

/** Files that define words and not kinds: `vocabulary.ts`, `gate-vocabulary.ts` and similar. */
export const VOCABULARY_FILE = /^api-definitions\/([a-z]+-)?vocabulary\.ts$/;
const VOCABULARY_PACKAGE = "typeplane/vocabulary";
/** `typeplane/meta/v1` and `typeplane/kubernetes/core/v1`: all types of a module. */
const MODULE = /^typeplane\/(?:kubernetes\/(.+)|(meta\/v1))$/;
/** A definition file of another package: `fleet-api/api-definitions/fleet/v1/truck.ts`. */
const PACKAGE_FILE = /^((?:@[^/]+\/)?[^./@][^/]*)\/(api-definitions\/.+\.ts)$/;

/**
 * Returns what an import refers to: the vocabulary, a definition file, or a module (`api-definitions/core/v1`, without extension) in whose
 * files the name is searched. Undefined for other packages, which provide functions but no types of definitions.
 */
export function resolveImport(specifier: string, importer: string): string | undefined {
  if (specifier === VOCABULARY_PACKAGE) return VOCABULARY;
  const [, kubernetes, meta] = MODULE.exec(specifier) ?? [];
  if (kubernetes !== undefined || meta !== undefined) return `api-definitions/${kubernetes ?? meta}`;
  if (!specifier.startsWith(".")) return PACKAGE_FILE.exec(specifier)?.[2];
  const file = posix.join(posix.dirname(importer), specifier);
  return VOCABULARY_FILE.test(file) ? VOCABULARY : file;
}

/** Returns the package whose definition file is imported; undefined for any other import. */
export function packageOf(specifier: string): string | undefined {
  return PACKAGE_FILE.exec(specifier)?.[1];
}
