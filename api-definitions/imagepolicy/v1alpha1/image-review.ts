import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/** Asks whether images may run. */
export interface ImageReview extends ClusterScoped {
  /** What is asked for. */
  spec: ImageReviewSpec;
  /** What is the case, as last seen. */
  status?: ImageReviewStatus & Always;
}

export interface ImageReviewSpec {
  containers?: ListAtomic<ImageReviewContainerSpec>;
  annotations?: Record<string, string>;
  namespace?: string & OmitZero;
}

export interface ImageReviewContainerSpec {
  image?: string & OmitZero;
}

export interface ImageReviewStatus {
  allowed: boolean;
  reason?: string & OmitZero;
  auditAnnotations?: Record<string, string>;
}

export const imageReview = kind<ImageReview>({ unserved: true });
