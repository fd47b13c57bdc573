import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int64,
  kind,
  type ListAtomic,
  type Nullable,
  type OmitZero,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Requests a token for a service account, by a create request for the subresource `token` of the ServiceAccount. It is
 * never stored: the response contains the token in `status`.
 */
export interface TokenRequest extends Namespaced {
  /** Audiences, lifetime and bound object of the requested token. */
  spec: TokenRequestSpec;
  /** Issued token and its expiration time, set by the server. */
  status?: TokenRequestStatus & Always;
}

/** Properties of the requested service account token. */
export interface TokenRequestSpec {
  /**
   * Intended recipients of the token. A recipient must reject a token that does not contain its own identifier. If
   * empty, the audiences of the API server are used. A token for several audiences lets each recipient use it at the
   * others.
   */
  audiences: ListAtomic<string>;
  /**
   * Requested lifetime of the token in seconds, at least 600 and at most 2^32. The server may issue a token with
   * another lifetime; check `status.expirationTimestamp`.
   */
  expirationSeconds?: Int64 & Nullable & Default<3600>;
  /**
   * Object to which the token is bound. The token becomes invalid when the object is deleted. If unset, the token is
   * bound to the service account only.
   */
  boundObjectRef?: BoundObjectReference & Nullable;
}

/**
 * Refers to the object to which a service account token is bound: a Pod or Secret in the namespace of the service
 * account, or a Node. A Pod must run as the service account.
 */
export interface BoundObjectReference {
  /** Kind of the object: `Pod`, `Secret` or `Node`. */
  kind?: string & OmitZero;
  /** API version of the object. Must be of the core group, such as `v1`. */
  apiVersion?: string & OmitZero & Since<"1.21">;
  /** Name of the object. Required. */
  name?: string & OmitZero;
  /** UID of the object. If set and the existing object has another UID, the request fails with `409 Conflict`. */
  uid?: string & OmitZero;
}

/** Token issued for a TokenRequest. */
export interface TokenRequestStatus {
  /** Issued token, a signed JSON Web Token. It is returned once and not stored. */
  token: string;
  /** Time at which the token expires. */
  expirationTimestamp: Time;
}

export const tokenRequest = kind<TokenRequest>({ unserved: true, introduced: "1.10" });
