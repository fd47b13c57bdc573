import { isDeepStrictEqual } from "node:util";
import type { FieldError } from "../../contract/field-error.ts";
import { goQuote } from "../../go/quote.ts";
import { Verbatim } from "../../go/verbatim.ts";
import { invalidField } from "../../values/field-errors.ts";
import { familyOf, type IpFamily } from "./address-range.ts";
import { isHeadless, needsClusterIp, type ServiceSpec } from "./service-shape.ts";

const POLICY = "spec.ipFamilyPolicy";

/** Sets the IP families of a Service from its spec and from the families of the cluster (the preferred one first). Returns field errors. */
export function settleFamilies(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  offered: readonly IpFamily[],
): FieldError[] {
  if (!needsClusterIp(spec) || isSettled(spec, old)) return [];
  const selectorless = isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (selectorless ? "RequireDualStack" : "SingleStack");

  const problems = old === undefined ? [] : reduceFamilies(spec, old);
  problems.push(...checkSingleStack(spec), ...deriveFromAddresses(spec, offered));
  if (problems.length > 0) return problems;

  const [preferred = "IPv4"] = offered;
  const other = (family: IpFamily): IpFamily => (family === "IPv4" ? "IPv6" : "IPv4");
  if (selectorless) {
    spec.ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : [preferred];
    const [first] = spec.ipFamilies;
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== "SingleStack" && first !== undefined)
      spec.ipFamilies = [first, other(first)];
    return [];
  }

  if (spec.ipFamilyPolicy === "RequireDualStack" && offered.length < 2)
    problems.push(invalidField(POLICY, spec.ipFamilyPolicy, "this cluster is not configured for dual-stack services"));
  (spec.ipFamilies ?? []).forEach((family, index) => {
    if (!offered.includes(family))
      problems.push(invalidField(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
  });
  if (problems.length > 0) return problems;
  spec.ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : [preferred];
  const [first] = spec.ipFamilies;
  if (spec.ipFamilyPolicy !== "SingleStack" && spec.ipFamilies.length === 1 && offered.length === 2 && first)
    spec.ipFamilies = [first, other(first)];
  return [];
}

/** Whether an update keeps the families of a PreferDualStack Service, because it changes nothing related to them. */
function isSettled(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  return (
    old !== undefined &&
    old.type === spec.type &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    (old.ipFamilyPolicy ?? "PreferDualStack") === "PreferDualStack" &&
    isDeepStrictEqual(spec.clusterIPs, old.clusterIPs) &&
    isDeepStrictEqual(spec.ipFamilies, old.ipFamilies)
  );
}

function reduceFamilies(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy === "SingleStack") {
    if (isDeepStrictEqual(spec.clusterIPs, old.clusterIPs) && (spec.clusterIPs?.length ?? 0) > 1)
      spec.clusterIPs = spec.clusterIPs?.slice(0, 1);
    if (isDeepStrictEqual(spec.ipFamilies, old.ipFamilies) && (spec.ipFamilies?.length ?? 0) > 1)
      spec.ipFamilies = spec.ipFamilies?.slice(0, 1);
    return [];
  }
  const problems: FieldError[] = [];
  const reduced = (before: readonly string[] = [], now: readonly string[] = []) =>
    now.length > 0 && now.length < before.length;
  const complain = (what: string) =>
    problems.push(invalidField(POLICY, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`));
  if (reduced(old.clusterIPs, spec.clusterIPs)) complain("cluster IP");
  if (reduced(old.ipFamilies, spec.ipFamilies)) complain("IP family");
  return problems;
}

function checkSingleStack(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== "SingleStack") return [];
  const problem = (what: string) =>
    invalidField(
      POLICY,
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...(spec.clusterIPs?.length === 2 ? [problem("cluster IPs")] : []),
    ...(spec.ipFamilies?.length === 2 ? [problem("IP families")] : []),
  ];
}

/** Derives missing families from the requested addresses. */
function deriveFromAddresses(spec: ServiceSpec, offered: readonly IpFamily[]): FieldError[] {
  if (isHeadless(spec)) return [];
  const problems: FieldError[] = [];
  (spec.clusterIPs ?? []).forEach((address, index) => {
    if (index < (spec.ipFamilies?.length ?? 0)) return;
    const family = familyOf(address);
    if (offered.includes(family)) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else
      problems.push(
        invalidField(
          `spec.clusterIPs[${index}]`,
          goStrings(spec.clusterIPs ?? []),
          `${family} is not configured on this cluster`,
        ),
      );
  });
  return problems;
}

/** Formats `[]string{"a", "b"}`. */
export function goStrings(items: readonly string[]): Verbatim {
  return new Verbatim(`[]string{${items.map(goQuote).join(", ")}}`);
}
