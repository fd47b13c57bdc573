import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { goTexts, shown } from "../../../runtime/go/literal.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { collectErrors, invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkCidr, parseLenientCidr } from "../../../runtime/values/ip-checks.ts";
import { shownAs } from "../../go-types.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { ServiceCIDR } from "./service-cidr.ts";

export const hooks = kindHooks<ServiceCIDR>({
  validate: ({ spec }) => collectErrors((errors) => validateRanges(spec?.cidrs ?? [], "spec.cidrs", errors)),
  cells: ({ spec }) => ({ CIDRs: (spec?.cidrs ?? []).join(",") }),
  validation: {
    update: ({ spec }, old) =>
      collectErrors((errors) => validateChange(asGiven(spec, "cidrs"), old.spec?.cidrs ?? [], "spec.cidrs", errors)),
    subresources: { status: () => [] },
  },
  lifecycle: {
    acceptsStatusOnCreate: true,
    acceptsStatusOnUpdate: true,
    prepareForUpdate: keepMetadataOnStatus,
    // Kubernetes declares its reset fields with the wrong group, so none is reset.
    resetFields: { "": [], status: [] },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});

/** One range, or one of each address family. */
function validateRanges(cidrs: readonly string[], path: string, errors: FieldError[]): void {
  if (cidrs.length === 0) {
    errors.push(requiredField(path, "at least one CIDR required"));
    return;
  }
  if (cidrs.length > 2) {
    const value = shownAs("networking.ServiceCIDRSpec", { cidrs });
    errors.push(invalidField(path, value, "may only hold up to 2 values"));
    return;
  }
  for (const [index, cidr] of cidrs.entries()) {
    errors.push(...invalidFields(`${path}[${index}]`, cidr, checkCidr(cidr)));
  }
  const families = cidrs.map((cidr) => parseLenientCidr(cidr)?.bytes.length);
  if (cidrs.length === 2 && families[0] === families[1] && families[0] !== undefined) {
    const detail = "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
    errors.push(invalidField(path, shown(goTexts(cidrs)), detail));
  }
}

/** A range of a second family may be added; existing ranges are immutable. */
function validateChange(
  given: readonly string[] | undefined,
  old: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  const cidrs = given ?? [];
  const detail = "field is immutable";
  const grows = old.length === 1 && cidrs.length === 2;
  if (old.length !== cidrs.length && !grows) {
    errors.push(invalidField(path, shown(goTexts(given)), detail));
    return;
  }
  for (const [index, cidr] of old.entries()) {
    if (cidr !== cidrs[index]) errors.push(invalidField(`${path}[${index}]`, cidrs[index], detail));
  }
  if (grows) validateRanges(cidrs, path, errors);
}
