import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { goList, goTexts, shown } from "../../../runtime/go/literal.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { isHeadless } from "../../../runtime/values/cluster-ips.ts";
import { forbiddenField, invalidField } from "../../../runtime/values/field-errors.ts";
import type { Service, ServiceSpec } from "./service.ts";
import { needsHealthCheck } from "./service-traffic.ts";
import { validateLoadBalancerClass } from "./service-validation.ts";

const ONCE = "may not change once set";

/** Allocated addresses and families are immutable, except that a second one may be added or removed. */
export function validateServiceChange(service: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  const [spec, oldSpec] = [service.spec ?? {}, old.spec ?? {}];
  validateAddressChange(spec, oldSpec, errors);
  validateFamilyChange(spec, oldSpec, errors);
  if (spec.type === "LoadBalancer" && oldSpec.type === "LoadBalancer") {
    if (spec.loadBalancerClass !== oldSpec.loadBalancerClass)
      errors.push(invalidField("spec.loadBalancerClass", spec.loadBalancerClass, ONCE));
  }
  validateLoadBalancerClass(spec, errors);
  const checked = needsHealthCheck(spec) && needsHealthCheck(oldSpec);
  if (checked && (spec.healthCheckNodePort ?? 0) !== (oldSpec.healthCheckNodePort ?? 0))
    errors.push(forbiddenField("spec.healthCheckNodePort", "field is immutable"));
  return errors;
}

function validateAddressChange(spec: ServiceSpec, old: ServiceSpec, errors: FieldError[]): void {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return;
  if (isHeadless(spec) && isHeadless(old)) return;
  const [next, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  const value = shown(goTexts(spec.clusterIPs));
  const first = "spec.clusterIPs[0]";
  if (before.length === next.length) {
    for (const [index, address] of before.entries())
      if (address !== next[index]) errors.push(invalidField(`spec.clusterIPs[${index}]`, value, ONCE));
    return;
  }
  const released = before.length > next.length;
  if (released && next.length === 0) errors.push(invalidField(first, value, "primary clusterIP can not be unset"));
  if (before.length > 0 && next.length > 0 && next[0] !== before[0]) errors.push(invalidField(first, value, ONCE));
  if (released && next.length === 1) validateRelease(spec, "clusterIP", errors);
}

function validateFamilyChange(spec: ServiceSpec, old: ServiceSpec, errors: FieldError[]): void {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return;
  if (isHeadless(spec) || isHeadless(old)) return;
  const [next, before] = [spec.ipFamilies ?? [], old.ipFamilies ?? []];
  const families = shown(goList("core.IPFamily", spec.ipFamilies?.map(goQuote)));
  const first = "spec.ipFamilies[0]";
  if (before.length === next.length) {
    for (const [index, family] of before.entries())
      if (family !== next[index]) errors.push(invalidField(first, families, ONCE));
    return;
  }
  const released = before.length > next.length;
  if (released && (spec.clusterIPs ?? []).length === 0)
    errors.push(invalidField(first, families, "primary ipFamily can not be unset"));
  // Kubernetes shows the addresses here, not the families.
  if (before.length > 0 && next.length > 0 && next[0] !== before[0])
    errors.push(invalidField(first, shown(goTexts(spec.clusterIPs)), ONCE));
  if (released && next.length === 1) validateRelease(spec, "ipFamily", errors);
}

function validateRelease({ ipFamilyPolicy }: ServiceSpec, what: string, errors: FieldError[]): void {
  if (ipFamilyPolicy === "SingleStack") return;
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  errors.push(invalidField("spec.ipFamilyPolicy", ipFamilyPolicy, detail));
}
