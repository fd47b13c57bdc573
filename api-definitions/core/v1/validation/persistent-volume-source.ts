import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { forbiddenField, invalidField, invalidFields, requiredField } from "../../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../../runtime/values/formats.ts";
import { checkDnsLabel, checkSubdomain } from "../../../../runtime/values/names.ts";
import type { PersistentVolumeSpec } from "../persistent-volume.ts";
import type { ISCSIPersistentVolumeSource, PersistentVolumeSource } from "../persistent-volume-sources.ts";
import type { SecretReference } from "../references.ts";
import { need, validateDnsLabel } from "./basics.ts";
import { validateCsiDriverName } from "./csi-driver-name.ts";
import { validateHostPath } from "./host-path.ts";
import { validateNoBacksteps } from "./paths.ts";
import { checkInitiatorLength, INITIATOR_PATTERNS, storageVolumeChecks } from "./storage-volumes.ts";

type Check<Name extends keyof PersistentVolumeSource> = (
  source: NonNullable<PersistentVolumeSource[Name]>,
  path: string,
  errors: FieldError[],
  volumeName: string,
) => void;

const CSI_SECRETS = [
  "controllerPublishSecretRef",
  "controllerExpandSecretRef",
  "nodePublishSecretRef",
  "nodeExpandSecretRef",
] as const;

/** One check per volume source, in the order in which Kubernetes checks them. The first source that is set is that of the volume. */
const checks: { readonly [Name in keyof PersistentVolumeSource]-?: Check<Name> } = {
  hostPath: validateHostPath,
  gcePersistentDisk: storageVolumeChecks.gcePersistentDisk,
  awsElasticBlockStore: storageVolumeChecks.awsElasticBlockStore,
  glusterfs: (source, path, errors) => {
    need(source.endpoints, `${path}.endpoints`, errors);
    need(source.path, `${path}.path`, errors);
    const namespace = source.endpointsNamespace;
    if (namespace === undefined) return;
    const emptiness = "if the endpointnamespace is set, it must be a valid namespace name";
    const problems = namespace === "" ? [emptiness] : checkDnsLabel(namespace);
    errors.push(...invalidFields(`${path}.endpointsNamespace`, namespace, problems));
  },
  flocker: storageVolumeChecks.flocker,
  nfs: storageVolumeChecks.nfs,
  rbd: (source, path, errors) => {
    if ((source.monitors ?? []).length === 0) errors.push(requiredField(`${path}.monitors`));
    need(source.image, `${path}.image`, errors);
  },
  quobyte: storageVolumeChecks.quobyte,
  cephfs: (source, path, errors) => {
    if ((source.monitors ?? []).length === 0) errors.push(requiredField(`${path}.monitors`));
  },
  iscsi: validateIscsi,
  cinder: (source, path, errors) => {
    need(source.volumeID, `${path}.volumeID`, errors);
    if (source.secretRef !== undefined) needReference(source.secretRef, `${path}.secretRef`, errors);
  },
  fc: storageVolumeChecks.fc,
  flexVolume: (source, path, errors) => storageVolumeChecks.flexVolume(withoutSecret(source), path, errors),
  azureFile: (source, path, errors) => {
    need(source.secretName, `${path}.secretName`, errors);
    need(source.shareName, `${path}.shareName`, errors);
    if (source.secretNamespace !== undefined) need(source.secretNamespace, `${path}.secretNamespace`, errors);
  },
  vsphereVolume: storageVolumeChecks.vsphereVolume,
  photonPersistentDisk: storageVolumeChecks.photonPersistentDisk,
  portworxVolume: storageVolumeChecks.portworxVolume,
  azureDisk: storageVolumeChecks.azureDisk,
  scaleIO: (source, path, errors) => {
    for (const field of ["gateway", "system", "volumeName"] as const) need(source[field], `${path}.${field}`, errors);
  },
  local: (source, path, errors) => {
    if (need(source.path, `${path}.path`, errors)) validateNoBacksteps(source.path, `${path}.path`, errors);
  },
  storageos: (source, path, errors) => {
    const { volumeName, volumeNamespace, secretRef } = source;
    if (volumeName) validateDnsLabel(volumeName, `${path}.volumeName`, errors);
    else errors.push(requiredField(`${path}.volumeName`));
    if (volumeNamespace) validateDnsLabel(volumeNamespace, `${path}.volumeNamespace`, errors);
    if (secretRef !== undefined) needReference(secretRef, `${path}.secretRef`, errors);
  },
  csi: (source, path, errors) => {
    validateCsiDriverName(source.driver ?? "", `${path}.driver`, errors);
    need(source.volumeHandle, `${path}.volumeHandle`, errors);
    for (const role of CSI_SECRETS) {
      const reference = source[role];
      if (reference !== undefined) validateSecretReference(reference, `${path}.${role}`, errors);
    }
  },
};

