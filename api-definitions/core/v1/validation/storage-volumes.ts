import { AzureDataDiskCachingMode, AzureDataDiskKind } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../../runtime/values/formats.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";
import type { ISCSIVolumeSource } from "../storage-volumes.ts";
import type { VolumeSource } from "../volumes.ts";
import { need, validateDnsLabel } from "./basics.ts";
import { validateCsiDriverName } from "./csi-driver-name.ts";
import { validateDescendingPath } from "./paths.ts";

/** Checks the length of `<volume name>:<portal>`, which is limited if the volume sets its own initiator name. */
export function checkInitiatorLength(volumeName: string, targetPortal: string): string[] {
  const detail =
    "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.";
  return Buffer.byteLength(`${volumeName}:${targetPortal}`) > 64 ? [detail] : [];
}

type Check<Name extends keyof VolumeSource> = (
  source: NonNullable<VolumeSource[Name]>,
  path: string,
  errors: FieldError[],
) => void;

const DISK_KINDS = [...AzureDataDiskKind].sort();
/** Checks of iSCSI names, by their first three letters. */
export const INITIATOR_PATTERNS: Readonly<Record<string, { test(name: string): boolean }>> = {
  iqn: { test: isQualifiedName },
  eui: /^eui.[a-zA-Z0-9]{16}$/,
  naa: /^naa.[a-zA-Z0-9]{32}$/,
};

/**
 * Whether a string ends in an iSCSI qualified name: `iqn.`, a date, then letters, digits, dots and dashes, then optionally a colon and any
 * characters except white space and some punctuation. As in Kubernetes, any prefix is accepted.
 */
function isQualifiedName(text: string): boolean {
  let clean = text.length;
  while (clean > 0 && !/[,;*&$|\s]/.test(text.charAt(clean - 1))) clean--;
  for (const { 0: authority, index } of text.matchAll(/[a-z0-9.-]+/g)) {
    const end = index + authority.length;
    const isLast = end === text.length || (text[end] === ":" && end + 1 < text.length && clean <= end + 1);
    if (isLast && /iqn\.\d{4}-\d{2}\../.test(authority)) return true;
  }
  return false;
}

