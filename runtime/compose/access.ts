import { createAuthorizer } from "../auth/authorize/create-authorizer.ts";
import { NodeAuthorizer } from "../auth/authorize/node/node-authorizer.ts";
import { NodeReferences } from "../auth/authorize/node/node-references.ts";
import { RbacAuthorizer } from "../auth/authorize/rbac-authorizer.ts";
import { RbacIndex } from "../auth/authorize/rbac-index.ts";
import type { Authorizer, RuleResolver } from "../contract/authorization.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectFeed } from "../contract/object-access.ts";

/** Who may do what, as the stored roles and bindings say. */
export interface Access {
  readonly authorizer: Authorizer & RuleResolver;
  readonly rbac: RbacIndex;
  /** Learns roles, bindings and what nodes need; resolves when it has. */
  follow(feed: ObjectFeed): Promise<() => void>;
}

export function createAccess(modes: readonly string[], naming: Naming): Access {
  const rbac = new RbacIndex(naming);
  const nodes = new NodeReferences(naming);
  return {
    rbac,
    authorizer: createAuthorizer(modes, {
      RBAC: new RbacAuthorizer(rbac),
      Node: new NodeAuthorizer(naming, nodes),
    }),
    async follow(feed) {
      const stops = await Promise.all([rbac.follow(feed), ...(modes.includes("Node") ? [nodes.follow(feed)] : [])]);
      return () => {
        for (const stop of stops) {
          stop();
        }
      };
    },
  };
}
