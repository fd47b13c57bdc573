import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  PolicyRule,
  ResourceAccess,
  RuleResolver,
  RulesAnswer,
} from "../../../contract/authorization.ts";
import { isResourceAccess } from "../../../contract/authorization.ts";
import type { Naming } from "../../../contract/naming.ts";
import type { UserInfo } from "../../../contract/user-info.ts";
import { clusterRoles } from "../default-policy/cluster-roles.ts";
import { withGatedRules } from "../default-policy/gated-rules.ts";
import { parseRule } from "../default-policy/policy-grammar.ts";
import { ruleAllows } from "../rule-matching.ts";
import type { NodeReferences } from "./node-references.ts";

const PREFIX = "system:node:";
const ALLOW: AccessDecision = { decision: "allow", reason: "" };
const no = (reason: string): AccessDecision => ({ decision: "noOpinion", reason });

export interface NodeAuthorizerOptions {
  /** Gate `AuthorizeNodeWithSelectors`: if disabled, a node may read all nodes, pods and resource slices. Defaults to true. */
  readonly narrowsReads?: boolean;
  /** Gate `KubeletServiceAccountTokenForCredentialProviders`: a node may read the service accounts of its pods. */
  readonly readsServiceAccounts?: boolean;
  /** Whether a feature gate is enabled: some gates add rules to the role `system:node`. All are disabled by default. */
  readonly featureEnabled?: (gate: string) => boolean;
}

/**
 * `--authorization-mode=Node`: authorizes kubelets (`system:node:<name>` in `system:nodes`) for their own node, its pods, and the objects to which
 * those pods refer. Other requests are authorized by the rules of the role `system:node`.
 */
export class NodeAuthorizer implements Authorizer, RuleResolver {
  readonly #references: NodeReferences;
  readonly #rules: readonly PolicyRule[];
  readonly #special: Map<string, (node: string, asked: ResourceAccess) => AccessDecision>;

  constructor(naming: Naming, references: NodeReferences, options: NodeAuthorizerOptions = {}) {
    const { narrowsReads = true, readsServiceAccounts = false, featureEnabled = () => false } = options;
    const roles = withGatedRules({ clusterRoles, controllerRoles: {}, clusterRoleBindings: {} }, featureEnabled);
    this.#references = references;
    this.#rules = (roles.clusterRoles["system:node"] ?? []).map((line) => parseRule(line, naming));
    const reads = (node: string, asked: ResourceAccess) => this.#readNamespaced(node, asked);
    const gets = (node: string, asked: ResourceAccess) => this.#getOne(node, asked);
    this.#special = new Map([
      ["/secrets", reads],
      ["/configmaps", reads],
      ["/persistentvolumes", gets],
      [`${naming.group("storage")}/volumeattachments`, gets],
      [`${naming.group("resource")}/resourceclaims`, gets],
      ["/persistentvolumeclaims", (node, asked) => this.#claim(node, asked)],
      ["/serviceaccounts", (node, asked) => this.#account(node, asked, readsServiceAccounts)],
      [`${naming.group("coordination")}/leases`, ownLease],
      [`${naming.group("storage")}/csinodes`, ownCsiNode],
      [`${naming.group("resource")}/resourceslices`, (node, asked) => this.#slice(node, asked, narrowsReads)],
    ]);
    if (narrowsReads) {
      this.#special.set("/nodes", ownNode);
      this.#special.set("/pods", (node, asked) => this.#pod(node, asked));
    }
  }

  /** Asynchronous only until the references are loaded. */
  authorize(asked: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const { name, groups } = asked.user;
    if (!name.startsWith(PREFIX) || !groups.includes("system:nodes")) return no("");
    const node = name.slice(PREFIX.length);
    if (node === "") return no(`unknown node for user "${name}"`);
    const special = isResourceAccess(asked) ? this.#special.get(`${asked.group}/${asked.resource}`) : undefined;
    if (special !== undefined) {
      if (this.#references.loaded) return special(node, asked as ResourceAccess);
      return this.#references.load().then(() => special(node, asked as ResourceAccess));
    }
    return this.#rules.some((rule) => ruleAllows(rule, asked)) ? ALLOW : no("");
  }

  rulesFor({ name, groups }: UserInfo): RulesAnswer {
    if (!name.startsWith(PREFIX) || !groups.includes("system:nodes")) return { rules: [], incomplete: false };
    return { rules: [], incomplete: true, error: "node authorizer does not support user rule resolution" };
  }

  #related(node: string, { resource, namespace, name }: ResourceAccess): AccessDecision {
    if (name === "") return no("No Object name found");
    return this.#references.reaches(node, resource, namespace, name)
      ? ALLOW
      : no(`no relationship found between node '${node}' and this object`);
  }

  #readNamespaced(node: string, asked: ResourceAccess): AccessDecision {
    if (!["get", "list", "watch"].includes(asked.verb)) return no("can only read resources of this type");
    if (asked.subresource !== "") return no("cannot read subresource");
    if (asked.namespace === "") return no("can only read namespaced object of this type");
    return this.#related(node, asked);
  }

