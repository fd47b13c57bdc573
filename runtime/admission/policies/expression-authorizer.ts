import {
  type AuthorizationAnswer,
  type AuthorizationQuestion,
  AuthorizerValue,
  type ExpressionAuthorizer,
  ResourceCheckValue,
} from "../../cel/libraries/authorizer.ts";
import type { AdmissionRequest } from "../../contract/admission.ts";
import type { AccessAttributes, AccessDecision, Authorizer, FieldCondition } from "../../contract/authorization.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import { rest, SLICE_MS } from "../../lib/in-turns.ts";
import type { PolicyBindings } from "./policy-activation.ts";

/**
 * The authorizer that expressions use for the user of a request. Expressions are synchronous, but authorizers may be asynchronous: a pending decision
 * is treated as a denial, and the evaluation is repeated after it has arrived. Every check is made only once.
 */
export class RequestAuthorizer {
  readonly #authorizer: Authorizer;
  readonly #answers = new Map<string, AuthorizationAnswer>();
  #pending: Promise<void>[] = [];
  /** Milliseconds spent on evaluations in this turn of the event loop. */
  #busy = 0;
  readonly bindings: PolicyBindings;

  constructor(authorizer: Authorizer, request: AdmissionRequest) {
    this.#authorizer = authorizer;
    const asking = this.#for(request.user);
    const { group, resource } = request.requested.resource;
    const { subresource, namespace, name } = request;
    this.bindings = {
      authorizer: new AuthorizerValue(asking),
      "authorizer.requestResource": new ResourceCheckValue(asking, { group, resource, subresource, namespace, name }),
    };
  }

  /**
   * Repeats the evaluation until no decision is pending, and returns its result. `evaluate` must have no side effects. Yields to the event loop when
   * evaluations have used up their time slice: there may be many policies with many parameters each.
   */
  async settle<T>(evaluate: () => T): Promise<T> {
    for (;;) {
      const began = performance.now();
      const result = evaluate();
      this.#busy += performance.now() - began;
      if (this.#busy >= SLICE_MS) {
        this.#busy = 0;
        await rest();
      }
      if (this.#pending.length === 0) return result;
      const waiting = this.#pending;
      this.#pending = [];
      await Promise.all(waiting);
    }
  }

  #for(user: UserInfo): ExpressionAuthorizer {
    return {
      authorize: (question) => this.#ask(attributesOf(user, question)),
      forServiceAccount: (namespace, name) =>
        this.#for({
          name: `system:serviceaccount:${namespace}:${name}`,
          groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
        }),
    };
  }

  #ask(attributes: AccessAttributes): AuthorizationAnswer {
    const key = JSON.stringify(attributes);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const decision = this.#authorizer.authorize(attributes);
    if (!(decision instanceof Promise)) return this.#remember(key, decision);
    this.#pending.push(
      decision.then(
        (answer) => void this.#remember(key, answer),
        (error: Error) => void this.#answers.set(key, { allowed: false, error: error.message }),
      ),
    );
    return { allowed: false };
  }

  #remember(key: string, { decision, reason, error }: AccessDecision): AuthorizationAnswer {
    const answer = { allowed: decision === "allow", reason, ...(error !== undefined && { error }) };
    this.#answers.set(key, answer);
    return answer;
  }
}

function attributesOf(user: UserInfo, question: AuthorizationQuestion): AccessAttributes {
  if ("path" in question) return { user, path: question.path, verb: question.verb };
  const { verb, group, resource, subresource = "", namespace = "", name = "", fieldSelector } = question;
  return {
    user,
    verb,
    group,
    version: "*",
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector !== undefined && { fieldSelector: fieldConditions(fieldSelector) }),
  };
}

/** Parses the conditions of a selector such as `spec.nodeName=a,status.phase!=Failed`; returns none if it cannot be parsed. */
function fieldConditions(selector: string): FieldCondition[] {
  const conditions = selector.split(",").map((term) => /^([^=!]+)(!=|==?)([^=!]*)$/.exec(term));
  if (conditions.includes(null)) return [];
  return conditions.map((match) => ({ field: match?.[1] ?? "", equal: match?.[2] !== "!=", value: match?.[3] ?? "" }));
}
