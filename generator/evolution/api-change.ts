/** Types of change, each with the rule that forbids it in a released version, if there is one; see docs/versioning.md. */
export const CHANGES = {
  "release-changed": undefined,
  "kind-added": undefined,
  "kind-removed": "elements are removed only with a new version of their group",
  "kind-changed": "a version keeps its behaviour",
  "kind-extended": undefined,
  "lifecycle-changed": undefined,
  "storage-changed": undefined,
  "field-added": undefined,
  "field-removed": "elements are removed only with a new version of their group",
  "field-retyped": "a version keeps its behaviour",
  "field-required": "what was accepted stays accepted",
  "field-optional": undefined,
  "field-noted": undefined,
  "validation-tightened": "what was accepted stays accepted",
  "validation-loosened": undefined,
  "enum-dropped": "values are removed only with a new version of their group",
  "enum-added": undefined,
  "default-changed": "a version keeps its behaviour",
  "merge-changed": "who owns which element of a list or map stays decided",
  "field-renumbered": "what is stored or sent in protobuf stays readable",
  "gate-added": undefined,
  "gate-changed": undefined,
  "gate-removed": "a gate is refused only after its notice",
  "metric-changed": undefined,
} as const satisfies { readonly [code: string]: string | undefined };

export type ChangeCode = keyof typeof CHANGES;

/** One change of the API, described in words. */
export interface ApiChange {
  readonly code: ChangeCode;
  /** `apps/v1 DeploymentSpec.replicas`, `batch/v1 CronJob`, or the name of a gate or metric. */
  readonly where: string;
  readonly text: string;
  /** The module that contains the changed type, if there is one. */
  readonly module?: string;
  /** Set for a kind that was added or removed together with its version. */
  readonly withVersion?: { readonly apiVersion: string; readonly kind: string };
}

/** Whether a change breaks clients. Alpha versions may change at any time. */
export function isBreaking({ code, module = "" }: ApiChange): boolean {
  return CHANGES[code] !== undefined && !/alpha/.test(module);
}
