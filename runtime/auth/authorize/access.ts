import type { Naming } from "../../contract/naming.ts";
import type { ObjectFeed } from "../../contract/object-access.ts";
import type { AuthorizerMetrics } from "../../metrics/authorizer-metrics.ts";
import { type AuthorizerEntry, type AuthorizerMember, createAuthorizer, type Decided } from "./create-authorizer.ts";
import type { NodeAuthorizerOptions } from "./node/node-authorizer.ts";
import { RbacAuthorizer } from "./rbac-authorizer.ts";
import { RbacIndex } from "./rbac-index.ts";

/** Authorization of requests by the configured authorizers. */
export interface Access {
  readonly authorizer: AuthorizerMember;
  readonly rbac: RbacIndex;
  readonly metrics: AuthorizerMetrics;
  /** Watches roles and bindings; references of nodes only from the first request of a node. Resolves when the roles are loaded. */
  follow(feed: ObjectFeed): Promise<() => void>;
  /** Replaces the authorizers. Throws an AuthorizationModeError and changes nothing if they are invalid. */
  change(entries: readonly AuthorizerEntry[]): void;
}

export async function createAccess(
  entries: readonly AuthorizerEntry[],
  naming: Naming,
  nodeOptions: NodeAuthorizerOptions & { readonly servesNodes: boolean },
  metrics: AuthorizerMetrics,
): Promise<Access> {
  const rbac = new RbacIndex(naming);
  const hasNodes = entries.includes("Node") && nodeOptions.servesNodes;
  const node = hasNodes ? await loadNodeAuthorizer(naming, nodeOptions) : undefined;
  const members = { RBAC: new RbacAuthorizer(rbac), Node: node?.authorizer ?? withoutOpinion };
  const decided: Decided = ({ type, name }, decision) => metrics.decisions.add(1, type, name, decision);
  let current = createAuthorizer(entries, members, decided);
  return {
    rbac,
    metrics,
    authorizer: {
      authorize: (asked) => current.authorize(asked),
      rulesFor: (user, namespace) => current.rulesFor(user, namespace),
    },
    change(next) {
      current = createAuthorizer(next, members, decided);
    },
    async follow(feed) {
      const forget = node?.references.use(feed);
      const stop = await rbac.follow(feed);
      return () => {
        stop();
        forget?.();
      };
    },
  };
}

/** Authorizer of mode Node in a server that does not serve nodes. */
const withoutOpinion: AuthorizerMember = {
  authorize: () => ({ decision: "noOpinion", reason: "" }),
  rulesFor: () => ({ rules: [], incomplete: false }),
};

/** The modules are loaded only by servers with mode Node. */
async function loadNodeAuthorizer(naming: Naming, options: NodeAuthorizerOptions) {
  const [{ NodeAuthorizer }, { NodeReferences }] = await Promise.all([
    import("./node/node-authorizer.ts"),
    import("./node/node-references.ts"),
  ]);
  const references = new NodeReferences(naming);
  return { references, authorizer: new NodeAuthorizer(naming, references, options) };
}
