import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { parseGoInt } from "../../../runtime/go/int.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { containerCells, labelsText, selectorText } from "../../../runtime/values/table-text.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import type { DaemonSet, DaemonSetSpec, DaemonSetStatus } from "./daemon-set.ts";
import { validateDaemonSetSpec, validateDaemonSetStatus } from "./daemon-set-validation.ts";
import { validateSelectorUnchanged } from "./workload-validation.ts";

/** Annotation that counts the changes of the template; ControllerRevisions have replaced it. */
const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

const NO_SPEC = {} as DaemonSetSpec;
const NO_STATUS = {} as DaemonSetStatus;

export const hooks = kindHooks<DaemonSet>({
  default: (daemonSet, context) => {
    const { spec } = daemonSet;
    daemonSet.metadata = withTemplateGeneration(daemonSet, templateGeneration(daemonSet));
    defaultPodTemplate(spec?.template, context);
    const strategy = spec?.updateStrategy;
    if (strategy?.type === "RollingUpdate") (strategy.rollingUpdate ??= {}).maxUnavailable ??= 1;
    if (strategy?.rollingUpdate === undefined) return;
    // In Kubernetes both are integers without an absent value, so they default to 0.
    strategy.rollingUpdate.maxUnavailable ??= 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  },
  validate: ({ spec = NO_SPEC }, context) =>
    collectErrors((errors) => validateDaemonSetSpec(spec, "spec", context, errors, context.old?.spec)),
  warn: (daemonSet, { old, featureEnabled }) =>
    old === undefined || templateGeneration(daemonSet) !== templateGeneration(old)
      ? warnOfPodTemplate(daemonSet.spec?.template, "spec.template", featureEnabled)
      : [],
  cells: ({ spec }) => ({
    "Node Selector": labelsText(spec?.template?.spec?.nodeSelector),
    ...containerCells(spec?.template?.spec?.containers),
    Selector: selectorText(spec?.selector),
  }),
  validation: {
    subresources: {
      status: ({ status = NO_STATUS }, old) =>
        collectErrors((errors) => validateDaemonSetStatus(status, old.status ?? NO_STATUS, "status", errors)),
    },
  },
  lifecycle: {
    prepareForCreate: (daemonSet, context) => {
      dropDisabledPodFields(daemonSet.spec?.template?.spec, undefined, context);
      const given = templateGeneration(daemonSet);
      daemonSet.metadata = withTemplateGeneration(daemonSet, given > 1n ? given : 1n);
    },
    prepareForUpdate: (daemonSet, old, context) => {
      if (context.subresource !== undefined) {
        daemonSet.metadata = withTemplateGeneration(daemonSet, templateGeneration(old));
        return;
      }
      dropDisabledPodFields(daemonSet.spec?.template?.spec, old.spec?.template?.spec, context);
      const changed = !equalMeaning(daemonSet.spec?.template, old.spec?.template);
      daemonSet.metadata = withTemplateGeneration(daemonSet, templateGeneration(old) + (changed ? 1n : 0n));
    },
  },
  compatibility: {
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
      fields: [
        "spec.template.metadata.labels",
        "spec.template",
        "spec.minReadySeconds",
        "spec.updateStrategy",
        "spec.revisionHistoryLimit",
      ],
    },
    versionAnnotations: [TEMPLATE_GENERATION],
    unconvertible: (daemonSet) => {
      const generation = givenTemplateGeneration(daemonSet);
      return typeof generation === "string" ? generation : undefined;
    },
  },
});

/** Returns the generation, or an error message if the annotation is not an integer. Defaults to 0. */
function givenTemplateGeneration({ metadata }: DaemonSet): bigint | string {
  return parseGoInt(metadata?.annotations?.[TEMPLATE_GENERATION] ?? "0");
}

function templateGeneration(daemonSet: DaemonSet): bigint {
  const given = givenTemplateGeneration(daemonSet);
  return typeof given === "string" ? 0n : given;
}

function withTemplateGeneration({ metadata }: DaemonSet, generation: bigint): NonNullable<DaemonSet["metadata"]> {
  return { ...metadata, annotations: { ...metadata?.annotations, [TEMPLATE_GENERATION]: String(generation) } };
}
