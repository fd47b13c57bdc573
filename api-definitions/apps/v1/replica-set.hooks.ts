import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { containerCells, selectorText } from "../../../runtime/values/table-text.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import { showNoReplicas } from "./bookmarks.ts";
import { validateReplicatedTemplate } from "./deployment-validation.ts";
import type { ReplicaSet, ReplicaSetSpec, ReplicaSetStatus } from "./replica-set.ts";
import { validateAtMost, validateCounts, validateSelectorUnchanged, warnOfPodNames } from "./workload-validation.ts";

const NO_SPEC = {} as ReplicaSetSpec;
const NO_STATUS = {} as ReplicaSetStatus;

export const hooks = kindHooks<ReplicaSet>({
  default: ({ spec }, context) => defaultPodTemplate(spec?.template, context),
  validate: ({ spec = NO_SPEC }, context) =>
    collectErrors((errors) => validateReplicatedTemplate(spec, "spec", context, errors, context.old?.spec)),
  warn: ({ metadata, spec }, { old, featureEnabled }) => [
    ...(old === undefined ? warnOfPodNames(metadata?.name) : []),
    ...(old === undefined || metadata?.generation !== old.metadata?.generation
      ? warnOfPodTemplate(spec?.template, "spec.template", featureEnabled)
      : []),
  ],
  cells: ({ spec }) => ({
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
  validation: {
    subresources: {
      status: ({ status = NO_STATUS }) => collectErrors((errors) => validateReplicaSetStatus(status, "status", errors)),
    },
  },
  lifecycle: {
    prepareForCreate: ({ spec }, context) => dropDisabledPodFields(spec?.template?.spec, undefined, context),
    prepareForUpdate: ({ spec }, old, context) =>
      dropDisabledPodFields(spec?.template?.spec, old.spec?.template?.spec, context),
  },
  compatibility: {
    bookmark: showNoReplicas,
    // Kubernetes validates the object and then the update, each with the whole spec: clients see causes twice.
    order: {
      update: [
        "metadataAsNew",
        "declared",
        "validate",
        "metadataAsChange",
        "declared",
        "validate",
        validateSelectorUnchanged,
      ],
      fields: ["spec.template.metadata.labels", "spec.template"],
    },
  },
});

function validateReplicaSetStatus(status: ReplicaSetStatus, path: string, errors: FieldError[]): void {
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"] as const;
  validateCounts(status, ["replicas", ...parts, "observedGeneration", "terminatingReplicas"], path, errors);
  for (const name of parts) {
    validateAtMost(status[name], status.replicas, `${path}.${name}`, "status.replicas", errors);
  }
  const { availableReplicas, readyReplicas } = status;
  validateAtMost(availableReplicas, readyReplicas, `${path}.availableReplicas`, "readyReplicas", errors);
}
