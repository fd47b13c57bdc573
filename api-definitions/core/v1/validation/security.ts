import {
  AppArmorProfileType,
  OSName,
  PodFSGroupChangePolicy,
  PodSELinuxChangePolicy,
  ProcMountType,
  SupplementalGroupsPolicy,
} from "../../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../../runtime/contract/kind-hooks.ts";
import { asGiven } from "../../../../runtime/go/source-notes.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  tooLongField,
  unsupportedField,
} from "../../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";
import { trimSpace } from "../../../../runtime/values/white-space.ts";
import { shownAs } from "../../../go-types.ts";
import type { PodSpec } from "../pod-spec.ts";
import type {
  AppArmorProfile,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  WindowsSecurityContextOptions,
} from "../security.ts";
import { need, validateId } from "./basics.ts";
import { validateDescendingPath } from "./paths.ts";
import type { PodTolerance } from "./pod-tolerance.ts";
import { validateSysctls } from "./sysctls.ts";

/** Settings of the server on which the rules for pods depend. */
export type PodRules = Pick<HookContext, "allowPrivileged" | "featureEnabled">;

const PROFILE_TYPES = [...AppArmorProfileType].sort();
const CHANGE_POLICIES = [...PodFSGroupChangePolicy].sort();
const SELINUX_POLICIES = [...PodSELinuxChangePolicy].sort();
const MAX_PROFILE_LENGTH = 4095;

export function validatePodSecurityContext(
  context: PodSecurityContext | undefined,
  spec: PodSpec,
  { hostSysctls, seLinuxPolicies }: Pick<PodTolerance, "hostSysctls" | "seLinuxPolicies">,
  { featureEnabled }: PodRules,
  path: string,
  errors: FieldError[],
): void {
  if (context === undefined) return;
  validateId(context.fsGroup, `${path}.fsGroup`, errors);
  validateId(context.runAsUser, `${path}.runAsUser`, errors);
  validateId(context.runAsGroup, `${path}.runAsGroup`, errors);
  for (const [index, group] of (context.supplementalGroups ?? []).entries()) {
    validateId(group, `${path}.supplementalGroups[${index}]`, errors);
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    errors.push(
      invalidField(`${path}.shareProcessNamespace`, true, "ShareProcessNamespace and HostPID cannot both be enabled"),
    );
  }
  validateSysctls(context, spec, hostSysctls, `${path}.sysctls`, errors);
  oneOf(context.fsGroupChangePolicy, CHANGE_POLICIES, `${path}.fsGroupChangePolicy`, errors);
  validateSeccomp(context.seccompProfile, `${path}.seccompProfile`, errors);
  validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`, errors);
  validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`, errors);
  oneOf(context.supplementalGroupsPolicy, SupplementalGroupsPolicy, `${path}.supplementalGroupsPolicy`, errors);
  // Other policies than `Recursive` require the feature gate, unless the old pod sets a policy.
  const policies = seLinuxPolicies || featureEnabled("SELinuxMount") ? SELINUX_POLICIES : ["Recursive"];
  oneOf(context.seLinuxChangePolicy, policies, `${path}.seLinuxChangePolicy`, errors);
}

export function validateSecurityContext(
  context: SecurityContext | undefined,
  { spec, rules }: { readonly spec: PodSpec; readonly rules: PodRules },
  path: string,
  errors: FieldError[],
): void {
  if (context === undefined) return;
  const hostUsers = spec.hostUsers !== false;
  if (context.privileged && !rules.allowPrivileged)
    errors.push(forbiddenField(`${path}.privileged`, "disallowed by cluster policy"));
  validateId(context.runAsUser, `${path}.runAsUser`, errors);
  validateId(context.runAsGroup, `${path}.runAsGroup`, errors);
  oneOf(context.procMount, ProcMountType, `${path}.procMount`, errors);
  if (hostUsers && context.procMount === "Unmasked") {
    errors.push(invalidField(`${path}.procMount`, context.procMount, "`hostUsers` must be false to use `Unmasked`"));
  }
  validateSeccomp(context.seccompProfile, `${path}.seccompProfile`, errors);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged)
      errors.push(
        invalidField(
          path,
          shownAs("core.SecurityContext", context),
          "cannot set `allowPrivilegeEscalation` to false and `privileged` to true",
        ),
      );
    if (context.capabilities?.add?.includes("CAP_SYS_ADMIN")) {
      errors.push(
        invalidField(
          path,
          shownAs("core.SecurityContext", context),
          "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN",
        ),
      );
    }
  }
  validateWindowsOptions(context.windowsOptions, `${path}.windowsOptions`, errors);
  validateAppArmor(context.appArmorProfile, `${path}.appArmorProfile`, errors);
}

