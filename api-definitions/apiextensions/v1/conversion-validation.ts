import type { FieldError } from "../../../runtime/contract/field-error.ts";
import {
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/lib/field-errors.ts";
import { goTexts, shown } from "../../../runtime/lib/go-literal.ts";
import { checkDns1035Label } from "../../../runtime/lib/names.ts";
import { validateClientConfig } from "../../admissionregistration/v1/webhook-client-validation.ts";
import type { CustomResourceConversion } from "./custom-resource-definition.ts";

const STRATEGIES = ["None", "Webhook"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];

/** How versions become each other. Messages name the fields as an older version did. */
export function validateConversion(
  conversion: CustomResourceConversion | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (conversion === undefined) return;
  const strategy: string = conversion.strategy ?? "";
  const config = conversion.webhook?.clientConfig;
  const versions = conversion.webhook?.conversionReviewVersions ?? [];
  if (strategy === "") errors.push(requiredField(`${path}.strategy`));
  else if (!STRATEGIES.includes(strategy)) errors.push(unsupportedField(`${path}.strategy`, strategy, STRATEGIES));
  if (strategy === "Webhook") {
    const field = `${path}.webhookClientConfig`;
    if (config === undefined) errors.push(requiredField(field, "required when strategy is set to Webhook"));
    else validateClientConfig(config, field, errors);
    validateReviewVersions(versions, `${path}.conversionReviewVersions`, errors);
    return;
  }
  const detail = "should not be set when strategy is not set to Webhook";
  if (config !== undefined) errors.push(forbiddenField(`${path}.webhookClientConfig`, detail));
  if (versions.length > 0) errors.push(forbiddenField(`${path}.conversionReviewVersions`, detail));
}

function validateReviewVersions(versions: readonly string[], path: string, errors: FieldError[]): void {
  if (versions.length === 0) {
    errors.push(requiredField(path));
    return;
  }
  for (const [index, version] of versions.entries()) {
    const field = `${path}[${index}]`;
    if (versions.indexOf(version) < index) errors.push(invalidField(field, version, "duplicate version"));
    else errors.push(...invalidFields(field, version, checkDns1035Label(version)));
  }
  if (!versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    const detail = `must include at least one of ${REVIEW_VERSIONS.join(", ")}`;
    errors.push(invalidField(path, shown(goTexts(versions)), detail));
  }
}
