import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicLabel,
  type Bytes,
  type Default,
  type Int32,
  kind,
  type ListMap,
  type OmitZero,
  type Open,
  type PatchMerge,
  type Time,
} from "../../vocabulary.ts";

/**
 * Registers one version of an API group and the server that serves it. Create one to have requests for
 * `/apis/<group>/<version>` proxied to an extension API server in the cluster; the API server creates those of its own
 * groups and of custom kinds by itself. The name must be `<version>.<group>`.
 */
export interface APIService extends ClusterScoped {
  /** Desired state of the APIService: group, version, server and priorities. */
  spec?: APIServiceSpec & Always;
  /** Observed state of the APIService, set by the API server: whether the server is available. */
  status?: APIServiceStatus & Always;
}

/** Version of an API group, the server that serves it, and its rank in discovery. */
export interface APIServiceSpec {
  /**
   * Service of the extension API server to which requests are proxied over HTTPS. Unset if this API server serves the
   * version itself.
   */
  service?: ServiceReference;
  /** API group, such as `metrics.example.com`. Must be a DNS subdomain. May be empty only for `v1`, the core group. */
  group?: string & OmitZero;
  /** Version of the group, such as `v1beta1`. Must be a DNS label (RFC 1035). */
  version?: string & OmitZero;
  /**
   * Whether the certificate of the extension API server is accepted without verification. Unsafe: anyone on the network
   * path can read and change the traffic. Excludes `caBundle`; not allowed without `service`. Defaults to `false`.
   */
  insecureSkipTLSVerify?: boolean & OmitZero;
  /**
   * PEM-encoded CA certificates that verify the certificate of the extension API server, which must be valid for
   * `<name>.<namespace>.svc`. Defaults to the system's CA certificates. Not allowed without `service`, nor with
   * `insecureSkipTLSVerify`.
   */
  caBundle?: Bytes & AtomicLabel;
  /**
   * Rank of the group in discovery, from 1 to 20000. Groups are listed by the highest value among their versions,
   * highest first, then by name; kubectl resolves a short or ambiguous resource name to the first group that has it.
   * Use around 2000 for extensions.
   */
  groupPriorityMinimum: Int32;
  /**
   * Rank of the version in its group, from 1 to 1000. The version with the highest value is preferred; versions with
   * equal values are ordered by name: stable before beta before alpha, higher numbers first.
   */
  versionPriority: Int32;
}

/** Service of the cluster behind which an extension API server runs. */
export interface ServiceReference {
  /** Namespace of the Service. Required. */
  namespace?: string & OmitZero;
  /** Name of the Service. Required. */
  name?: string & OmitZero;
  /** Port of the Service that serves HTTPS. Must be between 1 and 65535. */
  port?: Int32 & Default<443>;
}

/** Observed state of an APIService. */
export interface APIServiceStatus {
  /** Conditions of the APIService, set by the API server. */
  conditions?: ListMap<APIServiceCondition, "type"> & PatchMerge<"type">;
}

/** Condition of an APIService. */
export interface APIServiceCondition {
  /** Type of the condition, such as `Available`. */
  type: APIServiceConditionType;
  /** Status of the condition: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** Time at which `status` last changed. */
  lastTransitionTime?: Time & Always;
  /** Machine-readable reason of the last transition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the last transition. */
  message?: string & OmitZero;
}

export type APIServiceConditionType = Open<
  /**
   * The Service exists, has endpoints, and the server answers discovery requests. Requests for the version fail with
   * 503 while it is not `True`.
   */
  "Available"
>;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const apiService = kind<APIService>({
  plural: "apiservices",
  generation: false,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.10",
  storedAs: "apiregistration.<domain>/apiservices",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the APIService." },
    {
      name: "Service",
      type: "string",
      description: "Service of the extension API server as `<namespace>/<name>`, or `Local`.",
    },
    {
      name: "Available",
      type: "string",
      description: "Whether the server is available, with the reason if it is not.",
    },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the APIService was created.",
    },
  ],
});
