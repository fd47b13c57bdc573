import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Always, kind, type ListAtomic, type Message, type OmitZero, type Since } from "../../vocabulary.ts";

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

/** Identifies an authenticated user. */
export interface UserInfo {
  /**
   * Name of the user, unique among active users, such as `jane@example.com` or `system:serviceaccount:default:robot`.
   */
  username?: string & OmitZero;
  /**
   * Identifier that distinguishes the user from earlier or later users of the same name. Empty if the authenticator
   * provides none.
   */
  uid?: string & OmitZero;
  /** Names of the groups to which the user belongs, such as `system:authenticated`. */
  groups?: ListAtomic<string>;
  /**
   * Additional attributes that the authenticator provides, such as the bound pod of a service account token. Keys are
   * usually prefixed with a domain.
   */
  extra?: Record<string, ExtraValue>;
}

/** Values of one extra attribute of a user. */
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