  #getOne(node: string, asked: ResourceAccess): AccessDecision {
    if (asked.verb !== "get") return no("can only get individual resources of this type");
    if (asked.subresource !== "") return no("cannot get subresource");
    return this.#related(node, asked);
  }

  #claim(node: string, asked: ResourceAccess): AccessDecision {
    if (asked.subresource !== "status") return this.#getOne(node, asked);
    if (asked.verb !== "update" && asked.verb !== "patch") return no("can only get/update/patch this type");
    return this.#related(node, asked);
  }

  #account(node: string, asked: ResourceAccess, mayRead: boolean): AccessDecision {
    if (asked.verb === "get" && asked.subresource === "")
      return mayRead ? this.#readNamespaced(node, asked) : no("not allowed to get service accounts");
    if (asked.verb !== "create" || asked.name === "")
      return no("can only create tokens for individual service accounts");
    if (asked.subresource !== "token") return no("can only create token subresource of serviceaccount");
    return this.#related(node, asked);
  }

  #slice(node: string, asked: ResourceAccess, narrowsReads: boolean): AccessDecision {
    if (asked.subresource !== "") return no("cannot authorize ResourceSlice subresources");
    switch (asked.verb) {
      case "create":
        // Admission verifies the node name in the slice.
        return ALLOW;
      case "get":
      case "update":
      case "patch":
      case "delete":
        return this.#related(node, asked);
      case "list":
      case "watch":
      case "deletecollection":
        if (!narrowsReads || isNarrowedTo(asked, "spec.nodeName", node)) return ALLOW;
        return no("can only list/watch/deletecollection resourceslices with nodeName field selector");
    }
    return no(
      "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
    );
  }

  #pod(node: string, asked: ResourceAccess): AccessDecision {
    const { subresource, verb, name } = asked;
    // Admission verifies that the pods belong to the node.
    if (POD_WRITES.has(`${subresource}/${verb}`)) return ALLOW;
    if (subresource !== "") return no("");
    if (verb === "get") return this.#getOne(node, asked);
    if (verb !== "list" && verb !== "watch") return no("");
    if (isNarrowedTo(asked, "spec.nodeName", node)) return ALLOW;
    if (name !== "") return this.#related(node, asked);
    return no("can only list/watch pods with spec.nodeName field selector");
  }
}

const POD_WRITES: ReadonlySet<string> = new Set([
  "/create",
  "/delete",
  "status/update",
  "status/patch",
  "eviction/create",
]);

function isNarrowedTo({ fieldSelector = [] }: ResourceAccess, wanted: string, node: string): boolean {
  return fieldSelector.some(({ field, equal, value }) => field === wanted && equal && value === node);
}

function ownNode(node: string, { subresource, verb, name }: ResourceAccess): AccessDecision {
  if (subresource === "status") return verb === "update" || verb === "patch" ? ALLOW : no("");
  if (subresource !== "") return no("");
  if (["create", "update", "patch"].includes(verb)) return ALLOW;
  if (!["get", "list", "watch"].includes(verb)) return no("");
  if (name === node) return ALLOW;
  return no(
    name === ""
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

const OWN_VERBS = ["get", "create", "update", "patch", "delete"];

function ownLease(node: string, { verb, namespace, name }: ResourceAccess): AccessDecision {
  if (!OWN_VERBS.includes(verb)) return no("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease") return no('can only access leases in the "kube-node-lease" system namespace');
  if (verb !== "create" && name !== node)
    return no("can only access node lease with the same name as the requesting node");
  return ALLOW;
}

function ownCsiNode(node: string, { verb, subresource, name }: ResourceAccess): AccessDecision {
  if (!OWN_VERBS.includes(verb)) return no("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return no("cannot authorize CSINode subresources");
  if (verb !== "create" && name !== node)
    return no("can only access CSINode with the same name as the requesting node");
  return ALLOW;
}
