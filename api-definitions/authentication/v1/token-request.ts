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

export interface TokenRequestSpec {
  audiences: ListAtomic<string>;
  expirationSeconds?: Int64 & Nullable & Default<3600>;
  boundObjectRef?: BoundObjectReference & Nullable;
}

export interface BoundObjectReference {
  kind?: string & OmitZero;
  apiVersion?: string & OmitZero;
  name?: string & OmitZero;
  uid?: string & OmitZero;
}

export interface TokenRequestStatus {
  token: string;
  expirationTimestamp: Time;
}

export const tokenRequest = kind<TokenRequest>({ unserved: true, introduced: "1.10" });
