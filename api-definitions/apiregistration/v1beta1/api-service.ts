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

/** A group and version of the API, and the server that serves it. */
export interface APIService extends ClusterScoped {
  /** What is asked for. */
  spec?: APIServiceSpec & Always;
  /** What is the case, as last seen. */
  status?: APIServiceStatus & Always;
}

/** What is served by whom, and how it ranks. */
export interface APIServiceSpec {
  /** Service of the server; this server itself when unset. */
  service?: ServiceReference;
  /** The group. */
  group?: string & OmitZero;
  /** The version. */
  version?: string & OmitZero;
  /** Does not check the server's certificate. */
  insecureSkipTLSVerify?: boolean & OmitZero;
  /** Certificates to trust, in PEM. */
  caBundle?: Bytes & AtomicLabel;
  /** How high the group ranks among groups. */
  groupPriorityMinimum: Int32;
  /** How high the version ranks in its group. */
  versionPriority: Int32;
}

/** A service of the cluster. */
export interface ServiceReference {
  /** Its namespace. */
  namespace?: string & OmitZero;
  /** Its name. */
  name?: string & OmitZero;
  /** Its port. */
  port?: Int32 & Default<443>;
}

/** Whether the server can be reached. */
export interface APIServiceStatus {
  /** Findings about it. */
  conditions?: ListMap<APIServiceCondition, "type"> & PatchMerge<"type">;
}

/** One finding about an object. */
export interface APIServiceCondition {
  /** What the finding is about. */
  type: APIServiceConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
}

export type APIServiceConditionType = Open<"Available">;

export type ConditionStatus = Open<"True" | "False" | "Unknown">;

export const apiService = kind<APIService>({
  plural: "apiservices",
  generation: false,
  conditionalUpdate: true,
  categories: ["api-extensions"],
  introduced: "1.7",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "apiregistration.<domain>/v1 APIService",
  storedAs: "apiregistration.<domain>/apiservices",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Service", type: "string", description: "Service that serves it." },
    { name: "Available", type: "string", description: "Whether it can be reached." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
