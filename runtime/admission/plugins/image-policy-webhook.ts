import { createHash } from "node:crypto";
import type { ImageReviewSpec, ImageReviewStatus } from "../../../api-definitions/imagepolicy/v1alpha1/image-review.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import { ExpiringCache } from "../../lib/expiring-cache.ts";
import type { PluginEnvironment } from "../plugin-environment.ts";
import type { ImagePolicySettings } from "../plugin-settings.ts";
import type { Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE, isFor } from "../requests.ts";

/** Maximum number of cached decisions. */
const MAX_DECISIONS = 1024;

/** Calls a webhook that decides whether the images of a pod, or of its new ephemeral containers, are allowed. */
export function createImagePolicyWebhook({ naming, settings, now }: PluginEnvironment): AdmissionPlugin {
  const policy = settings?.imagePolicy;
  if (policy === undefined) throw new Error("ImagePolicyWebhook is not configured");
  const group = `image-policy.${naming.domain}`;
  const decide = decisionsOf(policy, `imagepolicy.${naming.domain}/v1alpha1`, () => now().getTime());
  return {
    name: "ImagePolicyWebhook",
    operations: CREATE_AND_UPDATE,
    resources: new Set(["pods"]),
    async validate(request) {
      const images = imagesOf(request);
      if (images === undefined) return;
      const { annotations = {} } = (request.object as Pod).metadata;
      const relevant = Object.entries(annotations).filter(([key]) => key.includes(`.${group}/`));
      const annotate = (key: string, value: string) => request.annotate(`imagepolicywebhook.${group}/${key}`, value);
      const began = performance.now();
      let status: ImageReviewStatus;
      try {
        status = await decide({
          containers: images.map((image) => ({ image })),
          ...(relevant.length > 0 && { annotations: Object.fromEntries(relevant) }),
          namespace: request.namespace,
        });
      } catch (error) {
        if (!policy.defaultAllow) throw refuseAdmission(request, (error as Error).message);
        annotate("failed-open", "true");
        return;
      } finally {
        request.waited(performance.now() - began);
      }
      for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) annotate(key, String(value));
      if (status.allowed) return;
      throw refuseAdmission(
        request,
        status.reason
          ? `image policy webhook backend denied one or more images: ${status.reason}`
          : "one or more images rejected by webhook backend",
      );
    },
  };
}

/** Returns the images that a request starts; undefined if it starts none. */
function imagesOf(request: AdmissionRequest): string[] | undefined {
  if (request.object === undefined) return undefined;
  const { spec } = request.object as Pod;
  if (isFor(request, "", "pods")) {
    return [...spec.containers, ...(spec.initContainers ?? [])].map(({ image = "" }) => image);
  }
  if (!isFor(request, "", "pods", "ephemeralcontainers")) return undefined;
  return (spec.ephemeralContainers ?? []).map(({ image = "" }) => image);
}

/** Returns a function that obtains decisions from the webhook, and caches them for the configured time. */
function decisionsOf(
  { post, allowTtlMs, denyTtlMs }: ImagePolicySettings,
  apiVersion: string,
  now: () => number,
): (spec: ImageReviewSpec) => Promise<ImageReviewStatus> {
  const decisions = new ExpiringCache<ImageReviewStatus>(MAX_DECISIONS, { now });
  return async (spec) => {
    // A digest limits the size of the key: clients choose the images and annotations, and many decisions are cached.
    const key = createHash("sha256").update(JSON.stringify(spec)).digest("base64");
    const known = decisions.get(key);
    if (known !== undefined) return known;
    const review = await post({ apiVersion, kind: "ImageReview", metadata: {}, spec, status: { allowed: false } });
    // As in Go, a response without a type is treated as one of the expected type.
    const { kind = "", apiVersion: version = "" } = review;
    if ((kind !== "" && kind !== "ImageReview") || (version !== "" && version !== apiVersion))
      throw new Error(`the webhook answered no ImageReview of ${apiVersion}`);
    const status = readStatus(review.status);
    decisions.set(key, status, status.allowed ? allowTtlMs : denyTtlMs);
    return status;
  };
}

/** Reads the status of a review. Ignores fields of the wrong type. */
function readStatus(value: unknown): ImageReviewStatus {
  const { allowed, reason, auditAnnotations } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const isMap = typeof auditAnnotations === "object" && auditAnnotations !== null && !Array.isArray(auditAnnotations);
  return {
    allowed: allowed === true,
    ...(typeof reason === "string" && { reason }),
    ...(isMap && { auditAnnotations: auditAnnotations as Record<string, string> }),
  };
}
