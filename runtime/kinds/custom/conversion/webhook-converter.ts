import type { ApiObject } from "../../../contract/api-object.ts";
import type { ConversionFailure, ConversionWebhooks } from "../../../contract/conversion-webhooks.ts";
import type { WebhookClientConfig } from "../../../contract/webhook-client-config.ts";
import { inSpan } from "../../../lib/trace-context.ts";
import { UnconvertibleError } from "../../../store/errors.ts";
import { checkConverted, createReview, InvalidMetadataError, readResponse } from "./conversion-review.ts";

export interface WebhookConverterParts {
  /** Name of the CustomResourceDefinition. */
  readonly definition: string;
  readonly listKind: string;
  readonly clientConfig: WebhookClientConfig;
  readonly reviewVersions: readonly string[];
  /** Group of the review: `apiextensions.<domain>`. */
  readonly reviewGroup: string;
  /** All apiVersions of the definition, such as `example.com/v1`. */
  readonly apiVersions: ReadonlySet<string>;
  readonly webhooks: ConversionWebhooks;
}

/** Converts objects of one custom kind by calling its webhook. */
export class WebhookConverter {
  readonly #parts: WebhookConverterParts;

  constructor(parts: WebhookConverterParts) {
    this.#parts = parts;
  }

  /**
   * Converts objects to another version in one call. Objects that already have that version are not sent; if all have it, the webhook is not
   * called. Metadata stays unchanged except for labels and annotations. Rejects with an UnconvertibleError.
   */
  async convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const sent = objects.filter((object) => object.apiVersion !== apiVersion);
    if (sent.length === 0) return [...objects];
    for (const object of sent) this.#checkVersion(object.apiVersion ?? "", "from");
    this.#checkVersion(apiVersion, "to");
    const { webhooks, definition } = this.#parts;
    const started = webhooks.monotonic();
    const observe = (failure: ConversionFailure | undefined): void =>
      webhooks.observe?.({
        definition,
        from: versionName(sent[0]?.apiVersion),
        to: versionName(apiVersion),
        milliseconds: webhooks.monotonic() - started,
        failure,
      });
    try {
      const converted = await this.#call(sent, apiVersion);
      observe(undefined);
      let next = 0;
      return objects.map((object) => (object.apiVersion === apiVersion ? object : (converted[next++] as ApiObject)));
    } catch (error) {
      if (error instanceof ConversionCallError) observe(error.failure);
      throw new UnconvertibleError((error as Error).message, { cause: error });
    }
  }

  async #call(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]> {
    const { clientConfig, reviewVersions, reviewGroup, webhooks, listKind } = this.#parts;
    const request = { uid: webhooks.newUid(), desiredAPIVersion: apiVersion, objects };
    const review = createReview(reviewVersions, reviewGroup, request);
    const [first] = objects;
    const isOne = objects.length === 1;
    const subject = `conversion webhook for ${first?.apiVersion ?? ""}, Kind=${isOne ? (first?.kind ?? "") : listKind}`;
    const fail = (failure: ConversionFailure, problem: string): never => {
      throw new ConversionCallError(failure, `${subject} ${problem}`);
    };
    const attributes = {
      "custom-resource-definition": this.#parts.definition,
      "desired-api-version": apiVersion,
      "object-count": objects.length,
      UID: request.uid,
    };
    const answer = await inSpan("Call conversion webhook", attributes, () => webhooks.post(clientConfig, review)).catch(
      (error: Error) => fail("conversion_webhook_call_failure", `failed: ${error.message}`),
    );
    let converted: readonly unknown[] = [];
    try {
      converted = readResponse(answer, review);
    } catch (error) {
      fail("conversion_webhook_malformed_response_failure", `failed: ${(error as Error).message}`);
    }
    if (converted.length !== objects.length) {
      const problem = `returned ${converted.length} objects, expected ${objects.length}`;
      fail("conversion_webhook_partial_response_failure", problem);
    }
    return objects.map((object, index) => {
      try {
        return checkConverted(object, converted[index], apiVersion);
      } catch (error) {
        const problem = `${invalidText(error, isOne, index)}: ${(error as Error).message}`;
        return fail("conversion_webhook_invalid_converted_object_failure", problem);
      }
    });
  }

  #checkVersion(apiVersion: string, direction: "from" | "to"): void {
    if (this.#parts.apiVersions.has(apiVersion)) return;
    throw new UnconvertibleError(`request to convert CR ${direction} an invalid group/version: ${apiVersion}`);
  }
}

class ConversionCallError extends Error {
  readonly failure: ConversionFailure;

  constructor(failure: ConversionFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** Error message for an invalid object. For a single object, Kubernetes includes the index only if the version or kind is wrong. */
function invalidText(error: unknown, isOne: boolean, index: number): string {
  if (error instanceof InvalidMetadataError) {
    return isOne ? "returned invalid metadata" : `returned invalid metadata in object at index ${index}`;
  }
  if (!isOne) return `returned invalid converted object at index ${index}`;
  const message = (error as Error).message;
  return message.startsWith("invalid ") ? "returned invalid object at index 0" : "returned invalid object";
}

function versionName(apiVersion = ""): string {
  return apiVersion.split("/").at(-1) ?? "";
}
