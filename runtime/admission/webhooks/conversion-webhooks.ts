import { randomUUID } from "node:crypto";
import type { ConversionCall, ConversionWebhooks } from "../../contract/conversion-webhooks.ts";
import type { ServiceLookup } from "./service-address.ts";

/** The same as in Kubernetes. Definitions cannot change it. */
const TIMEOUT_SECONDS = 30;
/** Size limit of a response, which may contain many objects. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Calls conversion webhooks over HTTPS. `services` provides the lookup of their Services. */
export function createConversionWebhooks(
  services: () => ServiceLookup,
  observe: (call: ConversionCall) => void,
): ConversionWebhooks {
  return {
    post: async ({ caBundle, ...client }, review) => {
      const { postReview } = await import("./post-review.ts");
      const pem = Buffer.from(caBundle ?? "", "base64")
        .toString()
        .trim();
      const clientConfig = { ...client, ...(pem !== "" && { caBundle: caBundle as string }) };
      const request = { clientConfig, timeoutSeconds: TIMEOUT_SECONDS, maxBytes: MAX_ANSWER_BYTES, review };
      return postReview(request, services());
    },
    newUid: randomUUID,
    monotonic: () => performance.now(),
    observe,
  };
}
