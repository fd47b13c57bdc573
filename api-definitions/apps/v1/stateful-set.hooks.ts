import { type DefaultContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { checkDnsLabel, maskTrailingDash } from "../../../runtime/values/names.ts";
import { containerCells } from "../../../runtime/values/table-text.ts";
import { warnOfClaimSpec } from "../../core/v1/claim-warnings.ts";
import { dropDisabledPodFields } from "../../core/v1/disabled-pod-fields.ts";
import { defaultPodTemplate } from "../../core/v1/pod-defaults.ts";
import { warnOfPodTemplate } from "../../core/v1/pod-warnings.ts";
import { defaultClaimTemplate } from "../claim-template.ts";
import { defaultRollingUpdate } from "../rolling-update-defaults.ts";
import { showNoReplicas } from "./bookmarks.ts";
import type { StatefulSet, StatefulSetSpec, StatefulSetStatus } from "./stateful-set.ts";
import {
  validateCollisions,
  validateStatefulSetChange,
  validateStatefulSetSpec,
  validateStatefulSetStatus,
} from "./stateful-set-validation.ts";

const NO_SPEC = {} as StatefulSetSpec;
const NO_STATUS = {} as StatefulSetStatus;

export const hooks = kindHooks<StatefulSet>({
  default: defaultStatefulSet,
  validate: ({ spec = NO_SPEC }, context) =>
    collectErrors((errors) => validateStatefulSetSpec(spec, true, context, "spec", errors)),
  warn: (set, { old, subresource, featureEnabled }) =>
    subresource === "status" ? [] : warnOfStatefulSet(set, old, featureEnabled),
  cells: ({ spec, status }) => ({
    Ready: `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
    ...containerCells(spec?.template?.spec?.containers),
  }),
  validation: {
    name: (name, isPrefix) => checkDnsLabel(isPrefix ? maskTrailingDash(name) : name),
    update: ({ spec = NO_SPEC }, _old, context) =>
      collectErrors((errors) => validateStatefulSetSpec(spec, false, context, "spec", errors)),
    subresources: {
      status: ({ status = NO_STATUS }) =>
        collectErrors((errors) => validateStatefulSetStatus(status, "status", errors)),
    },
  },
  lifecycle: {
    prepareForCreate: ({ spec }, context) => dropDisabledPodFields(spec?.template?.spec, undefined, context),
    prepareForUpdate: ({ spec }, old, context) =>
      dropDisabledPodFields(spec?.template?.spec, old.spec?.template?.spec, context),
  },
  compatibility: {
    bookmark: showNoReplicas,
    order: {
      update: [
        "metadataAsChange",
        "declared",
        "update",
        ({ spec = NO_SPEC }, old) =>
          collectErrors((errors) => validateStatefulSetChange(spec, old.spec ?? NO_SPEC, "spec", errors)),
      ],
      fields: [
        "spec.replicas",
        "spec.minReadySeconds",
        "spec.ordinals",
        "spec.serviceName",
        "spec.selector",
        "spec.template",
      ],
      subresources: {
        status: [
          "declared",
          "update",
          "metadataAsChange",
          ({ status = NO_STATUS }, old) =>
            collectErrors((errors) => validateCollisions(status, old.status ?? NO_STATUS, "status", errors)),
        ],
      },
    },
  },
});

function warnOfStatefulSet(
  { metadata, spec }: StatefulSet,
  old: StatefulSet | undefined,
  featureEnabled: (gate: string) => boolean,
): string[] {
  return [
    ...(old === undefined || metadata?.generation !== old.metadata?.generation
      ? warnOfPodTemplate(spec?.template, "spec.template", featureEnabled)
      : []),
    ...(spec?.volumeClaimTemplates ?? []).flatMap((claim, index) => {
      // Kubernetes uses another path in updates than on creation.
      const path = `spec.volumeClaimTemplates[${index}]${old === undefined ? "" : ".Spec"}`;
      return warnOfClaimSpec(claim.spec, path);
    }),
    ...((spec?.revisionHistoryLimit ?? 0) < 0
      ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"]
      : []),
  ];
}

/** Without a strategy, defaults to a rolling update from partition 0. `rollingUpdate` is not added to a strategy that has a type. */
function defaultStatefulSet({ spec }: StatefulSet, context: DefaultContext): void {
  if (spec === undefined) return;
  defaultPodTemplate(spec.template, context);
  const strategy = (spec.updateStrategy ??= {});
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === "RollingUpdate" && strategy.rollingUpdate !== undefined)
    defaultRollingUpdate(strategy.rollingUpdate, context);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    defaultClaimTemplate(claim);
  }
}
