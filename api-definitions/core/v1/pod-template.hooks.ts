import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import { containerCells, labelsText } from "../../../runtime/lib/table-text.ts";
import { dropImageVolumes } from "./image-volumes.ts";
import { defaultPodSpec } from "./pod-defaults.ts";
import type { PodTemplate } from "./pod-template.ts";
import { warnOfPodTemplate } from "./pod-warnings.ts";
import { validatePodTemplateSpec } from "./validation/pod-spec.ts";

export const hooks = hooksFor<PodTemplate>({
  skipsMetadataOnUpdate: true,
  defaults: ({ template }) => defaultPodSpec(template?.spec),
  prepareForCreate: ({ template }, context) => dropImageVolumes(template?.spec, undefined, context),
  prepareForUpdate: ({ template }, old, context) => dropImageVolumes(template?.spec, old.template?.spec, context),
  validate: ({ template }) => {
    const errors: FieldError[] = [];
    validatePodTemplateSpec(template, "template", errors);
    return errors;
  },
  warnings: ({ metadata, template }, old, { featureEnabled }) =>
    metadata?.generation === old?.metadata?.generation && old !== undefined
      ? []
      : warnOfPodTemplate(template, "template", featureEnabled),
  cells: ({ template }) => ({
    ...containerCells(template?.spec?.containers),
    "Pod Labels": labelsText(template?.metadata?.labels),
  }),
});
