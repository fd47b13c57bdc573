import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { invalidField, invalidFields } from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel, checkFinalizer, checkQualifiedName, maskTrailingDash } from "../../../runtime/values/names.ts";
import type { Namespace } from "./namespace.ts";

const NAME_LABEL = "kubernetes.io/metadata.name";
const FINALIZER = "kubernetes";

export const hooks = kindHooks<Namespace>({
  /** Every namespace has its name as a label, so that label selectors can select it. */
  default: labelWithName,
  validate: (namespace) => validateFinalizers(namespace, () => "spec.finalizers"),
  validation: {
    subresources: {
      finalize: (namespace) => validateFinalizers(namespace, (index) => `spec.finalizers[${index}]`),
      status: validatePhase,
    },
    name: (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name),
  },
  lifecycle: {
    /** The finalizer `kubernetes` delays deletion until the namespace is empty. */
    prepareForCreate: (namespace) => {
      const finalizers = namespace.spec?.finalizers ?? [];
      if (!finalizers.includes(FINALIZER))
        namespace.spec = { ...namespace.spec, finalizers: [...finalizers, FINALIZER] };
      namespace.status = { phase: "Active" };
      labelWithName(namespace);
    },
    /** Only the subresource `finalize` changes `spec.finalizers`, and it does not change the status. */
    prepareForUpdate: (namespace, old, { subresource }) => {
      if (subresource === undefined) {
        const { finalizers: _ignored, ...spec } = namespace.spec ?? {};
        namespace.spec = { ...spec, ...(old.spec?.finalizers && { finalizers: old.spec.finalizers }) };
      }
      if (subresource === "finalize" && old.status !== undefined) namespace.status = old.status;
    },
    /** A namespace is deleted once it is empty; a grace period does not apply. */
    markDeleting: (namespace) => {
      namespace.status = { ...namespace.status, phase: "Terminating" };
      delete namespace.metadata?.deletionGracePeriodSeconds;
    },
    /** The first delete request only sets `deletionTimestamp` and the phase. */
    holdsDeletion: ({ metadata, spec }) =>
      metadata?.deletionTimestamp === undefined || (spec?.finalizers ?? []).length > 0,
    resetFields: { "": ["status"], finalize: ["status"] },
  },
  compatibility: {
    ownDeletion: true,
  },
});

function labelWithName({ metadata }: Namespace): void {
  if (metadata?.name) metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
}

function validateFinalizers({ spec }: Namespace, fieldOf: (index: number) => string): FieldError[] {
  return (spec?.finalizers ?? []).flatMap((finalizer, index) =>
    invalidFields(fieldOf(index), finalizer, [...checkQualifiedName(finalizer), ...checkFinalizer(finalizer)]),
  );
}

/** The phase must agree with `deletionTimestamp`. */
function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const phase = status?.phase ?? "";
  if (metadata?.deletionTimestamp === undefined) {
    if (phase === "Active") return [];
    return [invalidField("status.Phase", phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  if (phase === "Terminating") return [];
  return [invalidField("status.Phase", phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
}
