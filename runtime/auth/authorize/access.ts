import type { Naming } from "../../contract/naming.ts";
import type { ObjectFeed } from "../../contract/object-access.ts";
import { type AuthorizerEntry, type AuthorizerMember, createAuthorizer } from "./create-authorizer.ts";
import { NodeAuthorizer, type NodeAuthorizerOptions } from "./node/node-authorizer.ts";
import { NodeReferences } from "./node/node-references.ts";
import { RbacAuthorizer } from "./rbac-authorizer.ts";
import { RbacIndex } from "./rbac-index.ts";

/** Authorization by stored roles and bindings, and by webhooks. */
export interface Access {
  readonly authorizer: AuthorizerMember;
  readonly rbac: RbacIndex;
  /** Watches roles and bindings, and the references of nodes once a node sends a request; resolves when the roles are loaded. */
  follow(feed: ObjectFeed): Promise<() => void>;
  /** Replaces the authorizers. Throws an AuthorizationModeError, and changes nothing, if they are invalid. */
  change(entries: readonly AuthorizerEntry[]): void;
}

export function createAccess(
  entries: readonly AuthorizerEntry[],
  naming: Naming,
  nodeOptions: NodeAuthorizerOptions,
): Access {
  const rbac = new RbacIndex(naming);
  const nodes = new NodeReferences(naming);
  const members = { RBAC: new RbacAuthorizer(rbac), Node: new NodeAuthorizer(naming, nodes, nodeOptions) };
  let current = createAuthorizer(entries, members);
  return {
    rbac,
    authorizer: {
      authorize: (asked) => current.authorize(asked),
      rulesFor: (user, namespace) => current.rulesFor(user, namespace),
    },
    change(next) {
      current = createAuthorizer(next, members);
    },
    async follow(feed) {
      const forget = nodes.use(feed);
      const stop = await rbac.follow(feed);
      return () => {
        stop();
        forget();
      };
    },
  };
}
