import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type OmitZero, type Since } from "../../vocabulary.ts";
import type { UserInfo } from "./user-info.ts";

/**
 * Asks the server to authenticate a token. Servers that delegate authentication use it. It is never stored: a create
 * request returns it with `status`.
 */
export interface TokenReview extends ClusterScoped {
  /** Token to be authenticated and its required audiences. */
  spec: TokenReviewSpec;
  /** Result of the authentication, set by the server. */
  status?: TokenReviewStatus & Always;
}

/** Token to be authenticated. */
export interface TokenReviewSpec {
  /** Token to be authenticated, as in the `Authorization: Bearer` header. Required. */
  token?: string & OmitZero;
  /**
   * Identifiers of the server that received the token. The token is valid if it is intended for at least one of them.
   * If empty, the audiences of the API server are used.
   */
  audiences?: ListAtomic<string> & Since<"1.13">;
}

/** Result of the authentication of a token. */
export interface TokenReviewStatus {
  /** Whether the token is valid and belongs to a known user. Unset means `false`. */
  authenticated?: boolean & OmitZero;
  /** User to which the token belongs. Set only if `authenticated` is `true`. */
  user?: UserInfo & Always;
  /**
   * Audiences for which the token is valid, out of `spec.audiences`. A client that sent `spec.audiences` must check
   * that this list contains its own identifier, because a server that does not support audiences leaves it empty. Then
   * the token is valid for the audience of the API server only.
   */
  audiences?: ListAtomic<string> & Since<"1.13">;
  /** Message that explains why the token could not be authenticated. Empty if it was. */
  error?: string & OmitZero;
}

export const tokenReview = kind<TokenReview>({
  plural: "tokenreviews",
  virtual: true,
  verbs: ["create"],
  introduced: "1.6",
});
