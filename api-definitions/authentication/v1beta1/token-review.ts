import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Message, type OmitZero } from "../../vocabulary.ts";

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

export interface UserInfo {
  username?: string & OmitZero;
  uid?: string & OmitZero;
  groups?: ListAtomic<string>;
  extra?: Record<string, ExtraValue>;
}

export type ExtraValue = Message<string[]>;

export const tokenReview = kind<TokenReview>({
  plural: "tokenreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.4",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "authentication.<domain>/v1 TokenReview",
});
