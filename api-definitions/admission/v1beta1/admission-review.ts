import type { UserInfo } from "../../authentication/v1/user-info.ts";
import type { GroupVersionKind, GroupVersionResource } from "../../meta/v1/names.ts";
import type { Status } from "../../meta/v1/status.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, type Bytes, kind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/** What an admission webhook is asked, and what it answers. */
export interface AdmissionReview extends TypeMeta {
  /** The question. */
  request?: AdmissionRequest;
  /** The answer. */
  response?: AdmissionResponse;
}

/** A request that is about to be carried out. */
export interface AdmissionRequest {
  /** Id of the question. */
  uid: string;
  /** Kind of the object, as the webhook is registered for it. */
  kind: GroupVersionKind;
  /** Resource of the request, as the webhook is registered for it. */
  resource: GroupVersionResource;
  /** Subresource of the request. */
  subResource?: string & OmitZero;
  /** Kind of the object, as the client sent it. */
  requestKind?: GroupVersionKind;
  /** Resource of the request, as the client sent it. */
  requestResource?: GroupVersionResource;
  /** Subresource of the request, as the client sent it. */
  requestSubResource?: string & OmitZero;
  /** Name of the object. */
  name?: string & OmitZero;
  /** Namespace of the request. */
  namespace?: string & OmitZero;
  /** What is being done. */
  operation: Operation;
  /** Who asks. */
  userInfo: UserInfo;
  /** The object as it would be stored. */
  object?: RawObject & Always;
  /** The object as it is stored. */
  oldObject?: RawObject & Always;
  /** Whether nothing will be stored in the end. */
  dryRun?: boolean;
  /** Options of the request. */
  options?: RawObject & Always;
}

export type Operation = Open<"CREATE" | "UPDATE" | "DELETE" | "CONNECT">;

/** What is to become of a request. */
export interface AdmissionResponse {
  /** Id of the question. */
  uid: string;
  /** Whether it may go on. */
  allowed: boolean;
  /** Why it may not. */
  status?: Status;
  /** Changes to the object. */
  patch?: Bytes;
  /** Format of the changes. */
  patchType?: PatchType;
  /** Notes for the audit log. */
  auditAnnotations?: Record<string, string>;
  /** Warnings for the client. */
  warnings?: string[];
}

export type PatchType = Open<"JSONPatch">;

export const admissionReview = kind<AdmissionReview>({
  unserved: true,
  introduced: "1.9",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "admission.<domain>/v1 AdmissionReview",
});
