import type { AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { Amounts } from "../../values/amounts.ts";
import type { ScopeRules } from "./scopes.ts";

/** How objects of one resource count against quotas. */
export interface UsageRules extends ScopeRules {
  /** Whether a request can change the usage. */
  handles(request: AdmissionRequest): boolean;
  /** Whether a resource name in a quota applies to this resource. */
  concerns(name: string): boolean;
  usage(object: ApiObject): Amounts;
  /** Whether updates can change the usage of an object. */
  readonly changes?: true;
  /** Returns an error message if the object lacks fields that are required to count it. */
  missing?(object: ApiObject, names: readonly string[]): string | undefined;
}
