import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { containerCells, labelsText } from "../../../runtime/values/table-text.ts";
import { dropDisabledPodFields } from "./disabled-pod-fields.ts";
import { defaultPodTemplate } from "./pod-defaults.ts";
import type { PodTemplate } from "./pod-template.ts";
import { warnOfPodTemplate } from "./pod-warnings.ts";
import { validatePodTemplateSpec } from "./validation/pod-spec.ts";

export const hooks = kindHooks<PodTemplate>({
  default: ({ template }, context) => defaultPodTemplate(template, context),
  validate: ({ template }, context) =>
    collectErrors((errors) => validatePodTemplateSpec(template, "template", context, errors)),
  warn: ({ metadata, template }, { old, featureEnabled }) =>
    metadata?.generation === old?.metadata?.generation && old !== undefined
      ? []
      : warnOfPodTemplate(template, "template", featureEnabled),
  cells: ({ template }) => ({
    ...containerCells(template?.spec?.containers),
    "Pod Labels": labelsText(template?.metadata?.labels),
  }),
  validation: {
    update: ({ template }, old, context) =>
      collectErrors((errors) => validatePodTemplateSpec(template, "template", context, errors, old.template)),
  },
  lifecycle: {
    prepareForCreate: ({ template }, context) => dropDisabledPodFields(template?.spec, undefined, context),
    prepareForUpdate: ({ template }, old, context) =>
      dropDisabledPodFields(template?.spec, old.template?.spec, context),
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});
