import { MountPropagationMode, RecursiveReadOnlyMode } from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import {
  forbiddenField,
  invalidField,
  notFoundField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import type { Container, VolumeDevice, VolumeMount } from "../container.ts";
import type { Volume } from "../volumes.ts";
import { need } from "./basics.ts";
import { validateDescendingPath } from "./paths.ts";

const PROPAGATIONS = [...MountPropagationMode].sort();
const RECURSIVE = [...RecursiveReadOnlyMode].sort();

type Mounting = Pick<Container, "volumeMounts" | "volumeDevices" | "securityContext">;

export function validateMounts(
  container: Mounting,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
  errors: FieldError[],
): void {
  const mounts = container.volumeMounts ?? [];
  const devices = container.volumeDevices ?? [];
  const points = new Set<string>();
  const deviceNames = new Set(devices.map(({ name }) => name));
  // Of devices with the same name, the last one counts.
  const devicePaths = new Set(new Map(devices.map(({ name, devicePath }) => [name, devicePath])).values());
  for (const [index, mount] of mounts.entries()) {
    const at = `${path}.volumeMounts[${index}]`;
    need(mount.name, `${at}.name`, errors);
    if (!volumes.has(mount.name)) errors.push(notFoundField(`${at}.name`, mount.name));
    need(mount.mountPath, `${at}.mountPath`, errors);
    if (points.has(mount.mountPath)) errors.push(invalidField(`${at}.mountPath`, mount.mountPath, "must be unique"));
    points.add(mount.mountPath);
    if (deviceNames.has(mount.name)) {
      errors.push(invalidField(`${at}.name`, mount.name, "must not already exist in volumeDevices"));
    }
    if (devicePaths.has(mount.mountPath)) {
      errors.push(
        invalidField(`${at}.mountPath`, mount.mountPath, "must not already exist as a path in volumeDevices"),
      );
    }
    validateMountDetails(mount, container, at, `${path}.volumeMounts`, errors);
  }
  validateDevices(devices, mounts, volumes, `${path}.volumeDevices`, errors);
}

function validateMountDetails(
  mount: VolumeMount,
  container: Mounting,
  at: string,
  listPath: string,
  errors: FieldError[],
): void {
  if (mount.subPath) validateDescendingPath(mount.subPath, `${listPath}.subPath`, errors);
  if (mount.subPathExpr) {
    if (mount.subPath) {
      errors.push(
        invalidField(`${at}.subPathExpr`, mount.subPathExpr, "subPathExpr and subPath are mutually exclusive"),
      );
    }
    validateDescendingPath(mount.subPathExpr, `${listPath}.subPathExpr`, errors);
  }
  const propagation = mount.mountPropagation;
  if (propagation !== undefined) {
    const field = `${listPath}.mountPropagation`;
    if (!PROPAGATIONS.includes(propagation)) errors.push(unsupportedField(field, propagation, PROPAGATIONS));
    if (propagation === "Bidirectional" && container.securityContext?.privileged !== true) {
      errors.push(forbiddenField(field, "Bidirectional mount propagation is available only to privileged containers"));
    }
  }
  const recursive = mount.recursiveReadOnly;
  if (recursive === undefined || recursive === "Disabled") return;
  const field = `${listPath}.recursiveReadOnly`;
  if (!RECURSIVE.includes(recursive)) {
    errors.push(unsupportedField(field, recursive, RECURSIVE));
    return;
  }
  if (!mount.readOnly) errors.push(forbiddenField(field, "may only be specified when readOnly is true"));
  if (propagation !== undefined && propagation !== "None") {
    errors.push(forbiddenField(field, "may only be specified when mountPropagation is None or not specified"));
  }
}

function validateDevices(
  devices: readonly VolumeDevice[],
  mounts: readonly VolumeMount[],
  volumes: ReadonlyMap<string, Volume>,
  path: string,
  errors: FieldError[],
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  const mountNames = new Set(mounts.map(({ name }) => name));
  const mountPaths = new Set(new Map(mounts.map(({ name, mountPath }) => [name, mountPath])).values());
  for (const [index, { name, devicePath }] of devices.entries()) {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    need(name, `${at}.name`, errors);
    if (names.has(name)) errors.push(invalidField(`${at}.name`, name, "must be unique"));
    if (volume !== undefined && volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
      const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalidField(`${at}.name`, name, detail));
    }
    if (volume === undefined) errors.push(notFoundField(`${at}.name`, name));
    need(devicePath, `${at}.devicePath`, errors);
    if (paths.has(devicePath)) errors.push(invalidField(`${at}.devicePath`, devicePath, "must be unique"));
    if (devicePath.split("/").includes("..")) {
      errors.push(invalidField(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else {
      paths.add(devicePath);
    }
    if (mountNames.has(name)) {
      errors.push(invalidField(`${at}.name`, name, "must not already exist in volumeMounts"));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(invalidField(`${at}.devicePath`, devicePath, "must not already exist as a path in volumeMounts"));
    }
    if (name) names.add(name);
  }
}
