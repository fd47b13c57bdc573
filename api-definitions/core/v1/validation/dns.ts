import type { FieldError } from "../../../../runtime/contract/field-error.ts";
import { invalidField, invalidFields, requiredField } from "../../../../runtime/values/field-errors.ts";
import { checkSearchDomain } from "../../../../runtime/values/formats.ts";
import { checkLegacyIp } from "../../../../runtime/values/ip-checks.ts";
import { checkSubdomain } from "../../../../runtime/values/names.ts";
import type { PodSpec } from "../pod-spec.ts";
import type { PodTolerance } from "./pod-tolerance.ts";

const MAX_SERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

export function validateDns(
  { dnsPolicy, dnsConfig }: PodSpec,
  tolerance: PodTolerance,
  path: string,
  errors: FieldError[],
): void {
  const servers = dnsConfig?.nameservers ?? [];
  const searches = dnsConfig?.searches ?? [];
  if (dnsPolicy === "None") {
    if (dnsConfig === undefined) {
      errors.push(requiredField(path, "must provide `dnsConfig` when `dnsPolicy` is None"));
      return;
    }
    if (servers.length === 0) {
      errors.push(
        requiredField(`${path}.nameservers`, "must provide at least one DNS nameserver when `dnsPolicy` is None"),
      );
      return;
    }
  }
  if (servers.length > MAX_SERVERS)
    errors.push(invalidField(`${path}.nameservers`, servers, `must not have more than ${MAX_SERVERS} nameservers`));
  for (const [index, server] of servers.entries()) {
    errors.push(...invalidFields(`${path}.nameservers[${index}]`, server, checkLegacyIp(server, tolerance)));
  }
  if (searches.length > MAX_SEARCHES)
    errors.push(invalidField(`${path}.searches`, searches, `must not have more than ${MAX_SEARCHES} search paths`));
  if (Buffer.byteLength(searches.join(" ")) > MAX_SEARCH_CHARACTERS) {
    const detail = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    errors.push(invalidField(`${path}.searches`, searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === "." && tolerance.relaxedSearches) continue;
    const domain = search.endsWith(".") ? search.slice(0, -1) : search;
    errors.push(
      ...invalidFields(
        `${path}.searches[${index}]`,
        domain,
        tolerance.relaxedSearches ? checkSearchDomain(domain) : checkSubdomain(domain),
      ),
    );
  }
  for (const [index, option] of (dnsConfig?.options ?? []).entries()) {
    if (!option.name) errors.push(requiredField(`${path}.options[${index}]`, "must not be empty"));
  }
}
