import { ServiceInternalTrafficPolicy } from "../../../generated/values/core.v1.ts";
import type { DefaultContext } from "../../../runtime/contract/kind-hooks.ts";
import type { Service } from "./service.ts";

/**
 * Completes Services that were stored before dual-stack support: sets the fields for addresses and families. Some Services of type
 * `ExternalName` were stored with an `internalTrafficPolicy`, which is removed.
 */
export function completeService({ spec }: Service, { primaryIpFamily }: DefaultContext): void {
  if (spec === undefined) return;
  if (spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIPs = [spec.clusterIP];
  if (spec.type === "ExternalName") {
    delete spec.internalTrafficPolicy;
    return;
  }
  if (spec.ipFamilies?.length) return;
  if (spec.clusterIP !== "None") spec.ipFamilies = (spec.clusterIPs ?? []).map(familyOf);
  else if (Object.keys(spec.selector ?? {}).length > 0) spec.ipFamilies = [primaryIpFamily];
  else spec.ipFamilies = [primaryIpFamily, primaryIpFamily === "IPv4" ? "IPv6" : "IPv4"];
  const { length } = spec.ipFamilies;
  if (length === 0) delete spec.ipFamilies;
  else if (length <= 2) spec.ipFamilyPolicy = length === 1 ? "SingleStack" : "RequireDualStack";
}

/** Removes `internalTrafficPolicy` from Services of type `ExternalName`. Invalid values are left to validation. */
export function dropInternalPolicy({ spec }: Service): void {
  if (spec?.type !== "ExternalName" || spec.internalTrafficPolicy === undefined) return;
  if (ServiceInternalTrafficPolicy.includes(spec.internalTrafficPolicy)) delete spec.internalTrafficPolicy;
}

const familyOf = (address: string): "IPv4" | "IPv6" => (address.includes(":") ? "IPv6" : "IPv4");
