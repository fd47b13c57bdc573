import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { goQuote } from "../../../../runtime/go/quote.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
} from "../../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";
import { parseQuantity } from "../../../../runtime/values/quantity.ts";
import type { Volume, VolumeSource } from "../volumes.ts";
import { need, validateDnsLabel } from "./basics.ts";
import { validateClaimTemplate } from "./claim-spec.ts";
import { validateHostPath } from "./host-path.ts";
import type { PodTolerance } from "./pod-tolerance.ts";
import {
  validateConfigMapVolume,
  validateDownwardVolume,
  validateProjectedVolume,
  validateSecretVolume,
} from "./projected-volumes.ts";
import type { PodRules } from "./security.ts";
import { checkInitiatorLength, storageVolumeChecks } from "./storage-volumes.ts";

type SourceCheck<Name extends keyof VolumeSource> = (
  source: NonNullable<VolumeSource[Name]>,
  path: string,
  errors: FieldError[],
  tolerance: PodTolerance,
  rules: PodRules,
) => void;

interface VolumeLimits {
  readonly tolerance: PodTolerance;
  readonly rules: PodRules;
}

/** One check per volume source. */
const checks: { readonly [Name in keyof VolumeSource]-?: SourceCheck<Name> } = {
  emptyDir: (source, path, errors) => {
    if (source.sizeLimit !== undefined && parseQuantity(source.sizeLimit).unscaled < 0n) {
      errors.push(forbiddenField(`${path}.sizeLimit`, "SizeLimit field must be a valid resource quantity"));
    }
  },
  hostPath: validateHostPath,
  secret: validateSecretVolume,
  persistentVolumeClaim: (source, path, errors) => {
    need(source.claimName, `${path}.claimName`, errors);
  },
  downwardAPI: validateDownwardVolume,
  configMap: validateConfigMapVolume,
  projected: validateProjectedVolume,
  ephemeral: (source, path, errors, _tolerance, rules) => {
    const field = `${path}.volumeClaimTemplate`;
    if (source.volumeClaimTemplate === undefined) errors.push(requiredField(field));
    else validateClaimTemplate(source.volumeClaimTemplate, field, errors, rules);
  },
  image: (source, path, errors) => {
    need(source.reference, `${path}.reference`, errors);
  },
  ...storageVolumeChecks,
};

/** Order in which volume sources are checked. The first one that is set is the source of the volume. */
const KINDS: readonly (keyof VolumeSource)[] = [
  "emptyDir",
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** Validates volumes. Returns the valid ones by name; mounts can refer to these. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  podName: string | undefined,
  { tolerance, rules }: VolumeLimits,
  path: string,
  errors: FieldError[],
): ReadonlyMap<string, Volume> {
  const sound = new Map<string, Volume>();
  const claims = new Set(
    (volumes ?? []).filter((volume) => volume.ephemeral !== undefined).map((volume) => `${podName}-${volume.name}`),
  );
  for (const [index, volume] of (volumes ?? []).entries()) {
    const at = `${path}[${index}]`;
    const found: FieldError[] = [];
    validateSource(volume, podName, { tolerance, rules }, at, found);
    if (need(volume.name, `${at}.name`, found)) validateDnsLabel(volume.name, `${at}.name`, found);
    if (sound.has(volume.name)) found.push(duplicateField(`${at}.name`, volume.name));
    if (found.length === 0) sound.set(volume.name, volume);
    for (const error of found) errors.push(error);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (podName && claim !== undefined && claims.has(claim)) {
      const detail = "must not reference a PVC that gets created for an ephemeral volume";
      errors.push(invalidField(`${at}.persistentVolumeClaim.claimName`, claim, detail));
    }
  }
  return sound;
}

/** Returns the name that Kubernetes shows in this message: for two sources it differs from the field name. */
function shownName(name: keyof VolumeSource): string {
  return { cephfs: "cephFS", downwardAPI: "downwarAPI" }[name as string] ?? name;
}

function validateSource(
  volume: Volume,
  podName: string | undefined,
  { tolerance, rules }: VolumeLimits,
  path: string,
  errors: FieldError[],
): void {
  let found = false;
  for (const name of KINDS) {
    const source = volume[name];
    if (source === undefined) continue;
    if (found) {
      errors.push(forbiddenField(`${path}.${shownName(name)}`, "may not specify more than 1 volume type"));
    } else {
      (checks[name] as SourceCheck<typeof name>)(source as never, `${path}.${name}`, errors, tolerance, rules);
      if (name === "ephemeral") validateClaimName(volume.name, podName, `${path}.name`, errors);
    }
    if (name === "iscsi" && volume.iscsi?.initiatorName !== undefined) {
      const problems = checkInitiatorLength(volume.name, volume.iscsi.targetPortal);
      errors.push(...invalidFields(`${path}.name`, volume.name, problems));
    }
    found = true;
  }
  if (!found) errors.push(requiredField(path, "must specify a volume type"));
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function validateClaimName(volume: string, podName: string | undefined, field: string, errors: FieldError[]): void {
  if (!podName || !volume) return;
  const claim = `${podName}-${volume}`;
  for (const problem of checkSubdomain(claim))
    errors.push(invalidField(field, volume, `PVC name ${goQuote(claim)}: ${problem}`));
}
