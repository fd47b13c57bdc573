import type { DefaultContext } from "../../../runtime/contract/kind-hooks.ts";
import { mergeQuantities, roundGivenQuantity } from "../../../runtime/go/source-notes.ts";
import { formatQuantity, parseQuantity, quantityAt } from "../../../runtime/values/quantity.ts";
import type { ObjectMeta } from "../../meta/v1/object-meta.ts";
import type { Container } from "./container.ts";
import type { EphemeralContainer } from "./ephemeral-container.ts";
import { imageTag } from "./image-tag.ts";
import type { Pod } from "./pod.ts";
import { defaultPodLevelResources } from "./pod-level-resources.ts";
import type { PodSpec, PodTemplateSpec } from "./pod-spec.ts";
import type { ResourceList } from "./resources.ts";
import type { Volume } from "./volumes.ts";

/** Annotations that Kubernetes 1.6 replaced by fields of the pod. */
const FORMER_ANNOTATIONS = ["alpha", "beta"].flatMap((stage) =>
  ["init-containers", "init-container-statuses"].map((name) => `pod.${stage}.kubernetes.io/${name}`),
);

export function defaultPodTemplate(template: PodTemplateSpec | undefined, context: DefaultContext): void {
  dropFormerAnnotations(template?.metadata);
  defaultPodSpec(template?.spec, context);
}

/** Sets the defaults of a pod spec that depend on other fields, in pods and templates. */
function defaultPodSpec(spec: PodSpec | undefined, { featureEnabled }: DefaultContext): void {
  if (spec === undefined) return;
  for (const container of containersOf(spec)) defaultContainer(container);
  const hasImageVolumes = featureEnabled("ImageVolume");
  for (const volume of spec.volumes ?? []) defaultVolume(volume, hasImageVolumes);
  if (spec.overhead !== undefined) roundToMillis(spec.overhead);
  roundToMillis(spec.resources?.limits);
  roundToMillis(spec.resources?.requests);
  // The account has two field names; `serviceAccountName` takes precedence.
  const account: string | undefined = spec.serviceAccountName || spec.serviceAccount;
  if (account) {
    spec.serviceAccountName = account;
    spec.serviceAccount = account;
  }
}

/** Sets the defaults of a pod, including those that templates do not have. */
export function defaultPod(pod: Pod, context: DefaultContext): void {
  const { metadata, spec, status } = pod;
  dropFormerAnnotations(metadata);
  // `podIP` equals the first entry of `podIPs`, and takes precedence if both are set.
  const [first] = status?.podIPs ?? [];
  if (status?.podIP && status.podIP !== first?.ip) status.podIPs = [{ ip: status.podIP }];
  else if (status !== undefined && first?.ip) status.podIP = first.ip;
  if (spec === undefined) return;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const container of containers) requestLimits(container);
  // Must precede the rounding: sums are rounded, not the quantities they consist of.
  if (context.featureEnabled("PodLevelResources")) defaultPodLevelResources(spec);
  defaultPodSpec(spec, context);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  spec.enableServiceLinks ??= true;
  if (!spec.hostNetwork) return;
  for (const port of containers.flatMap(({ ports }) => ports ?? []))
    if (!port.hostPort && port.containerPort) port.hostPort = port.containerPort;
}

/** `Always` for images with the tag `latest`, otherwise `IfNotPresent`. */
export function defaultPullPolicy(image: string | undefined): "Always" | "IfNotPresent" {
  return imageTag(image ?? "") === "latest" ? "Always" : "IfNotPresent";
}

/** Rounds quantities up to a multiple of 0.001. */
export function roundToMillis(resources: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(resources ?? {})) {
    const quantity = parseQuantity(text);
    roundGivenQuantity(resources!, name, -3);
    if (quantity.scale >= -3) continue;
    resources![name] = formatQuantity({ unscaled: quantityAt(quantity, -3), scale: -3, format: quantity.format });
  }
}

function containersOf(spec: PodSpec): (Container | EphemeralContainer)[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
}

function defaultContainer(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image);
  roundToMillis(container.resources?.limits);
  roundToMillis(container.resources?.requests);
}

function dropFormerAnnotations(metadata: ObjectMeta | undefined): void {
  const annotations = metadata?.annotations;
  if (annotations === undefined || !FORMER_ANNOTATIONS.some((name) => Object.hasOwn(annotations, name))) return;
  const kept = Object.entries(annotations).filter(([name]) => !FORMER_ANNOTATIONS.includes(name));
  if (kept.length === 0) delete metadata!.annotations;
  else metadata!.annotations = Object.fromEntries(kept);
}

/** A volume without source is an empty directory. */
function defaultVolume(volume: Volume, hasImageVolumes: boolean): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  if (hasImageVolumes && volume.image !== undefined)
    volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference);
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  if (claim !== undefined) claim.volumeMode ??= "Filesystem";
}

/** Requests default to limits. */
function requestLimits(container: Container): void {
  const resources = container.resources;
  if (resources?.limits === undefined) return;
  resources.requests = mergeQuantities(resources.limits, resources.requests);
}
