import { BOOL, opaqueOf, STRING } from "../types/cel-type.ts";
import { OpaqueValue } from "../values/containers.ts";
import { declare, type Library, member } from "./library.ts";

const TOTAL = { total: true };

export const AUTHORIZER_TYPE = opaqueOf("kubernetes.authorization.Authorizer");
export const RESOURCE_CHECK_TYPE = opaqueOf("kubernetes.authorization.ResourceCheck");
const PATH_CHECK_TYPE = opaqueOf("kubernetes.authorization.PathCheck");
const GROUP_CHECK_TYPE = opaqueOf("kubernetes.authorization.GroupCheck");
const DECISION_TYPE = opaqueOf("kubernetes.authorization.Decision");

/** The subject of an authorization check. */
export type AuthorizationQuestion =
  | { readonly path: string; readonly verb: string }
  | (ResourceTarget & { readonly verb: string });

export interface ResourceTarget {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

export interface AuthorizationAnswer {
  readonly allowed: boolean;
  readonly reason?: string;
  /** The reason why the authorizer could not decide. */
  readonly error?: string;
}

/** The server's authorizer for one principal. Synchronous, like expressions. */
export interface ExpressionAuthorizer {
  authorize(question: AuthorizationQuestion): AuthorizationAnswer;
  /** Returns the authorizer for a service account. */
  forServiceAccount(namespace: string, name: string): ExpressionAuthorizer;
}

/** Values that exist only as receivers of calls. They are compared by identity. */
abstract class Receiver extends OpaqueValue {
  equals(other: OpaqueValue): boolean {
    return this === other;
  }
}

/** The value of a variable of type `AUTHORIZER_TYPE`. */
export class AuthorizerValue extends Receiver {
  readonly typeName = AUTHORIZER_TYPE.name;
  readonly authorizer: ExpressionAuthorizer;

  constructor(authorizer: ExpressionAuthorizer) {
    super();
    this.authorizer = authorizer;
  }
}

/** The value of a variable of type `RESOURCE_CHECK_TYPE`, such as `authorizer.requestResource`. */
export class ResourceCheckValue extends Receiver {
  readonly typeName = RESOURCE_CHECK_TYPE.name;
  readonly authorizer: ExpressionAuthorizer;
  readonly target: ResourceTarget;

  constructor(authorizer: ExpressionAuthorizer, target: ResourceTarget) {
    super();
    this.authorizer = authorizer;
    this.target = target;
  }

  with(part: Partial<ResourceTarget>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.target, ...part });
  }
}

class PathCheckValue extends Receiver {
  readonly typeName = PATH_CHECK_TYPE.name;
  readonly authorizer: ExpressionAuthorizer;
  readonly path: string;

  constructor(authorizer: ExpressionAuthorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheckValue extends Receiver {
  readonly typeName = GROUP_CHECK_TYPE.name;
  readonly authorizer: ExpressionAuthorizer;
  readonly group: string;

  constructor(authorizer: ExpressionAuthorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

class DecisionValue extends Receiver {
  readonly typeName = DECISION_TYPE.name;
  readonly answer: AuthorizationAnswer;

  constructor(answer: AuthorizationAnswer) {
    super();
    this.answer = answer;
  }
}

const check = (value: ResourceCheckValue, verb: string) =>
  new DecisionValue(value.authorizer.authorize({ ...value.target, verb }));
const checkPath = ({ authorizer, path }: PathCheckValue, verb: string) =>
  new DecisionValue(authorizer.authorize({ path, verb }));
const narrow = (part: keyof ResourceTarget) => (value: ResourceCheckValue, text: string) =>
  value.with({ [part]: text });

const AUTHORIZER = [AUTHORIZER_TYPE, STRING];
const RESOURCE_CHECK = [RESOURCE_CHECK_TYPE, STRING];
type Decision = DecisionValue;

/** Authorization checks for the principal of the request. */
export const authorizerLibrary: Library = {
  name: "authorizer",
  types: [AUTHORIZER_TYPE, PATH_CHECK_TYPE, GROUP_CHECK_TYPE, RESOURCE_CHECK_TYPE, DECISION_TYPE],
  functions: [
    declare(
      "path",
      member(
        "authorizer_path",
        AUTHORIZER,
        PATH_CHECK_TYPE,
        ({ authorizer }: AuthorizerValue, path: string) => new PathCheckValue(authorizer, path),
      ),
    ),
    declare(
      "group",
      member(
        "authorizer_group",
        AUTHORIZER,
        GROUP_CHECK_TYPE,
        ({ authorizer }: AuthorizerValue, group: string) => new GroupCheckValue(authorizer, group),
      ),
    ),
    declare(
      "serviceAccount",
      member(
        "authorizer_serviceaccount",
        [AUTHORIZER_TYPE, STRING, STRING],
        AUTHORIZER_TYPE,
        ({ authorizer }: AuthorizerValue, namespace: string, name: string) =>
          new AuthorizerValue(authorizer.forServiceAccount(namespace, name)),
      ),
    ),
    declare(
      "resource",
      member(
        "groupcheck_resource",
        [GROUP_CHECK_TYPE, STRING],
        RESOURCE_CHECK_TYPE,
        ({ authorizer, group }: GroupCheckValue, resource: string) =>
          new ResourceCheckValue(authorizer, { group, resource }),
      ),
    ),
    declare(
      "subresource",
      member("resourcecheck_subresource", RESOURCE_CHECK, RESOURCE_CHECK_TYPE, narrow("subresource")),
    ),
    declare("namespace", member("resourcecheck_namespace", RESOURCE_CHECK, RESOURCE_CHECK_TYPE, narrow("namespace"))),
    declare("name", member("resourcecheck_name", RESOURCE_CHECK, RESOURCE_CHECK_TYPE, narrow("name"))),
    declare(
      "check",
      member("pathcheck_check", [PATH_CHECK_TYPE, STRING], DECISION_TYPE, checkPath),
      member("resourcecheck_check", RESOURCE_CHECK, DECISION_TYPE, check),
    ),
    declare(
      "errored",
      member("decision_errored", [DECISION_TYPE], BOOL, ({ answer }: Decision) => answer.error !== undefined, TOTAL),
    ),
    declare(
      "error",
      member("decision_error", [DECISION_TYPE], STRING, ({ answer }: Decision) => answer.error ?? "", TOTAL),
    ),
    declare(
      "allowed",
      member("decision_allowed", [DECISION_TYPE], BOOL, ({ answer }: Decision) => answer.allowed, TOTAL),
    ),
    declare(
      "reason",
      member("decision_reason", [DECISION_TYPE], STRING, ({ answer }: Decision) => answer.reason ?? "", TOTAL),
    ),
  ],
};

/** Restricts checks by selectors, if the server authorizes with them. */
export const authorizerSelectorsLibrary: Library = {
  name: "authorizer-selectors",
  functions: [
    declare(
      "fieldSelector",
      member("authorizer_fieldselector", RESOURCE_CHECK, RESOURCE_CHECK_TYPE, narrow("fieldSelector")),
    ),
    declare(
      "labelSelector",
      member("authorizer_labelselector", RESOURCE_CHECK, RESOURCE_CHECK_TYPE, narrow("labelSelector")),
    ),
  ],
};