/** Volume sources of storage systems, with checks of the fields that each requires. */
export const storageVolumeChecks = {
  gitRepo: ((source, path, errors) => {
    need(source.repository, `${path}.repository`, errors);
    validateDescendingPath(source.directory ?? "", `${path}.directory`, errors);
  }) satisfies Check<"gitRepo">,
  gcePersistentDisk: ((source, path, errors) => {
    // As in Kubernetes, errors have another name for this source.
    const at = path.replace(/gcePersistentDisk$/, "persistentDisk");
    need(source.pdName, `${at}.pdName`, errors);
    validatePartition(source.partition ?? 0, `${at}.partition`, errors);
  }) satisfies Check<"gcePersistentDisk">,
  awsElasticBlockStore: ((source, path, errors) => {
    need(source.volumeID, `${path}.volumeID`, errors);
    validatePartition(source.partition ?? 0, `${path}.partition`, errors);
  }) satisfies Check<"awsElasticBlockStore">,
  nfs: ((source, path, errors) => {
    need(source.server, `${path}.server`, errors);
    need(source.path, `${path}.path`, errors);
    if (!source.path?.startsWith("/"))
      errors.push(invalidField(`${path}.path`, source.path ?? "", "must be an absolute path"));
  }) satisfies Check<"nfs">,
  iscsi: validateIscsi satisfies Check<"iscsi">,
  glusterfs: ((source, path, errors) => {
    need(source.endpoints, `${path}.endpoints`, errors);
    need(source.path, `${path}.path`, errors);
  }) satisfies Check<"glusterfs">,
  flocker: ((source, path, errors) => {
    if (!source.datasetName && !source.datasetUUID)
      errors.push(requiredField(path, "one of datasetName and datasetUUID is required"));
    if (source.datasetName && source.datasetUUID) {
      errors.push(invalidField(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
    }
    if (source.datasetName?.includes("/"))
      errors.push(invalidField(`${path}.datasetName`, source.datasetName, "must not contain '/'"));
  }) satisfies Check<"flocker">,
  rbd: ((source, path, errors) => {
    if ((source.monitors ?? []).length === 0) errors.push(requiredField(`${path}.monitors`));
    need(source.image, `${path}.image`, errors);
  }) satisfies Check<"rbd">,
  cinder: ((source, path, errors) => {
    need(source.volumeID, `${path}.volumeID`, errors);
    if (source.secretRef !== undefined) need(source.secretRef.name, `${path}.secretRef.name`, errors);
  }) satisfies Check<"cinder">,
  cephfs: ((source, path, errors) => {
    if ((source.monitors ?? []).length === 0) errors.push(requiredField(`${path}.monitors`));
  }) satisfies Check<"cephfs">,
  quobyte: ((source, path, errors) => {
    const pairs = "must be a host:port pair or multiple pairs separated by commas";
    if (!source.registry) errors.push(requiredField(`${path}.registry`, pairs));
    else if (Buffer.byteLength(source.tenant ?? "") > 64) {
      errors.push(requiredField(`${path}.tenant`, "must be a UUID and may not exceed a length of 64 characters"));
    } else {
      for (const pair of source.registry.split(",")) {
        if (!/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair))
          errors.push(invalidField(`${path}.registry`, source.registry, pairs));
      }
    }
    need(source.volume, `${path}.volume`, errors);
  }) satisfies Check<"quobyte">,
  fc: ((source, path, errors) => {
    const names = source.targetWWNs ?? [];
    const ids = source.wwids ?? [];
    if (names.length === 0 && ids.length === 0) {
      errors.push(requiredField(`${path}.targetWWNs`, "must specify either targetWWNs or wwids, but not both"));
    }
    if (names.length > 0 && ids.length > 0) {
      errors.push(
        invalidField(`${path}.targetWWNs`, names, "targetWWNs and wwids can not be specified simultaneously"),
      );
    }
    if (names.length === 0) return;
    if (source.lun === undefined)
      errors.push(requiredField(`${path}.lun`, "lun is required if targetWWNs is specified"));
    else errors.push(...invalidFields(`${path}.lun`, source.lun, checkRange(source.lun, 0, 255)));
  }) satisfies Check<"fc">,
  flexVolume: ((source, path, errors) => {
    need(source.driver, `${path}.driver`, errors);
    for (const option of Object.keys(source.options ?? {})) {
      const namespace = `.${option.split("/", 1)[0]!.toLowerCase()}`;
      if (namespace.endsWith(".kubernetes.io") || namespace.endsWith(".k8s.io")) {
        errors.push(
          invalidField(`${path}.options[${option}]`, option, "kubernetes.io and k8s.io namespaces are reserved"),
        );
      }
    }
  }) satisfies Check<"flexVolume">,
  azureFile: ((source, path, errors) => {
    need(source.secretName, `${path}.secretName`, errors);
    need(source.shareName, `${path}.shareName`, errors);
  }) satisfies Check<"azureFile">,
  vsphereVolume: ((source, path, errors) => {
    need(source.volumePath, `${path}.volumePath`, errors);
  }) satisfies Check<"vsphereVolume">,
  photonPersistentDisk: ((source, path, errors) => {
    need(source.pdID, `${path}.pdID`, errors);
  }) satisfies Check<"photonPersistentDisk">,
  portworxVolume: ((source, path, errors) => {
    need(source.volumeID, `${path}.volumeID`, errors);
  }) satisfies Check<"portworxVolume">,
  azureDisk: ((source, path, errors) => {
    need(source.diskName, `${path}.diskName`, errors);
    need(source.diskURI, `${path}.diskURI`, errors);
    const { cachingMode, kind, diskURI } = source;
    if (cachingMode !== undefined && !AzureDataDiskCachingMode.includes(cachingMode)) {
      errors.push(unsupportedField(`${path}.cachingMode`, cachingMode, AzureDataDiskCachingMode));
    }
    if (kind === undefined) return;
    if (!DISK_KINDS.includes(kind)) errors.push(unsupportedField(`${path}.kind`, kind, DISK_KINDS));
    const [prefix, form] =
      kind === "Managed"
        ? [
            "/subscriptions/",
            "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
          ]
        : ["https://", "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"];
    if (!diskURI?.startsWith(prefix)) errors.push(unsupportedField(`${path}.diskURI`, diskURI ?? "", [form]));
  }) satisfies Check<"azureDisk">,
  storageos: ((source, path, errors) => {
    if (need(source.volumeName, `${path}.volumeName`, errors))
      validateDnsLabel(source.volumeName!, `${path}.volumeName`, errors);
    if (source.volumeNamespace) validateDnsLabel(source.volumeNamespace, `${path}.volumeNamespace`, errors);
    if (source.secretRef !== undefined) need(source.secretRef.name, `${path}.secretRef.name`, errors);
  }) satisfies Check<"storageos">,
  scaleIO: ((source, path, errors) => {
    need(source.gateway, `${path}.gateway`, errors);
    need(source.system, `${path}.system`, errors);
    need(source.volumeName, `${path}.volumeName`, errors);
  }) satisfies Check<"scaleIO">,
  csi: ((source, path, errors) => {
    validateCsiDriverName(source.driver ?? "", `${path}.driver`, errors);
    const { nodePublishSecretRef: secret } = source;
    if (secret === undefined) return;
    if (secret.name) errors.push(...invalidFields(`${path}.name`, secret.name, checkSubdomain(secret.name)));
    else need(secret.name, `${path}.nodePublishSecretRef.name`, errors);
  }) satisfies Check<"csi">,
};

function validatePartition(partition: number, field: string, errors: FieldError[]): void {
  errors.push(
    ...invalidFields(
      field,
      partition,
      checkRange(partition, 1, 255).length > 0 && partition !== 0 ? [checkRange(256, 1, 255)[0]!] : [],
    ),
  );
}

function validateIscsi(source: ISCSIVolumeSource, path: string, errors: FieldError[]): void {
  need(source.targetPortal, `${path}.targetPortal`, errors);
  if (need(source.iqn, `${path}.iqn`, errors)) validateInitiator(source.iqn, `${path}.iqn`, errors);
  errors.push(...invalidFields(`${path}.lun`, source.lun, checkRange(source.lun ?? 0, 0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined)
    errors.push(requiredField(`${path}.secretRef`));
  if (source.initiatorName !== undefined) validateInitiator(source.initiatorName, `${path}.initiatorname`, errors);
}

function validateInitiator(name: string, field: string, errors: FieldError[]): void {
  const pattern = INITIATOR_PATTERNS[name.slice(0, 3)];
  if (pattern === undefined)
    errors.push(invalidField(field, name, "must be valid format starting with iqn, eui, or naa"));
  else if (!pattern.test(name)) errors.push(invalidField(field, name, "must be valid format"));
}
