import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import type { SecurityContext } from "../../../api-definitions/core/v1/security.ts";
import type { ObjectMeta } from "../../contract/api-object.ts";
import { allContainers } from "../pod-shape.ts";

/** Why a pod violates a standard: a short reason, and the fields that cause it. */
export interface Finding {
  readonly reason: string;
  readonly detail: string;
}

/** One rule of a standard. Returns undefined if the pod complies. */
export type Check = (spec: PodSpec, metadata: ObjectMeta, keys: AnnotationKeys) => Finding | undefined;

/** Annotations that older releases used instead of fields. */
export interface AnnotationKeys {
  readonly appArmorPrefix: string;
  readonly seccompPod: string;
  readonly seccompPrefix: string;
}

export function quoted(items: Iterable<string>): string {
  return [...items].map((item) => `"${item}"`).join(", ");
}

export function sorted(items: Iterable<string>): string[] {
  return [...new Set(items)].sort();
}

/** Formats `container "a"` or `containers "a", "b"`. */
export function nameContainers(names: readonly string[]): string {
  return `${names.length === 1 ? "container" : "containers"} ${quoted(names)}`;
}

export function badContainers(spec: PodSpec, isBad: (container: Container) => boolean): string[] {
  return [...allContainers(spec)].filter(isBad).map((container) => container.name);
}

/** The violators of a rule, for messages: the pod, containers, or both. Empty if there are none. */
export interface Setters {
  readonly names: readonly string[];
  readonly text: string;
}

/** Returns the pod and containers whose security context is bad. */
export function findSetters(spec: PodSpec, isBad: (context: SecurityContext) => boolean): Setters {
  const names: string[] = [];
  if (spec.securityContext !== undefined && isBad(spec.securityContext)) names.push("pod");
  const containers = badContainers(
    spec,
    ({ securityContext }) => securityContext !== undefined && isBad(securityContext),
  );
  if (containers.length > 0) names.push(nameContainers(containers));
  return { names, text: names.join(" and ") };
}
