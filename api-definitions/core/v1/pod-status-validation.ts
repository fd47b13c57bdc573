import { ResourceHealthStatus } from "../../../generated/values/core.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { HookContext } from "../../../runtime/contract/kind-hooks.ts";
import { shown } from "../../../runtime/go/literal.ts";
import {
  duplicateField,
  forbiddenField,
  internalErrorField,
  invalidField,
  invalidFields,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkLegacyIp, parseLenientIp } from "../../../runtime/values/ip-checks.ts";
import { checkQualifiedName, checkSubdomain } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type { Container } from "./container.ts";
import type { ContainerStatus } from "./container-status.ts";
import type { Pod } from "./pod.ts";
import { validateAnnotationChange } from "./pod-annotations.ts";
import { validateId } from "./validation/basics.ts";

const SYSTEM_CONDITIONS = ["PodScheduled", "Ready", "Initialized"];
const NOT_BACK = "may not be transitioned to non-terminated state";

/** Validates a write of the status, as kubelets send it. Some fields and transitions cannot be reverted. */
export function validatePodStatus(pod: Pod, old: Pod, context: Pick<HookContext, "featureEnabled">): FieldError[] {
  const errors: FieldError[] = [];
  const [status, before, spec] = [pod.status ?? {}, old.status ?? {}, pod.spec ?? { containers: [] }];
  validateAnnotationChange(pod, old, context, errors);
  for (const [index, { type }] of (status.conditions ?? []).entries()) {
    if (!SYSTEM_CONDITIONS.includes(type))
      errors.push(...invalidFields(`status.conditions[${index}].Type`, type, checkQualifiedName(type)));
  }
  const nominated = status.nominatedNodeName ?? "";
  if (nominated !== "" && nominated !== before.nominatedNodeName)
    errors.push(...invalidFields("status.nominatedNodeName", nominated, checkSubdomain(nominated)));
  if ((status.qosClass ?? "") !== (before.qosClass ?? ""))
    errors.push(invalidField("status.qosClass", status.qosClass ?? "", "field is immutable"));
  validateTransitions(pod, old, errors);
  validateClaimStatuses(pod, errors);
  validateAddresses("podIPs", "PodIP", status.podIPs ?? [], before.podIPs ?? [], context, errors);
  const hostIps = status.hostIPs ?? [];
  if (hostIps[0] !== undefined && (status.hostIP ?? "") !== hostIps[0].ip)
    errors.push(invalidField("status.hostIPs[0].ip", hostIps[0].ip, "must be equal to `hostIP`"));
  validateAddresses("hostIPs", "HostIP", hostIps, before.hostIPs ?? [], context, errors);
  const lists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
  for (const list of lists) validateUsers(status[list], spec.os?.name ?? "linux", `status.${list}`, errors);
  validateAllocations(status.containerStatuses, spec.containers, "status.containerStatuses", errors);
  validateAllocations(status.initContainerStatuses, spec.initContainers, "status.initContainerStatuses", errors);
  for (const [index, { allocatedResourcesStatus = [] }] of (status.ephemeralContainerStatuses ?? []).entries()) {
    const field = `status.ephemeralContainerStatuses[${index}].allocatedResourcesStatus`;
    if (allocatedResourcesStatus.length > 0)
      errors.push(forbiddenField(field, "must not be specified in container status"));
  }
  return errors;
}

/** Terminated containers that will not be restarted must stay terminated. */
function validateTransitions({ status }: Pod, old: Pod, errors: FieldError[]): void {
  const policy = old.spec?.restartPolicy ?? "";
  const sidecars = (old.spec?.initContainers ?? [])
    .filter(({ restartPolicy }) => restartPolicy === "Always")
    .map(({ name }) => name);
  const check = (
    list: "containerStatuses" | "initContainerStatuses" | "ephemeralContainerStatuses",
    restart: string,
  ) => {
    if (restart === "Always") return;
    for (const [index, { name, state }] of (old.status?.[list] ?? []).entries()) {
      if (state?.terminated === undefined) continue;
      if ((state.terminated.exitCode ?? 0) !== 0 && restart === "OnFailure") continue;
      if (list === "initContainerStatuses" && sidecars.includes(name)) continue;
      for (const next of status?.[list] ?? []) {
        if (next.name === name && next.state?.terminated === undefined)
          errors.push(forbiddenField(`status.${list}[${index}].state`, NOT_BACK));
      }
    }
  };
  check("containerStatuses", policy);
  check("initContainerStatuses", policy);
  check("ephemeralContainerStatuses", "Never");
}

