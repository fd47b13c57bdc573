import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { holdsGivenEmpty } from "../../../runtime/go/source-notes.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { selectorText } from "../../../runtime/values/table-text.ts";
import { isUnsoundSelector } from "../../meta/v1/label-selector-validation.ts";
import type { NetworkPolicy, NetworkPolicySpec } from "./network-policy.ts";
import { rangesOf, validateNetworkPolicySpec, warnOfRanges } from "./network-policy-validation.ts";

const NO_SPEC = {} as NetworkPolicySpec;

export const hooks = kindHooks<NetworkPolicy>({
  default: ({ spec }) => {
    if (spec === undefined || (spec.policyTypes?.length ?? 0) > 0) return;
    spec.policyTypes = (spec.egress?.length ?? 0) > 0 ? ["Ingress", "Egress"] : ["Ingress"];
  },
  validate: ({ spec = NO_SPEC }, { old, featureEnabled }) =>
    collectErrors((errors) => {
      const isLenient = isUnsoundSelector(old?.spec?.podSelector);
      validateNetworkPolicySpec(spec, { ranges: new Set(), isLenient, featureEnabled }, "spec", errors);
    }),
  warn: ({ spec = NO_SPEC }) => warnOfRanges(spec),
  cells: ({ spec }) => ({ "Pod-Selector": selectorText(spec?.podSelector) }),
  validation: {
    update: ({ spec = NO_SPEC }, old, { featureEnabled }) =>
      collectErrors((errors) => {
        const isLenient = isUnsoundSelector(old.spec?.podSelector);
        const ranges = rangesOf(old.spec ?? NO_SPEC);
        validateNetworkPolicySpec(spec, { ranges, isLenient, featureEnabled }, "spec", errors);
      }),
  },
  lifecycle: {
    /** Kubernetes counts empty lists of rules in the request as a change of the spec. */
    raisesGeneration: ({ spec }, old) => !equalMeaning(spec, old.spec) || holdsGivenEmpty(spec),
  },
  compatibility: {
    // Kubernetes validates an updated policy as a new one, then once more: clients see causes twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsChange", "update"] },
  },
});
