import type { ApiCatalogue } from "../contract/resource-descriptor.ts";
import { parseGoBool } from "../go/bool.ts";
import { didYouMean, didYouMeanVersion } from "../lib/did-you-mean.ts";
import { ReleaseError } from "./release.ts";
import { type Stability, stabilityOf } from "./version-name.ts";

/** The rules of `--runtime-config`, most general first: later rules override earlier ones (docs/versioning.md, "What is served"). */
export interface RuntimeConfig {
  readonly levels: ReadonlyMap<"all" | Stability, boolean>;
  /** Keyed `group/version`; the core group is `/v1`. */
  readonly versions: ReadonlyMap<string, boolean>;
  /** Keyed `group/version/resource`. */
  readonly resources: ReadonlyMap<string, boolean>;
}

export const emptyRuntimeConfig: RuntimeConfig = { levels: new Map(), versions: new Map(), resources: new Map() };

const levelKeys = new Map<string, "all" | Stability>([
  ["api/all", "all"],
  ["api/ga", "stable"],
  ["api/beta", "beta"],
  ["api/alpha", "alpha"],
]);

/**
 * Parses the flag's comma-separated `key[=bool]` pairs (several flags are joined). Throws a ReleaseError for a key that is not in the catalogue, with
 * the most similar key.
 */
export function parseRuntimeConfig(text: string, catalogue: ApiCatalogue): RuntimeConfig {
  const levels = new Map<"all" | Stability, boolean>();
  const versions = new Map<string, boolean>();
  const resources = new Map<string, boolean>();
  for (const pair of text.split(",").map((part) => part.trim())) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const key = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? true : readBoolean(key, pair.slice(equals + 1));
    const level = levelKeys.get(key);
    const parts = key.split("/");
    if (level !== undefined) levels.set(level, value);
    else if (parts.length === 2) versions.set(knownVersion(key, catalogue), value);
    else if (parts.length === 3) resources.set(knownResource(key, catalogue), value);
    else
      throw new ReleaseError(
        `--runtime-config: "${key}" is not group/version, group/version/resource or api/all, api/ga, api/beta, api/alpha`,
      );
  }
  return { levels, versions, resources };
}

/** Returns versions and resources that the flag enables and that are not served: they cannot be enabled. */
export function unservedRuntimeConfig(
  config: RuntimeConfig,
  served: readonly { group: string; version: string; resource: string }[],
): string[] {
  const known = new Set(
    served.flatMap(({ group, version, resource }) => [`${group}/${version}`, `${group}/${version}/${resource}`]),
  );
  const asked = [...config.versions, ...config.resources].flatMap(([key, value]) => (value ? [key] : []));
  return displayed(asked.filter((key) => !known.has(key)));
}

/** The flag's value for one resource; undefined if it does not set one. */
export function runtimeConfigFor(
  config: RuntimeConfig,
  resource: { group: string; version: string; resource: string },
): boolean | undefined {
  const version = `${resource.group}/${resource.version}`;
  return (
    config.resources.get(`${version}/${resource.resource}`) ??
    config.versions.get(version) ??
    config.levels.get(stabilityOf(resource.version)) ??
    config.levels.get("all")
  );
}

function readBoolean(key: string, text: string): boolean {
  const value = text === "" ? true : parseGoBool(text);
  if (value === undefined) throw new ReleaseError(`--runtime-config: ${key}=${text}: the value must be true or false`);
  return value;
}

function knownVersion(key: string, catalogue: ApiCatalogue): string {
  const normalized = key.startsWith("api/") || key.startsWith("core/") ? key.slice(key.indexOf("/")) : key;
  const known = new Set(catalogue.resources.map((resource) => `${resource.group}/${resource.version}`));
  if (known.has(normalized)) return normalized;
  const candidates = [...displayed(known), ...levelKeys.keys()];
  throw new ReleaseError(`--runtime-config: there is no API version "${key}"${didYouMeanVersion(key, candidates)}`);
}

function knownResource(key: string, catalogue: ApiCatalogue): string {
  const [, , name] = key.split("/");
  if (name !== name?.toLowerCase()) {
    throw new ReleaseError(`--runtime-config: "${key}": name a resource by its lower-case plural, not "${name}"`);
  }
  const version = knownVersion(key.slice(0, key.lastIndexOf("/")), catalogue);
  const known = new Set(
    catalogue.resources.map((resource) => `${resource.group}/${resource.version}/${resource.resource}`),
  );
  if (known.has(`${version}/${name}`)) return `${version}/${name}`;
  throw new ReleaseError(`--runtime-config: there is no resource "${key}"${didYouMean(key, displayed(known))}`);
}

function displayed(keys: Iterable<string>): string[] {
  return [...keys].map((key) => (key.startsWith("/") ? `api${key}` : key));
}
