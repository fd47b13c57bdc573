import type { Bytes, Default, Int32, Open, Since } from "../../vocabulary.ts";

/** How the API server reaches a webhook. Exactly one of `url` and `service` must be set. */
export interface WebhookClientConfig {
  /**
   * URL of the webhook, `https` only, such as `https://hooks.example.com/review`. Must not contain user information, a
   * query or a fragment. Use `service` for a webhook that runs in the cluster. Exactly one of `url` and `service` must
   * be set.
   */
  url?: string;
  /**
   * Service through which the webhook is called. Use it for a webhook that runs in the cluster. Exactly one of `url`
   * and `service` must be set.
   */
  service?: ServiceReference;
  /**
   * Certificates of the authorities that the API server trusts for the TLS certificate of the webhook, as PEM,
   * base64-encoded in JSON and YAML. If unset, the certificate authorities of the API server's system are trusted.
   */
  caBundle?: Bytes;
}

/**
 * Refers to the Service through which a webhook is called. Its TLS certificate must be valid for
 * `<name>.<namespace>.svc`.
 */
export interface ServiceReference {
  /** Namespace of the Service. Required. */
  namespace: string;
  /** Name of the Service. Required. */
  name: string;
  /**
   * URL path of the webhook, such as `/validate`. Must begin with `/`; each segment must be a DNS subdomain. If unset,
   * the root path is used.
   */
  path?: string;
  /** Port of the Service, between 1 and 65535. The webhook must use HTTPS. */
  port?: Int32 & Default<443> & Since<"1.15">;
}

export type SideEffectClass = Open<
  /** It is not known whether calls have side effects. Dry-run requests are rejected. */
  | "Unknown"
  /** Calls have no side effects. */
  | "None"
  /** Calls may have side effects. Dry-run requests are rejected. */
  | "Some"
  /** Calls may have side effects, except if `dryRun` is `true` in the request. */
  | "NoneOnDryRun"
>;
