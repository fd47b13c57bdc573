import type { ObjectReader, ObjectWriter } from "../../contract/object-access.ts";
import type { VirtualKind } from "../../contract/virtual-kind.ts";
import type { NodeSettings } from "../../nodes/connection-target.ts";
import type { Schemas } from "../../schema/type-schema.ts";
import type { WriteContext } from "../write-context.ts";

/** Dependencies of handlers of subresources. */
export interface SubresourceContext extends WriteContext {
  readonly schemas: Schemas;
  /** Issues tokens of service accounts. */
  readonly issueToken: VirtualKind;
  /** Access to disruption budgets, which evictions check. */
  readonly objects: ObjectReader & ObjectWriter;
  /** How to find kubelets; undefined if this server does not connect to nodes. */
  readonly nodes?: NodeSettings | undefined;
}
