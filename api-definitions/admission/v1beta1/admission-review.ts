import type { UserInfo } from "../../authentication/v1/user-info.ts";
import type { GroupVersionKind, GroupVersionResource } from "../../meta/v1/names.ts";
import type { Status } from "../../meta/v1/status.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, type Bytes, kind, type OmitZero, type Open, type RawObject } from "../../vocabulary.ts";

/** What an admission webhook is asked, and what it answers. */
export interface AdmissionReview extends TypeMeta {
  request?: AdmissionRequest;
  response?: AdmissionResponse;
}

export interface AdmissionRequest {
  uid: string;
  kind: GroupVersionKind;
  resource: GroupVersionResource;
  subResource?: string & OmitZero;
  requestKind?: GroupVersionKind;
  requestResource?: GroupVersionResource;
  requestSubResource?: string & OmitZero;
  name?: string & OmitZero;
  namespace?: string & OmitZero;
  operation: Operation;
  userInfo: UserInfo;
  object?: RawObject & Always;
  oldObject?: RawObject & Always;
  dryRun?: boolean;
  options?: RawObject & Always;
}

export type Operation = Open<"CREATE" | "UPDATE" | "DELETE" | "CONNECT">;

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: Status;
  patch?: Bytes;
  patchType?: PatchType;
  auditAnnotations?: Record<string, string>;
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
