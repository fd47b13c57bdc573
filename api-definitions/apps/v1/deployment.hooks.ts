import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { containerCells, requirementsText } from "../../../runtime/values/table-text.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import { givenRollbackTo, ROLLBACK_TO, withRollbackTo } from "../rollback.ts";
import { showNoReplicas } from "./bookmarks.ts";
import type { Deployment } from "./deployment.ts";
import { validateDeploymentSpec, validateDeploymentStatus } from "./deployment-validation.ts";
import { validateSelectorUnchanged, warnOfPodNames } from "./workload-validation.ts";

export const hooks = kindHooks<Deployment>({
  default: (deployment, context) => {
    const { spec, metadata } = deployment;
    if (metadata?.annotations?.[ROLLBACK_TO] !== undefined)
      deployment.metadata = withRollbackTo(deployment, givenRollbackTo(deployment));
    defaultPodTemplate(spec?.template, context);
    if (spec?.strategy?.type !== "RollingUpdate") return;
    const rolling = (spec.strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= "25%";
    rolling.maxSurge ??= "25%";
  },
  validate: (deployment, context) =>
    collectErrors((errors) => validateDeploymentSpec(deployment, "spec", context, errors)),
  warn: ({ metadata, spec }, { old, featureEnabled }) => [
    ...(old === undefined ? warnOfPodNames(metadata?.name) : []),
    ...(old === undefined || metadata?.generation !== old.metadata?.generation
      ? warnOfPodTemplate(spec?.template, "spec.template", featureEnabled)
      : []),
  ],
  cells: ({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    "Up-to-date": status?.updatedReplicas ?? 0,
    Available: status?.availableReplicas ?? 0,
    ...containerCells(spec?.template?.spec?.containers),
    Selector: requirementsText(spec?.selector ?? {}) ?? "<invalid>",
  }),
  validation: {
    update: (deployment, old, context) =>
      collectErrors((errors) => validateDeploymentSpec(deployment, "spec", context, errors, old)),
    subresources: {
      status: ({ status = {} }, old) =>
        collectErrors((errors) => validateDeploymentStatus(status, old.status ?? {}, "status", errors)),
    },
  },
  lifecycle: {
    prepareForCreate: ({ spec }, context) => dropDisabledPodFields(spec?.template?.spec, undefined, context),
    prepareForUpdate: (deployment, old, context) => {
      dropDisabledPodFields(deployment.spec?.template?.spec, old.spec?.template?.spec, context);
      if (context.subresource !== "status") return;
      const { labels: _new, ...metadata } = deployment.metadata ?? {};
      const labels = old.metadata?.labels;
      deployment.metadata = labels === undefined ? metadata : { ...metadata, labels };
      deployment.metadata = withRollbackTo(deployment, givenRollbackTo(old));
    },
    resetFields: { "": ["status"], status: ["spec", "metadata.labels"] },
    raisesGeneration: (deployment, old) =>
      !equalMeaning(deployment.spec, old.spec) ||
      !equalMeaning(deployment.metadata?.annotations ?? {}, old.metadata?.annotations ?? {}),
  },
  compatibility: {
    bookmark: showNoReplicas,
    order: {
      update: ["metadataAsChange", "declared", "update", validateSelectorUnchanged],
      fields: [
        "spec.template.metadata.labels",
        "spec.template",
        "spec.strategy",
        "spec.minReadySeconds",
        "spec.revisionHistoryLimit",
        "spec.rollback",
        "spec.progressDeadlineSeconds",
      ],
    },
    versionAnnotations: [ROLLBACK_TO],
    unconvertible: (deployment) => {
      const revision = givenRollbackTo(deployment);
      if (typeof revision !== "string") return undefined;
      return `failed to parse annotation[${ROLLBACK_TO}]=${deployment.metadata?.annotations?.[ROLLBACK_TO]} as int64: ${revision}`;
    },
  },
});
