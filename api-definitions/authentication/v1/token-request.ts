import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int64,
  kind,
  type ListAtomic,
  type Nullable,
  type OmitZero,
  type Time,
} from "../../vocabulary.ts";

/** Asks for a token of a service account. */
export interface TokenRequest extends Namespaced {
  /** What is asked for. */
  spec: TokenRequestSpec;
  /** What is the case, as last seen. */
  status?: TokenRequestStatus & Always;
}

/** What token is asked for. */
export interface TokenRequestSpec {
  /** Whom the token is meant for. */
  audiences: ListAtomic<string>;
  /** Seconds it should be valid. */
  expirationSeconds?: Int64 & Nullable & Default<3600>;
  /** Object with which it becomes invalid. */
  boundObjectRef?: BoundObjectReference & Nullable;
}

/** An object that a token is bound to. */
export interface BoundObjectReference {
  /** Its kind. */
  kind?: string & OmitZero;
  /** Group and version of its kind. */
  apiVersion?: string & OmitZero;
  /** Its name. */
  name?: string & OmitZero;
  /** Its uid. */
  uid?: string & OmitZero;
}

/** The token. */
export interface TokenRequestStatus {
  /** The token. */
  token: string;
  /** When it becomes invalid. */
  expirationTimestamp: Time;
}

export const tokenRequest = kind<TokenRequest>({ unserved: true, introduced: "1.10" });
