import { asGiven } from "../../../runtime/lib/given-empties.ts";
import { goQuote } from "../../../runtime/lib/go-quote.ts";
import { warnOfClaimSpec } from "./claim-warnings.ts";
import type { VolumeProjection } from "./projected-volumes.ts";
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

interface PlacedFile {
  readonly path: string;
  /** Asked for when there is something to tell. */
  readonly source: () => string;
}

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
  const report = (place: () => string, files: readonly PlacedFile[], from = 0) =>
    overlaps(files, from).map((text) => `volume ${goQuote(name)} (${place()}): overlapping paths: ${text}`);
  return [
    ...report(() => `ConfigMap ${goQuote(configMap?.name ?? "")}`, files(configMap?.items, NO_SOURCE)),
    ...report(() => `Secret ${goQuote(secret?.secretName ?? "")}`, files(secret?.items, NO_SOURCE)),
    ...report(() => "DownwardAPI", files(downwardAPI?.items, NO_SOURCE)),
    ...warnOfSources(projected?.sources ?? [], name, (files, from) => report(() => "Projected", files, from)),
  ];
}

/**
 * Sources are looked at one after the other. One that names no files counts as if it had those of the one before:
 * Kubernetes takes it so.
 */
function warnOfSources(
  sources: readonly VolumeProjection[],
  volume: string,
  report: (files: readonly PlacedFile[], from: number) => string[],
): string[] {
  const placed: PlacedFile[] = [];
  let latest: PlacedFile[] = [];
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`volume ${goQuote(volume)} (Projected) has no sources provided`];
    latest = filesOf(source) ?? latest;
    return report(placed, placed.push(...latest) - latest.length);
  });
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

/** Of the files from an index on, those that collide with one before them. */
function overlaps(placed: readonly PlacedFile[], from: number): string[] {
  const found: string[] = [];
  for (const [index, file] of placed.entries()) {
    if (index < from) continue;
    for (const other of placed.slice(0, index)) {
      if (collide(withoutEnd(file.path), withoutEnd(other.path))) found.push(`${show(file)} with ${show(other)}`);
    }
  }
  return found;
}

function withoutEnd(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") : path;
}

function collide(a: string, b: string): boolean {
  if (a === "" || b === "") return false;
  const [outer, inner] = a.length < b.length ? [a, b] : [b, a];
  return inner.startsWith(outer) && (inner.length === outer.length || inner[outer.length] === "/");
}

function show({ path, source }: PlacedFile): string {
  const [quoted, place] = [goQuote(withoutEnd(path)), source()];
  return place === "" ? quoted : `${quoted} (${place})`;
}
