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

/** The token in question. */
export interface TokenReviewSpec {
  /** The token. */
  token?: string & OmitZero;
  /** Whom it should be meant for. */
  audiences?: ListAtomic<string>;
}

/** What was found out about a token. */
export interface TokenReviewStatus {
  /** Whether it is good. */
  authenticated?: boolean & OmitZero;
  /** Whose it is. */
  user?: UserInfo & Always;
  /** Whom it is meant for, of those asked about. */
  audiences?: ListAtomic<string>;
  /** Why it could not be checked. */
  error?: string & OmitZero;
}

export const tokenReview = kind<TokenReview>({
  plural: "tokenreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
