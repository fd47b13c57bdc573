import type { ApiObject } from "./api-object.ts";
import type { UserInfo } from "./user-info.ts";

/** A create request for a kind that is not stored. The object is already decoded, defaulted and prepared. */
export interface VirtualRequest {
  readonly object: ApiObject;
  readonly user: UserInfo;
  /** `""` for cluster-scoped kinds. */
  readonly namespace: string;
  /** Name of the parent for a subresource (`serviceaccounts/robot/token`), otherwise of the object, or `""`. */
  readonly name: string;
  warn(message: string): void;
  /** Adds an annotation to the audit event. */
  annotate(key: string, value: string): void;
  /** Runs validating admission. Call it when the object is known to be valid. */
  admit(object: ApiObject): Promise<void>;
}

/** Returns the complete object, in the version of the request. Failures are StatusErrors. */
export type VirtualKind = (request: VirtualRequest) => Promise<ApiObject>;
