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

export interface APIServiceSpec {
  service?: ServiceReference;
  group?: string & OmitZero;
  version?: string & OmitZero;
  insecureSkipTLSVerify?: boolean & OmitZero;
  caBundle?: Bytes & AtomicLabel;
  groupPriorityMinimum: Int32;
  versionPriority: Int32;
}

export interface ServiceReference {
  namespace?: string & OmitZero;
  name?: string & OmitZero;
  port?: Int32 & Default<443>;
}

export interface APIServiceStatus {
  conditions?: ListMap<APIServiceCondition, "type"> & PatchMerge<"type">;
}

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
  categories: ["api-extensions"],
  introduced: "1.10",
  storedAs: "apiregistration.<domain>/apiservices",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Service", type: "string", description: "Service that serves it." },
    { name: "Available", type: "string", description: "Whether it can be reached." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "How long ago the object was created.",
    },
  ],
});
