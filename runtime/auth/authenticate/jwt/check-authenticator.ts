import { CompiledExpression } from "../../../cel/cel.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { duplicateField, invalidField, requiredField } from "../../../values/field-errors.ts";
import { checkSubdomain } from "../../../values/names.ts";
import { checkIssuer } from "./check-issuer.ts";
import { type ClaimEnvironments, compileClaimExpression } from "./claim-expressions.ts";
import type {
  ClaimMappings,
  ClaimValidationRule,
  JwtAuthenticatorConfiguration,
  PrefixedClaimOrExpression,
  UserValidationRule,
} from "./jwt-configuration.ts";

/** A validation rule with its error message. */
export interface CompiledRule {
  readonly expression: CompiledExpression;
  readonly message: string;
}

/** The compiled expressions of one authenticator. An expression is absent if a claim is used instead. */
export interface CompiledAuthenticator {
  username?: CompiledExpression;
  groups?: CompiledExpression;
  uid?: CompiledExpression;
  readonly extra: { readonly key: string; readonly expression: CompiledExpression }[];
  readonly claimRules: CompiledRule[];
  readonly userRules: CompiledRule[];
}

/** Validates one authenticator and compiles its expressions. The messages and the order of `problems` are those of Kubernetes. */
export function checkAuthenticator(
  configuration: JwtAuthenticatorConfiguration,
  field: string,
  environments: ClaimEnvironments,
  disallowedIssuers: readonly string[],
): { readonly compiled: CompiledAuthenticator; readonly problems: FieldError[] } {
  const check = new AuthenticatorCheck(environments);
  check.problems.push(...checkIssuer(configuration.issuer, `${field}.issuer`, disallowedIssuers));
  check.claimRules(configuration.claimValidationRules ?? [], `${field}.claimValidationRules`);
  check.mappings(configuration.claimMappings, `${field}.claimMappings`);
  check.userRules(configuration.userValidationRules ?? [], `${field}.userValidationRules`);
  return check;
}

class AuthenticatorCheck {
  readonly problems: FieldError[] = [];
  readonly compiled: CompiledAuthenticator = { extra: [], claimRules: [], userRules: [] };
  readonly #environments: ClaimEnvironments;

  constructor(environments: ClaimEnvironments) {
    this.#environments = environments;
  }

  claimRules(rules: readonly ClaimValidationRule[], at: string): void {
    const claims = new Set<string>();
    const expressions = new Set<string>();
    for (const [index, { claim = "", requiredValue = "", expression = "", message = "" }] of rules.entries()) {
      const field = `${at}[${index}]`;
      if (claim !== "" && expression !== "") this.#refuse(field, claim, "claim and expression can't both be set");
      else if (claim !== "") {
        if (message !== "") this.#refuse(`${field}.message`, message, "message can't be set when claim is set");
        if (claims.has(claim)) this.problems.push(duplicateField(`${field}.claim`, claim));
        claims.add(claim);
      } else if (expression !== "") {
        if (requiredValue !== "")
          this.#refuse(`${field}.requiredValue`, requiredValue, "requiredValue can't be set when expression is set");
        const compiled = this.#once(expressions, `${field}.expression`, expression, "claims");
        if (compiled !== undefined) this.compiled.claimRules.push({ expression: compiled, message });
      } else this.problems.push(requiredField(field, "claim or expression is required"));
    }
  }

  userRules(rules: readonly UserValidationRule[], at: string): void {
    const expressions = new Set<string>();
    for (const [index, { expression, message = "" }] of rules.entries()) {
      const field = `${at}[${index}].expression`;
      if (expression === "") {
        this.problems.push(requiredField(field, "expression is required"));
        continue;
      }
      const compiled = this.#once(expressions, field, expression, "user");
      if (compiled !== undefined) this.compiled.userRules.push({ expression: compiled, message });
    }
  }

  mappings(mappings: ClaimMappings, at: string): void {
    const { username, groups = {}, uid = {}, extra } = mappings;
    this.compiled.username = this.#claimOrExpression(username, `${at}.username`, true);
    this.compiled.groups = this.#claimOrExpression(groups, `${at}.groups`, false);
    if (uid.claim && uid.expression) this.#refuse(`${at}.uid`, "", "claim and expression can't both be set");
    else if (uid.expression)
      this.compiled.uid = this.#compile("claims", uid.expression, `${at}.uid.expression`, "anything");
    this.#extra(extra ?? [], `${at}.extra`);
    this.#checkEmail(username.expression ?? "", `${at}.username.expression`);
  }

