import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero } from "../../vocabulary.ts";
import type { UserInfo } from "./user-info.ts";

/** Asks whose token it is. */
export interface TokenReview extends ClusterScoped {
  /** What is asked for. */
  spec: TokenReviewSpec;
  /** What is the case, as last seen. */
  status?: TokenReviewStatus & Always;
}

export interface TokenReviewSpec {
  token?: string & OmitZero;
  audiences?: ListAtomic<string>;
}

export interface TokenReviewStatus {
  authenticated?: boolean & OmitZero;
  user?: UserInfo & Always;
  audiences?: ListAtomic<string>;
  error?: string & OmitZero;
}

export const tokenReview = kind<TokenReview>({
  plural: "tokenreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
