import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { type DefaultContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { goTextMap, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel } from "../../../runtime/values/names.ts";
import { containerCells, labelsText } from "../../../runtime/values/table-text.ts";
import { dropDisabledPodFields } from "./disabled-pod-fields.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";
import { warnOfPodTemplate } from "./pod-warnings.ts";
import type { ReplicationController } from "./replication-controller.ts";
import { validateNonNegative } from "./validation/basics.ts";
import { validatePodTemplateSpec } from "./validation/pod-spec.ts";
import type { PodRules } from "./validation/security.ts";

export const hooks = kindHooks<ReplicationController>({
  default: defaultFromTemplate,
  validate: (controller, context) => validateController(controller, context, context.old),
  warn: (controller, { old, subresource, featureEnabled }) => {
    if (subresource === "status") return [];
    if (old === undefined)
      return [
        ...warnOfName(controller),
        ...warnOfPodTemplate(controller.spec?.template, "spec.template", featureEnabled),
      ];
    // As in Kubernetes, the warnings are about the old template.
    if (controller.metadata?.generation === old.metadata?.generation) return [];
    return warnOfPodTemplate(old.spec?.template, "spec.template", featureEnabled);
  },
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: labelsText(spec?.selector),
  }),
  validation: {
    subresources: { status: validateStatus },
  },
  lifecycle: {
    prepareForCreate: ({ spec }, context) => dropDisabledPodFields(spec?.template?.spec, undefined, context),
    prepareForUpdate: (controller, old, context) => {
      dropDisabledPodFields(controller.spec?.template?.spec, old.spec?.template?.spec, context);
      // Writes of the status may lack the labels of the template.
      labelAsTemplate(controller);
    },
    dependents: "orphan",
  },
  compatibility: {
    // Kubernetes validates the controller by itself and again as part of the update, and reports every error twice.
    order: {
      update: [
        "metadataAsNew",
        "declared",
        "validate",
        "metadataAsChange",
        "declared",
        "validate",
        validateUnconvertible,
      ],
      fields: [
        "spec.minReadySeconds",
        "spec.selector",
        "spec.replicas",
        "spec.template.metadata.labels",
        "spec.template",
      ],
    },
    fieldsByHand: ["spec.replicas", "spec.minReadySeconds"],
    validateByHand: ({ spec }) => {
      const errors: FieldError[] = [];
      if (spec?.replicas !== undefined) validateNonNegative(spec.replicas, "spec.replicas", errors);
      if (spec?.minReadySeconds !== undefined)
        validateNonNegative(spec.minReadySeconds, "spec.minReadySeconds", errors);
      return errors;
    },
  },
});

const UNCONVERTIBLE = "non-convertible.kubernetes.io";

/** Rejects changes of the selector if an annotation marks it as not convertible from another kind. Other fields in such annotations are unknown. */
function validateUnconvertible({ spec }: ReplicationController, old: ReplicationController): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(old.metadata?.annotations ?? {})) {
    const [, field, ...others] = key.split("/");
    if (!key.startsWith(UNCONVERTIBLE) || field === undefined || others.length > 0) continue;
    if (!field.includes("selector")) errors.push(notFoundField(field, value, "unknown non-convertible field"));
    else if (!equalMeaning(spec?.selector ?? {}, old.spec?.selector ?? {})) {
      const selector = shown(goTextMap(asGiven(spec, "selector")));
      errors.push(invalidField("spec.selector", selector, "cannot update non-convertible selector"));
    }
  }
  return errors;
}

function warnOfName({ metadata }: ReplicationController): string[] {
  const problems = checkDnsLabel(metadata?.name ?? "");
  if (problems.length === 0) return [];
  const advice =
    "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${advice}: [${problems.join(" ")}]`];
}

/** Selector and labels default to the labels of the template. */
function defaultFromTemplate(controller: ReplicationController, context: DefaultContext): void {
  const template = controller.spec?.template;
  defaultPodTemplate(template, context);
  const labels = template?.metadata?.labels;
  if (labels === undefined || controller.spec === undefined) return;
  if (Object.keys(controller.spec.selector ?? {}).length === 0) controller.spec.selector = { ...labels };
  labelAsTemplate(controller);
}

function labelAsTemplate(controller: ReplicationController): void {
  const labels = controller.spec?.template?.metadata?.labels;
  if (labels === undefined) return;
  const metadata = (controller.metadata ??= {});
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}

function validateController(
  { spec }: ReplicationController,
  rules: PodRules,
  old?: ReplicationController,
): FieldError[] {
  const errors: FieldError[] = [];
  const { selector = {}, template } = spec ?? {};
  if (Object.keys(selector).length === 0) errors.push(requiredField("spec.selector"));
  if (spec?.replicas === undefined) errors.push(requiredField("spec.replicas"));
  if (template === undefined) {
    errors.push(requiredField("spec.template"));
    return errors;
  }
  const labels = template.metadata?.labels;
  if (Object.entries(selector).some(([key, value]) => labels?.[key] !== value)) {
    const detail = "`selector` does not match template `labels`";
    errors.push(
      invalidField("spec.template.metadata.labels", shown(goTextMap(asGiven(template.metadata, "labels"))), detail),
    );
  }
  validatePodTemplateSpec(template, "spec.template", rules, errors, old?.spec?.template);
  const restart = template.spec?.restartPolicy ?? "";
  if (restart !== "Always") errors.push(unsupportedField("spec.template.spec.restartPolicy", restart, ["Always"]));
  if (template.spec?.activeDeadlineSeconds !== undefined) {
    const detail = "activeDeadlineSeconds in ReplicationController is not Supported";
    errors.push(forbiddenField("spec.template.spec.activeDeadlineSeconds", detail));
  }
  return errors;
}

/** Counts of pods cannot be negative, and no count can be greater than the count that includes it. */
function validateStatus({ status }: ReplicationController): FieldError[] {
  const errors: FieldError[] = [];
  const counts = {
    replicas: status?.replicas ?? 0,
    fullyLabeledReplicas: status?.fullyLabeledReplicas ?? 0,
    readyReplicas: status?.readyReplicas ?? 0,
    availableReplicas: status?.availableReplicas ?? 0,
    observedGeneration: status?.observedGeneration ?? 0,
  };
  for (const [name, count] of Object.entries(counts)) validateNonNegative(count, `status.${name}`, errors);
  for (const name of ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const) {
    if (counts[name] > counts.replicas)
      errors.push(invalidField(`status.${name}`, counts[name], "cannot be greater than status.replicas"));
  }
  if (counts.availableReplicas > counts.readyReplicas) {
    const detail = "cannot be greater than readyReplicas";
    errors.push(invalidField("status.availableReplicas", counts.availableReplicas, detail));
  }
  return errors;
}