  #extra(mappings: NonNullable<ClaimMappings["extra"]>, at: string): void {
    const keys = new Set<string>();
    for (const [index, { key, valueExpression }] of mappings.entries()) {
      const field = `${at}[${index}]`;
      this.problems.push(...checkExtraKey(key, `${field}.key`));
      if (keys.has(key)) {
        this.problems.push(duplicateField(`${field}.key`, key));
        continue;
      }
      keys.add(key);
      if (valueExpression === "") {
        this.problems.push(requiredField(`${field}.valueExpression`, "valueExpression is required"));
        continue;
      }
      const expression = this.#compile("claims", valueExpression, `${field}.valueExpression`, "anything");
      if (expression !== undefined) this.compiled.extra.push({ key, expression });
    }
  }

  /** If the user name comes from `claims.email`, some expression must check `claims.email_verified`. */
  #checkEmail(text: string, field: string): void {
    const { username, extra, claimRules } = this.compiled;
    if (username?.selects("claims", "email") !== true) return;
    const looking = [
      username,
      ...extra.map(({ expression }) => expression),
      ...claimRules.map((rule) => rule.expression),
    ];
    if (looking.some((expression) => expression.selects("claims", "email_verified"))) return;
    this.#refuse(
      field,
      text,
      "claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression",
    );
  }

  #claimOrExpression(mapping: PrefixedClaimOrExpression, field: string, required: boolean) {
    const { claim = "", expression = "", prefix } = mapping;
    if (claim !== "" && expression !== "") this.#refuse(field, "", "claim and expression can't both be set");
    else if (expression !== "") {
      if (prefix !== undefined) this.#refuse(`${field}.prefix`, prefix, "prefix can't be set when expression is set");
      return this.#compile("claims", expression, `${field}.expression`, "anything");
    } else if (claim === "" && required) this.problems.push(requiredField(field, "claim or expression is required"));
    else if (claim !== "" && prefix === undefined)
      this.problems.push(
        requiredField(
          `${field}.prefix`,
          "prefix is required when claim is set. It can be set to an empty string to disable prefixing",
        ),
      );
    return undefined;
  }

  /** Compiles a rule. Reports duplicates. */
  #once(seen: Set<string>, field: string, expression: string, variable: keyof ClaimEnvironments) {
    if (seen.has(expression)) {
      this.problems.push(duplicateField(field, expression));
      return undefined;
    }
    seen.add(expression);
    return this.#compile(variable, expression, field, "bool");
  }

  #compile(variable: keyof ClaimEnvironments, expression: string, field: string, wants: "bool" | "anything") {
    const compiled = compileClaimExpression(this.#environments[variable], expression, field, wants);
    if (compiled instanceof CompiledExpression) return compiled;
    this.problems.push(compiled);
    return undefined;
  }

  #refuse(field: string, value: unknown, problem: string): void {
    this.problems.push(invalidField(field, value, problem));
  }
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const RESERVED = /(^|\.)(kubernetes\.io|k8s\.io)$/;

/** Validates the key of an extra: it needs a domain prefix, which must not be a domain of Kubernetes. */
function checkExtraKey(key: string, field: string): FieldError[] {
  const problems: FieldError[] = checkDomainPrefixedPath(key, field);
  if (key !== key.toLowerCase()) problems.push(invalidField(field, key, "key must be lowercase"));
  if (key.includes("/") && RESERVED.test(key.slice(0, key.indexOf("/"))))
    problems.push(
      invalidField(field, key, "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"),
    );
  return problems;
}

function checkDomainPrefixedPath(key: string, field: string): FieldError[] {
  if (key === "") return [requiredField(field)];
  const slash = key.indexOf("/");
  const [host, path] = [key.slice(0, Math.max(slash, 0)), key.slice(slash + 1)];
  if (host === "" || path === "")
    return [invalidField(field, key, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const problems = checkSubdomain(host).map((problem) => invalidField(field, host, problem));
  if (!new RegExp(`^${HTTP_PATH}$`).test(path))
    problems.push(invalidField(field, path, `Invalid path (regex used for validation is '${HTTP_PATH}')`));
  return problems;
}
