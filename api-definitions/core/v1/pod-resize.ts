import type { FieldError } from "../../../runtime/contract/field-error.ts";
import type { CheckName } from "../../../runtime/contract/kind-hooks.ts";
import { getOwn } from "../../../runtime/lib/json-object.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { forbiddenField, invalidField } from "../../../runtime/values/field-errors.ts";
import { compareQuantities, parseQuantity } from "../../../runtime/values/quantity.ts";
import type { Container } from "./container.ts";
import type { Pod } from "./pod.ts";
import { MIRROR } from "./pod-annotations.ts";
import { qosClassOf } from "./pod-qos.ts";
import type { PodSpec } from "./pod-spec.ts";
import { validatePodAnyTime } from "./pod-validation.ts";
import type { ResourceList } from "./resources.ts";
import type { PodRules } from "./validation/security.ts";

const LISTS = ["containers", "initContainers"] as const;
const NO_SPEC: PodSpec = { containers: [] };

/** Order of checks. Skips the validation of metadata as new for a pod that can never be resized, because the update is rejected anyway. */
export function resizeOrder(pod: Pod, old: Pod): readonly CheckName[] {
  return whyNever(pod, old) === undefined
    ? ["metadataAsChange", "metadataAsNew", "declared", "update"]
    : ["metadataAsChange", "declared", "update"];
}

/** Allows changes of CPU and memory of a running pod that do not change its QoS class. */
export function validatePodResize(pod: Pod, old: Pod, rules: PodRules): FieldError[] {
  const [spec, before] = [pod.spec ?? NO_SPEC, old.spec ?? NO_SPEC];
  const never = whyNever(pod, old);
  if (never !== undefined) return [forbiddenField("[]", never)];
  const errors = validatePodAnyTime(pod, old, rules);
  if ((old.status?.qosClass ?? qosClassOf(before)) !== qosClassOf(spec)) {
    const detail = "Pod QOS Class may not change as a result of resizing";
    errors.push(invalidField("spec", pod.status?.qosClass ?? "", detail));
  }
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined)
    errors.push(forbiddenField("spec", "Pod running on node without support for resize"));
  const misplaced = LISTS.flatMap((list) => validateOrder(list, spec[list] ?? [], before[list] ?? []));
  errors.push(...misplaced);
  if (misplaced.length > 0) return errors;
  for (const [index, container] of (before.initContainers ?? []).entries())
    if (isSidecar(container))
      validateChange(spec.initContainers?.[index], container, `initContainers[${index}]`, errors);
  for (const [index, container] of (before.containers ?? []).entries())
    validateChange(spec.containers?.[index], container, `containers[${index}]`, errors);
  validateOnlyComputeChanges(spec.containers ?? [], before.containers ?? [], errors);
  validateInitContainers(spec.initContainers ?? [], before.initContainers ?? [], errors);
  return errors;
}

/** Returns why a pod can never be resized; undefined if it can. */
function whyNever(pod: Pod, old: Pod): string | undefined {
  const hasOwn = ({ spec }: Pod) =>
    Object.keys({ ...spec?.resources?.requests, ...spec?.resources?.limits }).length > 0;
  if (hasOwn(pod) || hasOwn(old)) return "pods with pod-level resources cannot be resized";
  if (old.metadata?.annotations?.[MIRROR] !== undefined) return "static pods cannot be resized";
  return old.spec?.os?.name === "windows" ? "windows pods cannot be resized" : undefined;
}

function validateOrder(
  list: (typeof LISTS)[number],
  next: readonly Container[],
  old: readonly Container[],
): FieldError[] {
  if (next.length !== old.length)
    return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
  return old.flatMap(({ name }, index) => {
    const moved = next[index]?.name !== name;
    return moved
      ? [forbiddenField(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)]
      : [];
  });
}

/** Requests and limits cannot be removed, and a memory limit cannot be added or decreased unless the container restarts. */
function validateChange(next: Container | undefined, old: Container, place: string, errors: FieldError[]): void {
  const path = `spec.${place}.resources`;
  for (const list of ["requests", "limits"] as const) {
    const names = Object.keys(old.resources?.[list] ?? {});
    if (names.some((name) => getOwn(next?.resources?.[list], name) === undefined))
      errors.push(forbiddenField(`${path}.${list}`, `resource ${list} cannot be removed`));
  }
  const policy = next?.resizePolicy?.find(({ resourceName }) => resourceName === "memory")?.restartPolicy;
  if (policy !== undefined && policy !== "NotRequired") return;
  const [limit, before] = [next?.resources?.limits?.memory, old.resources?.limits?.memory];
  if (limit === undefined) return;
  const refuse = (what: string) =>
    errors.push(
      forbiddenField(
        `${path}.limits[memory]`,
        `memory limits cannot be ${what} unless resizePolicy is RestartContainer`,
      ),
    );
  if (before === undefined) refuse("added");
  else if (compareQuantities(parseQuantity(limit), parseQuantity(before)) < 0) refuse("decreased");
}

function validateOnlyComputeChanges(next: readonly Container[], old: readonly Container[], errors: FieldError[]): void {
  for (const [index, container] of next.entries()) {
    if (!equalMeaning(withOldCompute(container, old[index]), plainResources(old[index])))
      errors.push(forbiddenField("spec", "only cpu and memory resources are mutable"));
  }
}

function validateInitContainers(next: readonly Container[], old: readonly Container[], errors: FieldError[]): void {
  for (const [index, container] of next.entries()) {
    const sidecar = isSidecar(container);
    const compared = sidecar ? withOldCompute(container, old[index]) : plainResources(container);
    if (equalMeaning(compared, plainResources(old[index]))) continue;
    const detail = sidecar
      ? "only cpu and memory resources for sidecar containers are mutable"
      : "resources for non-sidecar init containers are immutable";
    errors.push(forbiddenField("spec", detail));
  }
}

/** Returns the container with the CPU and memory of the old one, to check that everything else is equal. */
function withOldCompute(container: Container, old: Container | undefined): unknown {
  const restore = (amounts: ResourceList | undefined, before: ResourceList | undefined) => {
    if (before === undefined) return {};
    const { cpu: _cpu, memory: _memory, ...others } = amounts ?? {};
    const { cpu, memory } = before;
    return { ...others, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  };
  const limits = restore(container.resources?.limits, old?.resources?.limits);
  const requests = restore(container.resources?.requests, old?.resources?.requests);
  return plainResources({ ...container, resources: { limits, requests } });
}

/** Makes absent and empty requests and limits equal, for comparison. */
function plainResources(container: Container | undefined): unknown {
  const { limits = {}, requests = {}, claims } = container?.resources ?? {};
  return { ...container, resources: { limits, requests, claims } };
}

function isSidecar({ restartPolicy }: Container): boolean {
  return restartPolicy === "Always";
}
