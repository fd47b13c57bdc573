import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, requiredField } from "../../../runtime/lib/field-errors.ts";
import { checkPortNumber } from "../../../runtime/lib/formats.ts";
import { goQuote } from "../../../runtime/lib/go-quote.ts";
import { checkServicePath } from "../../../runtime/lib/service-path.ts";
import type { ServiceReference, WebhookClientConfig } from "./webhook-client-config.ts";

const FORM = "; desired format: https://host[/path]";
const URL_PARTS = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s;

/** How a webhook is called: at an address, or as a service of the cluster. */
export function validateClientConfig(config: WebhookClientConfig, path: string, errors: FieldError[]): void {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    errors.push(requiredField(path, "exactly one of url or service is required"));
  } else if (url !== undefined) {
    validateWebhookUrl(url, `${path}.url`, errors);
  } else if (service !== undefined) {
    validateWebhookService(service, `${path}.service`, errors);
  }
}

export function validateWebhookUrl(url: string, field: string, errors: FieldError[]): void {
  const match = URL_PARTS.exec(url);
  const isOdd = [...url].some((character) => character < " " || character === "\x7f");
  if (match === null || isOdd) {
    const problem = `parse ${goQuote(url)}: net/url: invalid control character in URL`;
    errors.push(requiredField(field, `url must be a valid URL: ${problem}${FORM}`));
    return;
  }
  const [, scheme = "", authority = "", query = "", fragment = ""] = match;
  const at = authority.lastIndexOf("@");
  const refuse = (value: string, detail: string) => errors.push(invalidField(field, value, detail));
  if (scheme.toLowerCase() !== "https") refuse(scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  if (authority.slice(at + 1) === "") refuse("", `host must be specified${FORM}`);
  if (at >= 0) refuse(authority.slice(0, at), "user information is not permitted in the URL");
  if (fragment !== "") refuse(fragment, "fragments are not permitted in the URL");
  if (query !== "") refuse(query, "query parameters are not permitted in the URL");
}

export function validateWebhookService(service: ServiceReference, at: string, errors: FieldError[]): void {
  const { name = "", namespace = "", path, port = 0 } = service;
  // Name and namespace are swapped, as in Kubernetes: the missing one is named after the other.
  if (namespace === "") errors.push(requiredField(`${at}.name`, "service name is required"));
  if (name === "") errors.push(requiredField(`${at}.namespace`, "service namespace is required"));
  const problems = checkPortNumber(port);
  if (problems.length > 0) errors.push(invalidField(`${at}.port`, port, `port is not valid: ${problems.join(", ")}`));
  if (path !== undefined) errors.push(...checkServicePath(path, `${at}.path`));
}
