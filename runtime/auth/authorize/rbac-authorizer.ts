import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  PolicyRule,
  RuleResolver,
  RulesAnswer,
} from "../../contract/authorization.ts";
import { isResourceAccess } from "../../contract/authorization.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";
import type { AppliedBinding, RbacIndex } from "./rbac-index.ts";
import { ruleAllows } from "./rule-matching.ts";

/** Maximum number of rules listed for a user. A role is listed once for each binding that refers to it. */
const MOST_RULES = 100_000;

/** Allows requests that a bound role allows; has no opinion on others. Synchronous. */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #index: RbacIndex;

  constructor(index: RbacIndex) {
    this.#index = index;
  }

  authorize(asked: AccessAttributes): AccessDecision {
    const namespace = isResourceAccess(asked) ? asked.namespace : "";
    const problems: string[] = [];
    const checked = new Set<readonly PolicyRule[]>();
    for (const applied of this.#index.bindingsFor(asked.user, namespace)) {
      const rules = this.#index.rulesOf(applied.binding.roleRef, applied.binding.metadata.namespace ?? "");
      if (typeof rules === "string") {
        problems.push(rules);
      } else if (!checked.has(rules)) {
        checked.add(rules);
        if (rules.some((rule) => ruleAllows(rule, asked)))
          return { decision: "allow", reason: `RBAC: allowed by ${describeBinding(applied)}` };
      }
    }
    const reason = problems.length === 0 ? "" : `RBAC: ${aggregateMessages(problems)}`;
    return { decision: "noOpinion", reason };
  }

  rulesFor(user: UserInfo, namespace: string): RulesAnswer {
    return rulesHeld(rolesHeld(this.#index, user, namespace));
  }
}

/** For each binding of a user, yields the rules of its role, or an error message if the role does not exist. */
function* rolesHeld(
  index: RbacIndex,
  user: UserInfo,
  namespace: string,
  resource?: string,
): Generator<readonly PolicyRule[] | string> {
  for (const { binding } of index.bindingsFor(user, namespace))
    yield index.rulesOf(binding.roleRef, binding.metadata.namespace ?? "", resource);
}

/** Returns the rules of a user's roles, each role once. Messages about missing roles name `resource`, like those of a store. */
export function distinctRulesHeld(index: RbacIndex, user: UserInfo, namespace: string, resource: string): RulesAnswer {
  return rulesHeld(new Set(rolesHeld(index, user, namespace, resource)), Number.POSITIVE_INFINITY);
}

function rulesHeld(roles: Iterable<readonly PolicyRule[] | string>, most = MOST_RULES): RulesAnswer {
  const rules: PolicyRule[] = [];
  const problems: string[] = [];
  let incomplete = false;
  for (const role of roles) {
    if (typeof role === "string") problems.push(role);
    else if (rules.length + role.length > most) incomplete = true;
    else for (const rule of role) rules.push(rule);
  }
  if (problems.length === 0) return { rules, incomplete };
  return { rules, incomplete, error: aggregateMessages(problems) };
}

/** `RoleBinding "readers/web" of Role "reader" to ServiceAccount "robot/web"`: as in Kubernetes, the namespace is last. */
function describeBinding({ binding, subject }: AppliedBinding): string {
  const namespace = binding.metadata.namespace ?? "";
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const name = namespace === "" ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const who = subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${kind} "${name}" of ${binding.roleRef.kind} "${binding.roleRef.name}" to ${subject.kind} "${who}"`;
}