function validateSeccomp(profile: SeccompProfile | undefined, path: string, errors: FieldError[]): void {
  if (profile === undefined) return;
  if (!profile.type) errors.push(requiredField(`${path}.type`, "type is required when seccompProfile is set"));
  else oneOf(profile.type, PROFILE_TYPES, `${path}.type`, errors);
  if (profile.type === "Localhost") {
    if (profile.localhostProfile === undefined) {
      errors.push(requiredField(`${path}.localhostProfile`, "must be set when seccomp type is Localhost"));
    } else validateDescendingPath(profile.localhostProfile, `${path}.localhostProfile`, errors);
  } else if (profile.localhostProfile !== undefined) {
    const value = shownAs("core.SeccompProfile", profile);
    const detail = "can only be set when seccomp type is Localhost";
    errors.push(invalidField(`${path}.localhostProfile`, value, detail));
  }
}

function validateAppArmor(profile: AppArmorProfile | undefined, path: string, errors: FieldError[]): void {
  if (profile === undefined) return;
  const field = `${path}.localhostProfile`;
  const local = profile.localhostProfile;
  if (profile.type === "Localhost") {
    if (local !== undefined && trimSpace(local) !== local)
      errors.push(invalidField(field, local, "must not be padded with whitespace"));
    else if (!local) errors.push(requiredField(field, "must be set when AppArmor type is Localhost"));
    if (local !== undefined && Buffer.byteLength(local) > MAX_PROFILE_LENGTH)
      errors.push(tooLongField(field, MAX_PROFILE_LENGTH));
  } else if (!profile.type) {
    errors.push(requiredField(`${path}.type`, "type is required when appArmorProfile is set"));
  } else if (!PROFILE_TYPES.includes(profile.type)) {
    errors.push(unsupportedField(`${path}.type`, profile.type, PROFILE_TYPES));
  } else if (local !== undefined) {
    errors.push(invalidField(field, local, "can only be set when AppArmor type is Localhost"));
  }
}

function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (options?.gmsaCredentialSpecName !== undefined) {
    const name = options.gmsaCredentialSpecName;
    errors.push(...invalidFields(`${path}.gmsaCredentialSpecName`, name, checkSubdomain(name)));
  }
  if (options?.gmsaCredentialSpec === "") {
    errors.push(invalidField(`${path}.gmsaCredentialSpec`, "", "gmsaCredentialSpec cannot be an empty string"));
  } else if (Buffer.byteLength(options?.gmsaCredentialSpec ?? "") > 64 * 1024) {
    errors.push(
      invalidField(
        `${path}.gmsaCredentialSpec`,
        options?.gmsaCredentialSpec,
        "gmsaCredentialSpec size must be under 64 KiB",
      ),
    );
  }
  if (options?.runAsUserName !== undefined) validateWindowsUser(options.runAsUserName, `${path}.runAsUserName`, errors);
}

const NETBIOS_DOMAIN = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;

function isDnsSegment(segment: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/.test(segment);
}