/** Field names of all volume sources. */
export const VOLUME_SOURCES = Object.keys(checks) as (keyof PersistentVolumeSource)[];

/** Requires exactly one volume source. `isPlaced`: whether the volume has node affinity. */
export function validateVolumeSource(
  spec: PersistentVolumeSpec,
  volumeName: string,
  isPlaced: boolean,
  path: string,
  errors: FieldError[],
): void {
  let found = false;
  for (const name of VOLUME_SOURCES) {
    const source = spec[name];
    if (source === undefined) continue;
    // As in Kubernetes, `flexVolume` is allowed as second source, and `cephfs` has another name in this message.
    if (found && name !== "flexVolume") {
      const at = `${path}.${name === "cephfs" ? "cephFS" : name}`;
      errors.push(forbiddenField(at, "may not specify more than 1 volume type"));
      continue;
    }
    found = true;
    (checks[name] as Check<typeof name>)(source as never, `${path}.${name}`, errors, volumeName);
    if (name === "local" && !isPlaced)
      errors.push(requiredField(`${path}.nodeAffinity`, "Local volume requires node affinity"));
  }
  if (!found) errors.push(requiredField(path, "must specify a volume type"));
}

function validateIscsi(
  source: ISCSIPersistentVolumeSource,
  path: string,
  errors: FieldError[],
  volumeName: string,
): void {
  const { targetPortal = "", iqn, lun = 0, initiatorName, secretRef } = source;
  need(targetPortal, `${path}.targetPortal`, errors);
  if (initiatorName !== undefined)
    errors.push(...invalidFields(`${path}.targetportal`, targetPortal, checkInitiatorLength(volumeName, targetPortal)));
  if (need(iqn, `${path}.iqn`, errors)) validateInitiator(iqn, `${path}.iqn`, errors);
  errors.push(...invalidFields(`${path}.lun`, lun, checkRange(lun, 0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && secretRef === undefined)
    errors.push(requiredField(`${path}.secretRef`));
  if (secretRef !== undefined) need(secretRef.name, `${path}.secretRef.name`, errors);
  if (initiatorName !== undefined) validateInitiator(initiatorName, `${path}.initiatorname`, errors);
}

function validateInitiator(name: string, field: string, errors: FieldError[]): void {
  if (INITIATOR_PATTERNS[name.slice(0, 3)]?.test(name) !== true)
    errors.push(invalidField(field, name, "must be valid format"));
}

function needReference(reference: SecretReference, path: string, errors: FieldError[]): void {
  need(reference.name, `${path}.name`, errors);
  need(reference.namespace, `${path}.namespace`, errors);
}

function validateSecretReference({ name, namespace }: SecretReference, path: string, errors: FieldError[]): void {
  if (name) errors.push(...invalidFields(`${path}.name`, name, checkSubdomain(name)));
  else errors.push(requiredField(`${path}.name`));
  if (namespace) validateDnsLabel(namespace, `${path}.namespace`, errors);
  else errors.push(requiredField(`${path}.namespace`));
}

/** Removes the reference to a secret, which has different types in volumes and pods and is not checked here. */
function withoutSecret<T extends { secretRef?: unknown }>({ secretRef: _ignored, ...source }: T): Omit<T, "secretRef"> {
  return source;
}
