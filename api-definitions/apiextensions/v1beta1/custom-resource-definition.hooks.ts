import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import type { CustomResourceDefinition } from "./custom-resource-definition.ts";

export const hooks = kindHooks<CustomResourceDefinition>({
  default: ({ spec }) => {
    const { names, conversion } = spec;
    if (!names.singular && names.kind !== "") names.singular = names.kind.toLowerCase();
    if (!names.listKind && names.kind !== "") names.listKind = `${names.kind}List`;
    if (!spec.versions?.length && spec.version) spec.versions = [{ name: spec.version, served: true, storage: true }];
    const [first] = spec.versions ?? [];
    if (!spec.version && first?.name) spec.version = first.name;
    if (conversion?.strategy === "Webhook" && !conversion.conversionReviewVersions?.length)
      conversion.conversionReviewVersions = ["v1beta1"];
  },
});
