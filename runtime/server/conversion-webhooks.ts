import { randomUUID } from "node:crypto";
import { postReview } from "../admission/webhooks/post-review.ts";
import type { ConversionCall, ConversionWebhooks } from "../contract/conversion-webhooks.ts";
import type { ObjectReader } from "../contract/object-access.ts";

/** As Kubernetes has it; definitions cannot change it. */
const TIMEOUT_SECONDS = 30;
/** Of one response, which may hold many objects. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Calls conversion webhooks over HTTPS. `reader` finds their Services. */
export function createConversionWebhooks(
  reader: () => ObjectReader,
  observe: (call: ConversionCall) => void,
): ConversionWebhooks {
  return {
    post: ({ caBundle, ...client }, review) => {
      const pem = Buffer.from(caBundle ?? "", "base64")
        .toString()
        .trim();
      const clientConfig = { ...client, ...(pem !== "" && { caBundle: caBundle as string }) };
      const request = { clientConfig, timeoutSeconds: TIMEOUT_SECONDS, maxBytes: MAX_ANSWER_BYTES, review };
      return postReview(request, { reader: reader() });
    },
    newUid: randomUUID,
    monotonic: () => performance.now(),
    observe,
  };
}

/** For commands that work on a store without a server: what needs a conversion webhook fails. */
export const noConversionWebhooks: ConversionWebhooks = {
  post: () => Promise.reject(new Error("conversion webhooks are called by a running server only")),
  newUid: randomUUID,
  monotonic: () => performance.now(),
};
