import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { forbiddenField, invalidField } from "../../../runtime/values/field-errors.ts";
import { validateAnnotatedTolerations } from "./alpha-annotations.ts";
import type { Pod } from "./pod.ts";
import { APP_ARMOR_PREFIX } from "./pod-app-armor.ts";
import { containersWithPaths } from "./pod-containers.ts";
import type { PodSpec } from "./pod-spec.ts";
import { validateDescendingPath } from "./validation/paths.ts";

export const MIRROR = "kubernetes.io/config.mirror";
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
export const SECCOMP_CONTAINER_PREFIX = "container.seccomp.security.alpha.kubernetes.io/";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const SECCOMP_PROFILES = ["runtime/default", "docker/default", "unconfined"];
const APP_ARMOR_PROFILES = ["", "runtime/default", "unconfined"];
const LOCALHOST = "localhost/";
const MAX_INT32 = 2 ** 31;

type Gates = Pick<HookContext, "featureEnabled">;
type Annotations = Readonly<Record<string, string>> | undefined;

/**
 * Validates the annotations of pods that have a meaning in Kubernetes. `old` holds the annotations before an update: if its deletion cost is
 * invalid, an invalid one is tolerated.
 */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  errors: FieldError[],
  { featureEnabled }: Gates,
  old?: Annotations,
): void {
  const mirror = annotations?.[MIRROR];
  if (mirror !== undefined && !spec.nodeName) {
    const detail = "must set spec.nodeName if mirror pod annotation is set";
    errors.push(invalidField(`${path}[${MIRROR}]`, mirror, detail));
  }
  validateAnnotatedTolerations(annotations, path, errors);
  const cost = annotations?.[DELETION_COST];
  if (featureEnabled("PodDeletionCost") && !isCost(cost) && isCost(old?.[DELETION_COST]))
    errors.push(invalidField(`${path}[${DELETION_COST}]`, cost, "must be a 32bit integer"));
  let names: ReadonlySet<string> | undefined;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER_PREFIX))
      validateSeccomp(value, `${path}.${key}`, errors);
    if (!key.startsWith(APP_ARMOR_PREFIX)) continue;
    names ??= new Set(containersWithPaths(spec, "").map(({ container }) => container.name));
    validateAppArmor(key, value, names, `${path}[${key}]`, errors);
  }
}

/** Validates the annotations of an update. The mirror pod annotation and AppArmor annotations are immutable. */
export function validateAnnotationChange(pod: Pod, old: Pod, gates: Gates, errors: FieldError[]): void {
  const [next, before] = [pod.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}];
  const refuse = (key: string, verb: string) => {
    const field = `metadata.annotations[${key}]`;
    if (key.startsWith(APP_ARMOR_PREFIX)) errors.push(forbiddenField(field, `may not ${verb} AppArmor annotations`));
    if (key === MIRROR) errors.push(forbiddenField(field, `may not ${verb} mirror pod annotation`));
  };
  for (const [key, value] of Object.entries(before)) if (next[key] !== value) refuse(key, "remove or update");
  for (const key of Object.keys(next)) if (!Object.hasOwn(before, key)) refuse(key, "add");
  validatePodAnnotations(next, pod.spec ?? { containers: [] }, "metadata.annotations", errors, gates, before);
}

/** Validates that seccomp profiles in annotations match those in fields. */
export function validateProfileAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  errors: FieldError[],
): void {
  if (annotations === undefined) return;
  const podSeccomp = spec.securityContext?.seccompProfile;
  const seccompPath = `${path}.securityContext.seccompProfile`;
  validateMatch("seccomp", annotations[SECCOMP_POD], podSeccomp, seccompPath, errors);
  const containers = containersWithPaths(spec, path);
  for (const { container, path: at } of containers) {
    const annotation = annotations[SECCOMP_CONTAINER_PREFIX + container.name];
    const field = `${at}.securityContext.seccompProfile`;
    validateMatch("seccomp", annotation, container.securityContext?.seccompProfile, field, errors);
  }
}

/** Validates that AppArmor profiles in annotations match those in fields, when a pod is created. Not applied to Windows pods. */
export function validateAppArmorMatch(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  errors: FieldError[],
): void {
  if (annotations === undefined || spec.os?.name === "windows") return;
  for (const { container, path: at } of containersWithPaths(spec, path)) {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[APP_ARMOR_PREFIX + container.name];
    validateMatch("apparmor", annotation, profile, `${at}.securityContext.appArmorProfile`, errors);
  }
}

function validateMatch(
  what: "seccomp" | "apparmor",
  annotation: string | undefined,
  profile: { readonly type?: string; readonly localhostProfile?: string } | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (annotation === undefined || profile === undefined) return;
  const known = {
    Unconfined: annotation === "unconfined",
    RuntimeDefault: annotation === "runtime/default" || (what === "seccomp" && annotation === "docker/default"),
    Localhost: annotation.startsWith(LOCALHOST),
  };
  const type = profile.type ?? "";
  if (!Object.hasOwn(known, type)) return;
  if (!known[type as keyof typeof known])
    errors.push(forbiddenField(`${path}.type`, `${what} type in annotation and field must match`));
  else if (type === "Localhost" && annotation.slice(LOCALHOST.length) !== profile.localhostProfile)
    errors.push(forbiddenField(`${path}.localhostProfile`, `${what} profile in annotation and field must match`));
}

function validateSeccomp(profile: string, field: string, errors: FieldError[]): void {
  if (SECCOMP_PROFILES.includes(profile)) return;
  if (profile.startsWith(LOCALHOST)) validateDescendingPath(profile.slice(LOCALHOST.length), field, errors);
  else errors.push(invalidField(field, profile, "must be a valid seccomp profile"));
}

function validateAppArmor(
  key: string,
  profile: string,
  containers: ReadonlySet<string>,
  field: string,
  errors: FieldError[],
): void {
  const name = key.slice(APP_ARMOR_PREFIX.length);
  if (!containers.has(name)) errors.push(invalidField(field, name, "container not found"));
  if (!APP_ARMOR_PROFILES.includes(profile) && !profile.startsWith(LOCALHOST))
    errors.push(invalidField(field, profile, `invalid AppArmor profile name: ${goQuote(profile)}`));
}

function isCost(text: string | undefined): boolean {
  return text === undefined || (/^(0|[1-9][0-9]*|-[0-9]+)$/.test(text) && isInt32(Number(text)));
}

function isInt32(value: number): boolean {
  return value >= -MAX_INT32 && value < MAX_INT32;
}