function validateClaimStatuses({ spec, status }: Pod, errors: FieldError[]): void {
  const known = new Set(spec?.resourceClaims?.map(({ name }) => name));
  const seen = new Set<string>();
  for (const [index, { name, resourceClaimName }] of (status?.resourceClaimStatuses ?? []).entries()) {
    const field = `status.resourceClaimStatuses[${index}].name`;
    if (!known.has(name))
      errors.push(invalidField(field, name, "must match the name of an entry in `spec.resourceClaims`"));
    if (seen.has(name)) errors.push(duplicateField(field, name));
    seen.add(name);
    if (resourceClaimName !== undefined)
      errors.push(...invalidFields(field, resourceClaimName, checkSubdomain(resourceClaimName)));
  }
}

/** Allows at most one address of each family. Addresses in the old status are not validated again. */
function validateAddresses(
  list: string,
  type: string,
  addresses: readonly { ip: string }[],
  before: readonly { ip: string }[],
  gates: Pick<HookContext, "featureEnabled">,
  errors: FieldError[],
): void {
  const field = `status.${list}`;
  const known = new Set(before.map(({ ip }) => ip));
  for (const [index, { ip }] of addresses.entries())
    if (!known.has(ip)) errors.push(...invalidFields(`${field}[${index}]`, ip, checkLegacyIp(ip, gates)));
  if (addresses.length < 2) return;
  const broken = addresses.findIndex(({ ip }) => parseLenientIp(ip) === undefined);
  if (broken >= 0) {
    const why = `invalid IP[${broken}]: ${addresses[broken]?.ip}`;
    errors.push(internalErrorField(field, `failed to check for dual stack with error:${why}`));
  }
  const families = new Set(addresses.map(({ ip }) => parseLenientIp(ip)?.length));
  if (broken >= 0 || families.size < 2 || addresses.length > 2) {
    const value = shownAs(`[]core.${type}`, addresses);
    errors.push(invalidField(field, value, "may specify no more than one IP for each IP family"));
  }
}

function validateUsers(
  statuses: readonly ContainerStatus[] | undefined,
  os: string,
  path: string,
  errors: FieldError[],
): void {
  for (const [index, { user }] of (statuses ?? []).entries()) {
    const field = `${path}[${index}].user.linux`;
    if (user?.linux === undefined) continue;
    if (os === "windows") errors.push(forbiddenField(field, "cannot be set for a windows pod"));
    if (os !== "linux") continue;
    validateId(user.linux.uid, `${field}.uid`, errors);
    validateId(user.linux.gid, `${field}.gid`, errors);
    for (const [position, group] of (user.linux.supplementalGroups ?? []).entries())
      validateId(group, `${field}.supplementalGroups[${position}]`, errors);
  }
}

/** Validates the health of devices: the container must request the resource, and each device may occur once. */
function validateAllocations(
  statuses: readonly ContainerStatus[] | undefined,
  containers: readonly Container[] | undefined,
  path: string,
  errors: FieldError[],
): void {
  const named = new Map(containers?.toReversed().map((container) => [container.name, container]));
  for (const [index, { name, allocatedResourcesStatus = [] }] of (statuses ?? []).entries()) {
    const container = named.get(name);
    const claims = new Set(container?.resources?.claims?.map(claimedAs));
    for (const [position, allocated] of allocatedResourcesStatus.entries()) {
      const at = `${path}[${index}].allocatedResourcesStatus[${position}]`;
      if (container !== undefined) validateAllocated(allocated.name, container, claims, `${at}.name`, errors);
      const seen = new Set<string>();
      for (const [place, { resourceID, health = "" }] of (allocated.resources ?? []).entries()) {
        const field = `${at}.resources[${place}]`;
        if (!ResourceHealthStatus.includes(health))
          errors.push(unsupportedField(`${field}.health`, health, ResourceHealthStatus));
        if (seen.has(resourceID)) errors.push(duplicateField(`${field}.resourceID`, resourceID));
        seen.add(resourceID);
      }
    }
  }
}

function claimedAs({ name, request }: { readonly name: string; readonly request?: string }): string {
  return `claim:${name}${request ? `/${request}` : ""}`;
}

function validateAllocated(
  name: string,
  { resources }: Container,
  claims: ReadonlySet<string>,
  field: string,
  errors: FieldError[],
): void {
  if (name.startsWith("claim:")) {
    const detail =
      "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
    if (!claims.has(name)) errors.push(invalidField(field, shown(name), detail));
  } else if (!Object.hasOwn(resources?.requests ?? {}, name)) {
    errors.push(invalidField(field, shown(name), "must match one of the container's resource requests"));
  }
}
