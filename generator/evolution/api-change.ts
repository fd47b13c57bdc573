/** Kinds of change, each with the rule that forbids it inside a released version, if one does; see docs/versioning.md. */
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

/** One change of the API, in words a person would use. */
export interface ApiChange {
  readonly code: ChangeCode;
  /** `apps/v1 DeploymentSpec.replicas`, `batch/v1 CronJob`, or a gate's name. */
  readonly where: string;
  readonly text: string;
  /** The module it happened in, for what belongs to one. */
  readonly module?: string;
  /** Of a kind that came or went with its whole version. */
  readonly withVersion?: { readonly apiVersion: string; readonly kind: string };
}

/** Whether it breaks clients: alpha versions may change at any time. */
export function isBreaking({ code, module = "" }: ApiChange): boolean {
  return CHANGES[code] !== undefined && !/alpha/.test(module);
}
