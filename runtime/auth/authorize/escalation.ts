import { isDeepStrictEqual } from "node:util";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { Authorizer, PolicyRule } from "../../contract/authorization.ts";
import type { Naming } from "../../contract/naming.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { goQuote, goQuoteList } from "../../go/quote.ts";
import { inTurnsIfLong } from "../../lib/in-turns.ts";
import { forbidden, notFound, plainFailure } from "../../values/status-errors.ts";
import { distinctRulesHeld } from "./rbac-authorizer.ts";
import type { RbacIndex } from "./rbac-index.ts";
import type { BindingObject, RoleObject } from "./rbac-objects.ts";
import { describeRules, uncoveredRules } from "./rule-coverage.ts";

const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/**
 * Prevents privilege escalation. A user who writes a role must hold its rules or have the verb `escalate`. A user who writes a binding must hold the
 * rules of its role or have the verb `bind` on it. Called for creates and updates after mutating admission and before the object is validated. Other
 * resources pass.
 */
export class EscalationGuard implements AdmissionPlugin {
  readonly name = "RBACEscalation";
  readonly operations: AdmissionPlugin["operations"] = new Set(["CREATE", "UPDATE"] as const);
  readonly #naming: Naming;
  readonly #index: RbacIndex;
  readonly #authorizer: Authorizer;

  constructor(parts: { naming: Naming; index: RbacIndex; authorizer: Authorizer }) {
    this.#naming = parts.naming;
    this.#index = parts.index;
    this.#authorizer = parts.authorizer;
  }

  async mutate(request: AdmissionRequest): Promise<void> {
    const { resource, user, object } = request;
    if (resource.group !== this.#naming.group("rbac.authorization") || object === undefined) return;
    if (request.operation !== "CREATE" && request.operation !== "UPDATE") return;
    if (user.groups.includes("system:masters")) return;
    if (request.oldObject !== undefined && onlyCollectionFieldsDiffer(object, request.oldObject)) return;
    if (resource.resource === "roles" || resource.resource === "clusterroles") await this.#checkRole(request, object);
    else if (resource.resource === "rolebindings" || resource.resource === "clusterrolebindings")
      await this.#checkBinding(request, object as BindingObject);
  }

  async #checkRole(request: AdmissionRequest, role: RoleObject): Promise<void> {
    const { resource, user, namespace } = request;
    const pathName = request.isUnnamed === true ? "" : request.name;
    if (await this.#may(user, "escalate", resource.group, resource.resource, namespace, pathName)) return;
    const name = role.metadata.name ?? "";
    const problem = await this.#escalation(request, role.rules ?? []);
    if (problem !== undefined) throw forbidden(resource, name, problem);
    const aggregates = [role, request.oldObject as RoleObject | undefined].some(
      (each) => (each?.aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0,
    );
    if (aggregates && (await this.#escalation(request, FULL_AUTHORITY)) !== undefined)
      throw forbidden(resource, name, "must have cluster-admin privileges to use the aggregationRule");
  }

  async #checkBinding(request: AdmissionRequest, binding: BindingObject): Promise<void> {
    const { resource, user, namespace } = request;
    const { kind, name, apiGroup } = binding.roleRef;
    const bound = kind === "ClusterRole" ? "clusterroles" : kind === "Role" ? "roles" : undefined;
    if (bound !== undefined && (await this.#may(user, "bind", apiGroup, bound, namespace, name))) return;
    const rules = this.#index.rulesOf(binding.roleRef, namespace);
    if (typeof rules === "string") {
      if (bound === undefined) throw plainFailure(rules);
      // As in Kubernetes, the message names the resource of the binding instead of the resource of the missing role.
      throw notFound(resource, name);
    }
    const problem = await this.#escalation(request, rules);
    if (problem !== undefined) throw forbidden(resource, binding.metadata.name ?? "", problem);
  }

  async #may(user: UserInfo, verb: string, group: string, resource: string, namespace: string, name: string) {
    const asked = { user, verb, group, version: "*", resource, subresource: "", namespace, name };
    return (await this.#authorizer.authorize(asked)).decision === "allow";
  }

  /** Returns the error message if granting these rules would be an escalation, otherwise undefined. */
  async #escalation(
    { user, namespace, resource }: AdmissionRequest,
    wanted: readonly PolicyRule[],
  ): Promise<string | undefined> {
    const held = distinctRulesHeld(this.#index, user, namespace, resource.resource);
    const { rules: missing, isComplete } = await inTurnsIfLong(uncoveredRules(held.rules, wanted));
    if (missing.length === 0 && isComplete) return undefined;
    const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
    const message =
      missing.length > 0
        ? `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing)}`
        : `${who} is attempting to grant more combinations of verbs, API groups, resources and names than can be compared with the RBAC permissions currently held`;
    return held.error === undefined ? message : `${message}; resolution errors: [${held.error}]`;
  }
}

/**
 * Whether only fields differ that the garbage collector changes. It must be able to remove owners and finalizers of roles whose rules it does not
 * hold.
 */
function onlyCollectionFieldsDiffer(object: ApiObject, old: ApiObject): boolean {
  const { ownerReferences, finalizers, managedFields } = old.metadata;
  const likened = { ...object, metadata: { ...object.metadata, ownerReferences, finalizers, managedFields } };
  return isDeepStrictEqual(definedOnly(likened), definedOnly(old));
}

function definedOnly(object: ApiObject): ApiObject {
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([, value]) => value !== undefined));
  return { ...object, metadata };
}
