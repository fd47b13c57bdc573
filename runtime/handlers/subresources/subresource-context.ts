import type { ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import type { WriteContext } from "../write-context.ts";

/** What handlers of subresources are given once. */
export interface SubresourceContext extends WriteContext {
  readonly schemas: Schemas;
  /** Signs tokens of service accounts. */
  readonly issueToken: VirtualKind;
  /** Disruption budgets, which evictions ask. */
  readonly objects: ObjectReader & ObjectWriter;
}
