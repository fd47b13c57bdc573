import type { FieldError } from "../../../contract/field-error.ts";
import { goBytes } from "../../../go/bytes.ts";
import { Verbatim } from "../../../go/verbatim.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../../../values/field-errors.ts";
import { checkPortNumber } from "../../../values/formats.ts";
import { checkDns1035Label } from "../../../values/names.ts";
import { checkServicePath } from "../../../values/service-path.ts";
import { checkWebhookUrl } from "../../../values/webhook-url.ts";
import { caBundleProblem } from "../../../x509/ca-bundle.ts";

export interface Conversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClient;
    readonly conversionReviewVersions?: readonly string[] | null;
  };
}

interface WebhookClient {
  readonly url?: string;
  /** Base64 of PEM. */
  readonly caBundle?: string | null;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly port?: number;
    readonly path?: string;
  };
}

const STRATEGIES = ["None", "Webhook"];
const REVIEW_VERSIONS = ["v1", "v1beta1"];
const NOT_A_WEBHOOK = "should not be set when strategy is not set to Webhook";

/** Requirements that an update need not meet if the stored definition does not meet them. */
export interface ConversionDemands {
  /** The CA certificates of the webhook must be readable. */
  readonly readableCa: boolean;
  /** The webhook must support a version of ConversionReview that this server sends. */
  readonly knownVersion: boolean;
}

export function validateConversion(
  { strategy, webhook }: Conversion,
  demands: ConversionDemands,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (strategy === "") errors.push(requiredField(`${path}.strategy`));
  else if (!STRATEGIES.includes(strategy)) errors.push(unsupportedField(`${path}.strategy`, strategy, STRATEGIES));
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy !== "Webhook") {
    if (client !== undefined) errors.push(forbiddenField(`${path}.webhookClientConfig`, NOT_A_WEBHOOK));
    if (versions.length > 0) errors.push(forbiddenField(`${path}.conversionReviewVersions`, NOT_A_WEBHOOK));
    return errors;
  }
  if (client === undefined)
    errors.push(requiredField(`${path}.webhookClientConfig`, "required when strategy is set to Webhook"));
  else {
    const at = `${path}.webhookClientConfig`;
    errors.push(...validateClient(client, at), ...(demands.readableCa ? validateBundle(client, `${at}.caBundle`) : []));
  }
  return [...errors, ...validateReviewVersions(versions, demands.knownVersion, `${path}.conversionReviewVersions`)];
}

function validateBundle({ caBundle }: WebhookClient, path: string): FieldError[] {
  const bytes = Buffer.from(caBundle ?? "", "base64");
  const problem = caBundleProblem(bytes.toString());
  return problem === undefined ? [] : [invalidField(path, new Verbatim(goBytes(bytes)), problem)];
}

/** Whether one of these versions of ConversionReview is one that this server sends. */
export function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function validateReviewVersions(versions: readonly string[], needsKnown: boolean, path: string): FieldError[] {
  if (versions.length === 0) return [requiredField(path)];
  const errors = versions.flatMap((version, index) => {
    const at = `${path}[${index}]`;
    if (versions.indexOf(version) < index) return [invalidField(at, version, "duplicate version")];
    return checkDns1035Label(version).map((problem) => invalidField(at, version, problem));
  });
  if (needsKnown && !hasKnownVersion(versions))
    errors.push(invalidField(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(", ")}`));
  return errors;
}

function validateClient({ url, service }: WebhookClient, path: string): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [requiredField(path, "exactly one of url or service is required")];
  return url === undefined ? validateService(service ?? {}, `${path}.service`) : checkWebhookUrl(url, `${path}.url`);
}

function validateService(
  { name = "", namespace = "", port, path: place }: NonNullable<WebhookClient["service"]>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  // As in Kubernetes, the paths are swapped: a missing namespace is reported for `name` and vice versa.
  if (namespace === "") errors.push(requiredField(`${path}.name`, "service name is required"));
  if (name === "") errors.push(requiredField(`${path}.namespace`, "service namespace is required"));
  for (const problem of port === undefined ? [] : checkPortNumber(port))
    errors.push(invalidField(`${path}.port`, port, `port is not valid: ${problem}`));
  if (place !== undefined) errors.push(...checkServicePath(place, `${path}.path`));
  return errors;
}
