import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/**
 * Message of the admission plugin ImagePolicyWebhook: the API server sends the images of a pod to a webhook, which
 * answers whether they may run. It is never stored.
 */
export interface ImageReview extends ClusterScoped {
  /** Images and pod to review, set by the API server. */
  spec: ImageReviewSpec;
  /** Decision on the images, set by the webhook. */
  status?: ImageReviewStatus & Always;
}

/** Images of a pod for which a webhook is asked to decide. */
export interface ImageReviewSpec {
  /** Containers of the pod whose images are reviewed. */
  containers?: ListAtomic<ImageReviewContainerSpec>;
  /**
   * Annotations of the pod whose keys match `*.image-policy.k8s.io/*`. They allow users to pass additional information
   * to the webhook, such as a ticket for an exception.
   */
  annotations?: Record<string, string>;
  /** Namespace in which the pod is created. */
  namespace?: string & OmitZero;
}

/** Container of the pod that is reviewed. */
export interface ImageReviewContainerSpec {
  /** Image of the container as in the pod: `image:tag` or `image@digest`. */
  image?: string & OmitZero;
}

/** Decision of a webhook on the images of a pod. */
export interface ImageReviewStatus {
  /** Whether all images may run. `false` rejects the pod. */
  allowed: boolean;
  /** Human-readable reason of the decision, shown to the user if the pod is rejected. */
  reason?: string & OmitZero;
  /**
   * Annotations that the API server adds to the audit event of the request. Keys must not have a prefix; the API server
   * adds one with the name of the plugin.
   */
  auditAnnotations?: Record<string, string>;
}

export const imageReview = kind<ImageReview>({ unserved: true });