function validateWindowsUser(name: string, field: string, errors: FieldError[]): void {
  const refuse = (detail: string) => errors.push(invalidField(field, name, detail));
  const parts = name.split("\\");
  if (name === "") refuse("runAsUserName cannot be an empty string");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  else if (/[\x00-\x1f\x7f]/.test(name)) refuse("runAsUserName cannot contain control characters");
  else if (parts.length > 2) refuse("runAsUserName cannot contain more than one backslash");
  else {
    const user = parts[parts.length - 1]!;
    const domain = parts.length === 2 ? parts[0]! : undefined;
    if (Buffer.byteLength(domain ?? "") >= 256) refuse("runAsUserName's Domain length must be under 256 characters");
    if (domain !== undefined && !NETBIOS_DOMAIN.test(domain) && !domain.split(".").every(isDnsSegment)) {
      refuse("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
    if (user === "") refuse("runAsUserName's User cannot be empty");
    else if (Buffer.byteLength(user) > 104)
      refuse("runAsUserName's User length must not be longer than 104 characters");
    if (/^[. ]+$/.test(user)) refuse("runAsUserName's User cannot contain only periods or spaces");
    if (/["/\\:;|=,+*?<>@[\]]/.test(user))
      refuse("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  }
}

/** Rejects fields that do not apply to the operating system of the pod. */
export function validateOperatingSystem(spec: PodSpec, path: string, errors: FieldError[]): void {
  const name = spec.os?.name;
  if (spec.os === undefined) return;
  if (!need(name, `${path}.os.name`, errors, "cannot be empty")) return;
  if (name !== "linux" && name !== "windows") {
    errors.push(unsupportedField(`${path}.os`, name, OSName));
    return;
  }
  const refuse = (field: string, set: unknown, detail: string) => {
    if (set !== undefined) errors.push(forbiddenField(field, detail));
  };
  const containers = [
    ...(spec.initContainers ?? []).map(
      (container, index) => [container.securityContext, `${path}.initContainers[${index}]`] as const,
    ),
    ...(spec.containers ?? []).map(
      (container, index) => [container.securityContext, `${path}.containers[${index}]`] as const,
    ),
    ...(spec.ephemeralContainers ?? []).map(
      (container, index) => [container.securityContext, `${path}.ephemeralContainers[${index}]`] as const,
    ),
  ];
  if (name === "linux") {
    const detail = "windows options cannot be set for a linux pod";
    refuse(`${path}.securityContext.windowsOptions`, spec.securityContext?.windowsOptions, detail);
    for (const [context, at] of containers)
      refuse(`${at}.securityContext.windowsOptions`, context?.windowsOptions, detail);
    return;
  }
  const detail = "cannot be set for a windows pod";
  const context = spec.securityContext;
  const podFields: [string, unknown][] = [
    ["securityContext.appArmorProfile", context?.appArmorProfile],
    ["securityContext.seLinuxOptions", context?.seLinuxOptions],
    ["hostUsers", spec.hostUsers],
    ["hostPID", spec.hostPID || undefined],
    ["hostIPC", spec.hostIPC || undefined],
    ["securityContext.seccompProfile", context?.seccompProfile],
    ["securityContext.fsGroup", context?.fsGroup],
    ["securityContext.fsGroupChangePolicy", context?.fsGroupChangePolicy],
    ["securityContext.sysctls", context?.sysctls?.[0]],
    ["shareProcessNamespace", spec.shareProcessNamespace],
    ["securityContext.runAsUser", context?.runAsUser],
    ["securityContext.runAsGroup", context?.runAsGroup],
    ["securityContext.supplementalGroups", asGiven(context, "supplementalGroups") ?? undefined],
    ["securityContext.supplementalGroupsPolicy", context?.supplementalGroupsPolicy],
    ["securityContext.seLinuxChangePolicy", context?.seLinuxChangePolicy],
  ];
  for (const [field, value] of podFields) refuse(`${path}.${field}`, value, detail);
  const containerFields = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
  ] as const;
  for (const [settings, at] of containers) {
    for (const field of containerFields) {
      if (settings?.[field] !== undefined) errors.push(forbiddenField(`${at}.securityContext.${field}`, detail));
    }
  }
}

function oneOf(value: string | undefined, supported: readonly string[], field: string, errors: FieldError[]): void {
  if (value !== undefined && !supported.includes(value)) errors.push(unsupportedField(field, value, supported));
}
