import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkPortNumber } from "../../../runtime/values/formats.ts";
import { checkServicePath } from "../../../runtime/values/service-path.ts";
import { checkWebhookUrl } from "../../../runtime/values/webhook-url.ts";
import type { ServiceReference, WebhookClientConfig } from "./webhook-client-config.ts";

/** Validates how a webhook is called: by URL or through a Service. */
export function validateClientConfig(config: WebhookClientConfig, path: string, errors: FieldError[]): void {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    errors.push(requiredField(path, "exactly one of url or service is required"));
  } else if (url !== undefined) {
    errors.push(...checkWebhookUrl(url, `${path}.url`));
  } else if (service !== undefined) {
    validateWebhookService(service, `${path}.service`, errors);
  }
}

function validateWebhookService(service: ServiceReference, at: string, errors: FieldError[]): void {
  const { name = "", namespace = "", path, port = 0 } = service;
  // As in Kubernetes, the paths are swapped: a missing namespace is reported for `name` and vice versa.
  if (namespace === "") errors.push(requiredField(`${at}.name`, "service name is required"));
  if (name === "") errors.push(requiredField(`${at}.namespace`, "service namespace is required"));
  const problems = checkPortNumber(port);
  if (problems.length > 0) errors.push(invalidField(`${at}.port`, port, `port is not valid: ${problems.join(", ")}`));
  if (path !== undefined) errors.push(...checkServicePath(path, `${at}.path`));
}
