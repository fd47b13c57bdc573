import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";

/** Asks whether images may run. */
export interface ImageReview extends ClusterScoped {
  /** What is asked for. */
  spec: ImageReviewSpec;
  /** What is the case, as last seen. */
  status?: ImageReviewStatus & Always;
}

/** Images in question. */
export interface ImageReviewSpec {
  /** The containers that would run them. */
  containers?: ListAtomic<ImageReviewContainerSpec>;
  /** Annotations of the pod that speak of images. */
  annotations?: Record<string, string>;
  /** Namespace of the pod. */
  namespace?: string & OmitZero;
}

/** A container that would run an image. */
export interface ImageReviewContainerSpec {
  /** The image. */
  image?: string & OmitZero;
}

/** Whether images may run. */
export interface ImageReviewStatus {
  /** Whether they may. */
  allowed: boolean;
  /** Why not. */
  reason?: string & OmitZero;
  /** Notes for the audit log. */
  auditAnnotations?: Record<string, string>;
}

export const imageReview = kind<ImageReview>({ unserved: true });
