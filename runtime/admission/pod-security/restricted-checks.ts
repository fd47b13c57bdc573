import type { Volume } from "../../../api-definitions/core/v1/volumes.ts";
import { allContainers } from "../pod-shape.ts";
import { isSafeSeccomp, seccompProfile } from "./baseline-checks.ts";
import { badContainers, type Check, findSetters, nameContainers, quoted, sorted } from "./findings.ts";

/** Skips a check for Windows pods, which do not support the setting. Used from some release on. */
export function unlessWindows(check: Check): Check {
  return (spec, metadata, keys) => (spec.os?.name === "windows" ? undefined : check(spec, metadata, keys));
}

export const allowPrivilegeEscalation: Check = (spec) => {
  const bad = badContainers(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${nameContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const restrictedCapabilities: Check = (spec) => {
  const added = (container: { securityContext?: { capabilities?: { add?: string[] } } }) =>
    (container.securityContext?.capabilities?.add ?? []).filter((capability) => capability !== "NET_BIND_SERVICE");
  const keeping = badContainers(spec, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes("ALL"));
  const adding = badContainers(spec, (container) => added(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${nameContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const all = quoted(sorted([...allContainers(spec)].flatMap(added)));
    details.push(`${nameContainers(adding)} must not include ${all} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const SAFE_VOLUMES = "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret".split(
  " ",
);
const OTHER_VOLUMES =
  "hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos".split(
    " ",
  );

const isOfType = (volume: Volume, type: string) => volume[type as keyof Volume] !== undefined;

export const restrictedVolumes: Check = (spec) => {
  const bad = (spec.volumes ?? []).filter((volume) => !SAFE_VOLUMES.some((type) => isOfType(volume, type)));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map((volume) => OTHER_VOLUMES.find((type) => isOfType(volume, type)) ?? "unknown"));
  const [noun, verb] = bad.length === 1 ? ["volume", "uses"] : ["volumes", "use"];
  const kind = types.length === 1 ? "restricted volume type" : "restricted volume types";
  return {
    reason: "restricted volume types",
    detail: `${noun} ${quoted(bad.map((volume) => volume.name))} ${verb} ${kind} ${quoted(types)}`,
  };
};

export const runAsNonRoot: Check = (spec) => {
  const reason = "runAsNonRoot != true";
  const setters = findSetters(spec, (context) => context.runAsNonRoot === false);
  if (setters.names.length > 0)
    return { reason, detail: `${setters.text} must not set securityContext.runAsNonRoot=false` };
  if (spec.securityContext?.runAsNonRoot) return undefined;
  const silent = badContainers(spec, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${nameContainers(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = (spec) => {
  const setters = findSetters(spec, (context) => context.runAsUser === 0);
  if (setters.names.length === 0) return undefined;
  return { reason: "runAsUser=0", detail: `${setters.text} must not set runAsUser=0` };
};

/** Requires a seccomp profile for every container, and rejects unsafe ones. */
export const restrictedSeccomp: Check = (spec, metadata, keys) => {
  const unsafe = seccompProfile(spec, metadata, keys);
  if (unsafe !== undefined) return unsafe;
  const forPod = spec.securityContext?.seccompProfile;
  if (forPod !== undefined && isSafeSeccomp(forPod)) return undefined;
  const silent = badContainers(spec, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${nameContainers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
