import { goQuote } from "../../../runtime/go/quote.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { warnOfClaimSpec } from "./claim-warnings.ts";
import type { VolumeProjection } from "./projected-volumes.ts";
import { findOverlaps, MOST_OVERLAPS, type PlacedFile } from "./volume-overlaps.ts";
import type { Volume } from "./volumes.ts";

/**
 * Deprecated or removed volume sources: field, name in the warning, and the warning. Ephemeral claims are checked between these and
 * `RETIRED_LATER`.
 */
const RETIRED = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
] as const;
const RETIRED_LATER = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

/** Sources that may cause warnings by themselves. Few volumes have one, so others are skipped. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  "ephemeral",
  ...[...RETIRED, ...RETIRED_LATER].map(([source]) => source),
]);

const NO_SOURCE = (): string => "";

export function warnOfVolumes(
  volumes: readonly Volume[],
  path: string,
  featureEnabled: (gate: string) => boolean,
  warnings: string[],
): void {
  const warnOfRetired = (volume: Volume, at: string, rows: typeof RETIRED | typeof RETIRED_LATER): void => {
    for (const [source, name, advice] of rows) {
      if (volume[source] === undefined) continue;
      const off = source === "gitRepo" && !featureEnabled("GitRepoVolumeDriver");
      warnings.push(`${at}.${name}: ${advice}${off ? ", and disabled by default in v1.33+" : ""}`);
    }
  };
  for (const [index, volume] of volumes.entries()) {
    if (!Object.keys(volume).some((source) => LOOKED_AT.has(source))) continue;
    const at = `${path}[${index}]`;
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    warnOfRetired(volume, at, RETIRED);
    warnings.push(...warnOfClaimSpec(claim, `${at}.ephemeral.volumeClaimTemplate.spec`));
    warnOfRetired(volume, at, RETIRED_LATER);
  }
  for (const volume of volumes) warnOfOverlaps(volume, warnings);
}

/** Warns of files of a volume with the same path, or with one path inside the other. */
function warnOfOverlaps({ name, configMap, secret, downwardAPI, projected }: Volume, warnings: string[]): void {
  const say = (place: string, text: string) => `volume ${goQuote(name)} (${place}): overlapping paths: ${text}`;
  const report = (items: readonly FileItem[] | undefined, place: () => string): void => {
    if (items === undefined) return;
    for (const { text } of findOverlaps(files(items, NO_SOURCE))) warnings.push(say(place(), text));
  };
  report(configMap?.items, () => `ConfigMap ${goQuote(configMap?.name ?? "")}`);
  report(secret?.items, () => `Secret ${goQuote(secret?.secretName ?? "")}`);
  report(downwardAPI?.items, () => "DownwardAPI");
  for (const warning of warnOfSources(projected?.sources ?? [], name, (text) => say("Projected", text)))
    warnings.push(warning);
}

/** Checks the sources in order. As in Kubernetes, a source without file list counts as if it had the files of the previous source. */
function warnOfSources(
  sources: readonly VolumeProjection[],
  volume: string,
  say: (overlap: string) => string,
): string[] {
  const placed: PlacedFile[] = [];
  const warnings: { readonly before: number; readonly text: string }[] = [];
  let latest: PlacedFile[] = [];
  let repeated = 0;
  for (const source of sources) {
    if (Object.keys(source).length === 0) {
      const text = `volume ${goQuote(volume)} (Projected) has no sources provided`;
      warnings.push({ before: placed.length, text });
      continue;
    }
    const own = filesOf(source);
    // Every file that occurs again is an overlap. No more of them are needed than are reported.
    if (own === undefined) repeated += latest.length;
    latest = own ?? latest;
    if (repeated <= 2 * MOST_OVERLAPS) for (const file of own ?? latest.slice(0, MOST_OVERLAPS)) placed.push(file);
  }
  const overlaps = findOverlaps(placed).map(({ index, text }) => ({ before: index + 1, text: say(text) }));
  if (overlaps.length === 0 && warnings.length === 0) return [];
  return [...overlaps, ...warnings].sort((a, b) => a.before - b.before).map(({ text }) => text);
}

function filesOf(source: VolumeProjection): PlacedFile[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  const mapped = asGiven(configMap, "items");
  if (mapped) return files(mapped, () => `ConfigMap ${goQuote(configMap?.name ?? "")}`);
  const secrets = asGiven(secret, "items");
  if (secrets) return files(secrets, () => `Secret ${goQuote(secret?.name ?? "")}`);
  const downward = asGiven(downwardAPI, "items");
  if (downward) return files(downward, () => "DownwardAPI");
  if (serviceAccountToken) return [{ path: serviceAccountToken.path, source: () => "ServiceAccountToken" }];
  if (!clusterTrustBundle) return undefined;
  const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? "";
  return [{ path: clusterTrustBundle.path, source: () => `ClusterTrustBundle ${goQuote(name)}` }];
}

interface FileItem {
  readonly path: string;
}

function files(items: readonly FileItem[], source: () => string): PlacedFile[] {
  return items.map(({ path }) => ({ path, source }));
}
