import { goQuote } from "../../../runtime/go/quote.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { warnOfClaimSpec } from "./claim-warnings.ts";
import type { VolumeProjection } from "./projected-volumes.ts";
import { findOverlaps, MOST_OVERLAPS, type PlacedFile } from "./volume-overlaps.ts";
import type { Volume } from "./volumes.ts";

/** Kinds of volumes that are no more, by the name a warning gives them. Claims are looked at before the later ones. */
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

/** Sources whose volumes are looked at for what they are; hardly any volume has one. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  "ephemeral",
  ...[...RETIRED, ...RETIRED_LATER].map(([source]) => source),
]);

const NO_SOURCE = (): string => "";

export function warnOfVolumes(
  volumes: readonly Volume[],
  path: string,
  featureEnabled: (gate: string) => boolean,
): string[] {
  const retired = (volume: Volume, at: string, rows: typeof RETIRED | typeof RETIRED_LATER) =>
    rows.flatMap(([source, name, advice]) => {
      if (volume[source] === undefined) return [];
      const off = source === "gitRepo" && !featureEnabled("GitRepoVolumeDriver");
      return [`${at}.${name}: ${advice}${off ? ", and disabled by default in v1.33+" : ""}`];
    });
  return [
    ...volumes.flatMap((volume, index) => {
      if (!Object.keys(volume).some((source) => LOOKED_AT.has(source))) return [];
      const at = `${path}[${index}]`;
      const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
      return [
        ...retired(volume, at, RETIRED),
        ...warnOfClaimSpec(claim, `${at}.ephemeral.volumeClaimTemplate.spec`),
        ...retired(volume, at, RETIRED_LATER),
      ];
    }),
    ...volumes.flatMap(warnOfOverlaps),
  ];
}

/** Files of a volume that land on the same path, or one inside the other. */
function warnOfOverlaps(volume: Volume): string[] {
  const { name, configMap, secret, downwardAPI, projected } = volume;
  if (!(configMap || secret || downwardAPI || projected)) return [];
  const say = (place: string, text: string) => `volume ${goQuote(name)} (${place}): overlapping paths: ${text}`;
  const report = (place: () => string, files: readonly PlacedFile[]) =>
    findOverlaps(files).map(({ text }) => say(place(), text));
  return [
    ...report(() => `ConfigMap ${goQuote(configMap?.name ?? "")}`, files(configMap?.items, NO_SOURCE)),
    ...report(() => `Secret ${goQuote(secret?.secretName ?? "")}`, files(secret?.items, NO_SOURCE)),
    ...report(() => "DownwardAPI", files(downwardAPI?.items, NO_SOURCE)),
    ...warnOfSources(projected?.sources ?? [], name, (text) => say("Projected", text)),
  ];
}

/**
 * Sources are looked at one after the other. One that names no files counts as if it had those of the one before:
 * Kubernetes takes it so.
 */
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
    // Each file that counts twice is an overlap, and more of them than are reported need not be looked at.
    if (own === undefined) repeated += latest.length;
    latest = own ?? latest;
    if (repeated <= 2 * MOST_OVERLAPS) for (const file of own ?? latest.slice(0, MOST_OVERLAPS)) placed.push(file);
  }
  const overlaps = findOverlaps(placed).map(({ index, text }) => ({ before: index + 1, text: say(text) }));
  return [...overlaps, ...warnings].sort((a, b) => a.before - b.before).map(({ text }) => text);
}

function filesOf(source: VolumeProjection): PlacedFile[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  const [mapped, secrets, downward] = [
    asGiven(configMap, "items"),
    asGiven(secret, "items"),
    asGiven(downwardAPI, "items"),
  ];
  if (mapped) return files(mapped, () => `ConfigMap ${goQuote(configMap?.name ?? "")}`);
  if (secrets) return files(secrets, () => `Secret ${goQuote(secret?.name ?? "")}`);
  if (downward) return files(downward, () => "DownwardAPI");
  if (serviceAccountToken) return [{ path: serviceAccountToken.path, source: () => "ServiceAccountToken" }];
  if (!clusterTrustBundle) return undefined;
  const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? "";
  return [{ path: clusterTrustBundle.path, source: () => `ClusterTrustBundle ${goQuote(name)}` }];
}

function files(items: readonly { readonly path: string }[] | undefined, source: () => string): PlacedFile[] {
  return (items ?? []).map(({ path }) => ({ path, source }));
}
