import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Bytes,
  type Default,
  type Immutable,
  kind,
  type OmitZero,
  type Open,
  type Since,
} from "../../vocabulary.ts";

/**
 * Small confidential data such as passwords, tokens and keys, which pods read as files or environment variables. Values
 * are encoded in base64, not encrypted: anyone who may read the Secret can read them. Use a ConfigMap for data that is
 * not confidential.
 */
export interface Secret extends Namespaced {
  /**
   * Whether `data` can no longer be changed. `true` cannot be taken back, and saves the watches that kubelets have on
   * the Secret; delete and recreate the Secret to change it. Unset means `false`.
   */
  immutable?: boolean & Since<"1.18">;
  /**
   * Confidential values by key, encoded in base64. Keys consist of letters, digits, `-`, `_` and `.`, up to 253
   * characters. All values together may have at most 1 MiB. Some types require certain keys.
   */
  data?: Record<string, Bytes>;
  /**
   * Confidential values by key as plain strings, for convenience when you write a Secret. The server merges them into
   * `data`, where they replace equal keys, and never returns this field.
   */
  stringData?: Record<string, string>;
  /**
   * Purpose of the Secret, which tells programs what keys to expect. Types that are not listed are accepted without
   * checks.
   */
  type?: SecretType & OmitZero & Default<"Opaque"> & Immutable;
}

export type SecretType = Open<
  /** Arbitrary data. */
  | "Opaque"
  /**
   * Token of a service account, filled in by the token controller. Requires the annotation
   * `kubernetes.io/service-account.name`.
   */
  | "kubernetes.io/service-account-token"
  /** Credentials of image registries in the old format. Requires the key `.dockercfg` with a JSON object. */
  | "kubernetes.io/dockercfg"
  /** Credentials of image registries. Requires the key `.dockerconfigjson` with a JSON object. */
  | "kubernetes.io/dockerconfigjson"
  /** Credentials of HTTP basic authentication. Requires the key `username` or `password`. */
  | "kubernetes.io/basic-auth"
  /** SSH credentials. Requires the key `ssh-privatekey`. */
  | "kubernetes.io/ssh-auth"
  /** Certificate and private key for TLS, in PEM. Requires the keys `tls.crt` and `tls.key`. */
  | "kubernetes.io/tls"
  /** Bootstrap token with which a new node joins the cluster. */
  | "bootstrap.kubernetes.io/token"
>;

export const secret = kind<Secret>({
  plural: "secrets",
  introduced: "1.0",
  selectableFields: ["type"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Type", type: "string", path: ".type", description: "Purpose of the data." },
    { name: "Data", type: "string", description: "Number of entries in `data`." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
