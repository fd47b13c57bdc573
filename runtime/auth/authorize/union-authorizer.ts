import type {
  AccessAttributes,
  AccessDecision,
  Authorizer,
  RuleResolver,
  RulesAnswer,
} from "../../contract/authorization.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";

/** Calls authorizers in order; the first that allows or denies decides. Synchronous if they are. */
export class UnionAuthorizer implements Authorizer, RuleResolver {
  readonly #members: readonly (Authorizer & RuleResolver)[];

  constructor(members: readonly (Authorizer & RuleResolver)[]) {
    this.#members = members;
  }

  authorize(asked: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    return this.#askFrom(0, asked, [], []);
  }

  #askFrom(
    first: number,
    asked: AccessAttributes,
    reasons: string[],
    errors: string[],
  ): AccessDecision | Promise<AccessDecision> {
    for (let index = first; index < this.#members.length; index++) {
      const answer = (this.#members[index] as Authorizer).authorize(asked);
      if (answer instanceof Promise)
        return answer.then((decision) =>
          settle(decision, reasons, errors) ? decision : this.#askFrom(index + 1, asked, reasons, errors),
        );
      if (settle(answer, reasons, errors)) return answer;
    }
    const reason = reasons.join("\n");
    return errors.length === 0
      ? { decision: "noOpinion", reason }
      : { decision: "noOpinion", reason, error: aggregateMessages(errors) };
  }

  async rulesFor(user: UserInfo, namespace: string): Promise<RulesAnswer> {
    const answers = await Promise.all(this.#members.map((member) => member.rulesFor(user, namespace)));
    const errors = answers.flatMap((answer) => answer.error ?? []);
    const merged = {
      rules: answers.flatMap((answer) => answer.rules),
      incomplete: answers.some((answer) => answer.incomplete),
    };
    return errors.length === 0 ? merged : { ...merged, error: aggregateMessages(errors) };
  }
}

function settle(decision: AccessDecision, reasons: string[], errors: string[]): boolean {
  if (decision.decision !== "noOpinion") return true;
  if (decision.reason !== "") reasons.push(decision.reason);
  if (decision.error !== undefined) errors.push(decision.error);
  return false;
}
