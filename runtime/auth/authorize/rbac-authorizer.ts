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
import { aggregateMessages } from "./aggregate-messages.ts";
import type { AppliedBinding, RbacIndex } from "./rbac-index.ts";
import { ruleAllows } from "./rule-matching.ts";

/** Allows what a bound role allows; has no opinion otherwise. Synchronous. */
export class RbacAuthorizer implements Authorizer, RuleResolver {
  readonly #index: RbacIndex;

  constructor(index: RbacIndex) {
    this.#index = index;
  }

  authorize(asked: AccessAttributes): AccessDecision {
    const namespace = isResourceAccess(asked) ? asked.namespace : "";
    const problems: string[] = [];
    for (const applied of this.#index.bindingsFor(asked.user, namespace)) {
      const rules = this.#index.rulesOf(applied.binding.roleRef, applied.binding.metadata.namespace ?? "");
      if (typeof rules === "string") problems.push(rules);
      else if (rules.some((rule) => ruleAllows(rule, asked)))
        return { decision: "allow", reason: `RBAC: allowed by ${describeBinding(applied)}` };
    }
    const reason = problems.length === 0 ? "" : `RBAC: ${aggregateMessages(problems)}`;
    return { decision: "noOpinion", reason };
  }

  rulesFor(user: UserInfo, namespace: string): RulesAnswer {
    return rulesHeld(this.#index, user, namespace);
  }
}

/** The rules of a user's roles; `ending` is appended to the kind of a missing role in messages. */
export function rulesHeld(index: RbacIndex, user: UserInfo, namespace: string, ending = ""): RulesAnswer {
  const rules: PolicyRule[] = [];
  const problems: string[] = [];
  for (const { binding } of index.bindingsFor(user, namespace)) {
    const found = index.rulesOf(binding.roleRef, binding.metadata.namespace ?? "", ending);
    if (typeof found === "string") problems.push(found);
    else for (const rule of found) rules.push(rule);
  }
  if (problems.length === 0) return { rules, incomplete: false };
  return { rules, incomplete: false, error: aggregateMessages(problems) };
}

/** `RoleBinding "readers/web" of Role "reader" to ServiceAccount "robot/web"`: the namespace comes last, as Kubernetes has it. */
function describeBinding({ binding, subject }: AppliedBinding): string {
  const namespace = binding.metadata.namespace ?? "";
  const kind = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
  const name = namespace === "" ? binding.metadata.name : `${binding.metadata.name}/${namespace}`;
  const who = subject.kind === "ServiceAccount" ? `${subject.name}/${subject.namespace || namespace}` : subject.name;
  return `${kind} "${name}" of ${binding.roleRef.kind} "${binding.roleRef.name}" to ${subject.kind} "${who}"`;
}
