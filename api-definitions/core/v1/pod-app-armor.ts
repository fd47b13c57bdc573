import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { trimSpace } from "../../../runtime/values/white-space.ts";
import type { Pod } from "./pod.ts";
import type { PodSpec } from "./pod-spec.ts";
import type { AppArmorProfile } from "./security.ts";

export const APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";
const LOCALHOST = "localhost/";

export const appArmorWarning = (annotation: string): string =>
  `${annotation}: deprecated since v1.30; use the "appArmorProfile" field instead`;

/** Copies AppArmor profiles between the deprecated annotations and the fields, so that old and new nodes find them. */
export function syncAppArmor(pod: Pod, spec: PodSpec, warn: (message: string) => void): void {
  if (spec.os?.name === "windows") return;
  const podProfile = spec.securityContext?.appArmorProfile;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const key = APP_ARMOR_PREFIX + container.name;
    const annotation = pod.metadata?.annotations?.[key];
    const profile = container.securityContext?.appArmorProfile;
    if (annotation === undefined) {
      const text = annotationOf(profile ?? podProfile);
      if (text !== undefined)
        pod.metadata = { ...pod.metadata, annotations: { ...pod.metadata?.annotations, [key]: text } };
    } else if (profile === undefined) {
      const wanted = profileOf(annotation);
      if (wanted !== undefined && equalMeaning(wanted, podProfile)) continue;
      if (wanted !== undefined) container.securityContext = { ...container.securityContext, appArmorProfile: wanted };
      warn(appArmorWarning(`metadata.annotations[${key}]`));
    }
  }
}

function annotationOf(profile: AppArmorProfile | undefined): string | undefined {
  switch (profile?.type) {
    case "Unconfined":
      return "unconfined";
    case "RuntimeDefault":
      return "runtime/default";
    case "Localhost":
      return profile.localhostProfile === undefined ? undefined : LOCALHOST + profile.localhostProfile;
    default:
      return undefined;
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const name = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : "";
  // Names that are invalid in the field are left to validation.
  const sound = name !== "" && name === trimSpace(name) && Buffer.byteLength(name) <= 4095;
  return sound ? { type: "Localhost", localhostProfile: name } : undefined;
}
