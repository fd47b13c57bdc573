import { X509Certificate } from "node:crypto";
import type { FieldError } from "../../../contract/field-error.ts";
import { goQuote } from "../../../go/quote.ts";
import { trimEndOf } from "../../../lib/trim-character.ts";
import { duplicateField, invalidField, requiredField } from "../../../values/field-errors.ts";
import type { IssuerConfiguration } from "./jwt-configuration.ts";

/** Validates an issuer. `disallowed` are the issuers of this server's own tokens. */
export function checkIssuer(issuer: IssuerConfiguration, field: string, disallowed: readonly string[]): FieldError[] {
  return [
    ...(issuer.url === ""
      ? [requiredField(`${field}.url`, "URL is required")]
      : checkUrl(issuer.url, `${field}.url`, disallowed)),
    ...checkDiscoveryUrl(issuer, `${field}.discoveryURL`),
    ...checkAudiences(issuer, field),
    ...checkAuthority(issuer.certificateAuthority ?? "", `${field}.certificateAuthority`),
  ];
}

function checkDiscoveryUrl({ url, discoveryURL = "" }: IssuerConfiguration, field: string): FieldError[] {
  if (discoveryURL === "") return [];
  const bare = (text: string) => trimEndOf(text, "/");
  const same = url !== "" && bare(url) === bare(discoveryURL);
  return [
    ...(same ? [invalidField(field, discoveryURL, "discoveryURL must be different from URL")] : []),
    ...checkUrl(discoveryURL, field, []),
  ];
}

function checkUrl(text: string, field: string, disallowed: readonly string[]): FieldError[] {
  const problems: string[] = [];
  if (disallowed.includes(text))
    problems.push(`URL must not overlap with disallowed issuers: [${[...disallowed].sort().join(" ")}]`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused.
  if (/[\x00-\x1f\x7f]/.test(text)) problems.push(`parse ${goQuote(text)}: net/url: invalid control character in URL`);
  else if (/^:/.test(text)) problems.push(`parse ${goQuote(text)}: missing protocol scheme`);
  else {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (/^https:/i.test(text) && url === undefined) problems.push(`parse ${goQuote(text)}: invalid host`);
    if (!/^https:/i.test(text)) problems.push("URL scheme must be https");
    if (/^[a-z]+:\/\/[^/?#]*@/i.test(text)) problems.push("URL must not contain a username or password");
    if (/^[^#]*\?[^#]/.test(text)) problems.push("URL must not contain a query");
    if (/#./.test(text)) problems.push("URL must not contain a fragment");
  }
  return problems.map((problem) => invalidField(field, text, problem));
}

function checkAudiences(
  { audiences, audienceMatchPolicy: policy = "" }: IssuerConfiguration,
  at: string,
): FieldError[] {
  const field = `${at}.audiences`;
  if (audiences === null || audiences.length === 0) return [requiredField(field, `at least one ${field} is required`)];
  const problems: FieldError[] = [];
  audiences.forEach((audience, index) => {
    if (audience === "") problems.push(requiredField(`${field}[${index}]`, "audience can't be empty"));
    if (audiences.indexOf(audience) < index) problems.push(duplicateField(`${field}[${index}]`, audience));
  });
  const refuse = (problem: string) => problems.push(invalidField(`${at}.audienceMatchPolicy`, policy, problem));
  if (audiences.length > 1 && policy !== "MatchAny")
    refuse("audienceMatchPolicy must be MatchAny for multiple audiences");
  if (audiences.length === 1 && policy !== "" && policy !== "MatchAny")
    refuse("audienceMatchPolicy must be empty or MatchAny for single audience");
  return problems;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function checkAuthority(pem: string, field: string): FieldError[] {
  if (pem === "") return [];
  const found = pem.match(CERTIFICATE) ?? [];
  if (found.length === 0)
    return [invalidField(field, "<omitted>", "data does not contain any valid RSA or ECDSA certificates")];
  try {
    for (const certificate of found) new X509Certificate(certificate);
    return [];
  } catch (error) {
    return [invalidField(field, "<omitted>", (error as Error).message)];
  }
}
