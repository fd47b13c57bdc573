import type { CompiledExpression } from "../../../cel/cel.ts";
import { CredentialsError } from "../../../contract/authentication.ts";
import type { UserInfo } from "../../../contract/user-info.ts";
import type { CheckedAuthenticator } from "./check-authentication.ts";
import type { CompiledRule } from "./check-authenticator.ts";
import type { PrefixedClaimOrExpression } from "./jwt-configuration.ts";
import type { Claims } from "./verify-id-token.ts";

const NOT_TEXTS = "expression must return a string or a list of strings";

/** Returns the user of a verified token. Throws a CredentialsError if a claim has the wrong type or violates a rule. */
export function mapClaims(claims: Claims, authenticator: CheckedAuthenticator, credentialIdKey: string): UserInfo {
  const { configuration, compiled } = authenticator;
  const { username, groups = {}, uid = {} } = configuration.claimMappings;
  const mapped: UserInfo = {
    name: nameOf(claims, username, compiled.username),
    groups: groupsOf(claims, groups, compiled.groups),
    ...uidOf(claims, uid.claim ?? "", compiled.uid),
    ...extraOf(claims, compiled.extra, credentialIdKey),
  };
  checkRequiredClaims(claims, configuration);
  checkRules(compiled.claimRules, { claims }, "claim validation expression");
  checkRules(compiled.userRules, { user: describeUser(mapped) }, "user info validation rule");
  return mapped;
}

function nameOf(
  claims: Claims,
  { claim = "", prefix = "" }: PrefixedClaimOrExpression,
  expression: CompiledExpression | undefined,
): string {
  if (expression !== undefined) {
    const name = evaluate(expression, { claims }, "username claim expression");
    if (typeof name !== "string")
      throw refused("error evaluating username claim expression: username claim expression must return a string");
    if (name === "") throw refused("empty username via CEL expression is not allowed");
    return name;
  }
  const name = textClaim(claims, claim, `parse username claims ${JSON.stringify(claim)}`);
  if (claim === "email" && "email_verified" in claims) {
    if (typeof claims.email_verified !== "boolean")
      throw refused("parse 'email_verified' claim: it is neither true nor false");
    if (!claims.email_verified) throw refused("email not verified");
  }
  return prefix + name;
}

function groupsOf(
  claims: Claims,
  { claim = "", prefix = "" }: PrefixedClaimOrExpression,
  expression: CompiledExpression | undefined,
): readonly string[] {
  if (claim !== "" && Object.hasOwn(claims, claim)) {
    const groups = ([claims[claim] ?? []] as unknown[]).flat();
    if (!groups.every((group) => typeof group === "string"))
      throw refused(`parse groups claim ${JSON.stringify(claim)}: it is neither a string nor a list of strings`);
    return groups.map((group) => prefix + group);
  }
  if (expression === undefined) return [];
  return textsOf(evaluate(expression, { claims }, "group claim expression"), "error evaluating group claim expression");
}

function uidOf(claims: Claims, claim: string, expression: CompiledExpression | undefined): { uid?: string } {
  if (claim !== "") return { uid: textClaim(claims, claim, `parse uid claim ${JSON.stringify(claim)}`) };
  if (expression === undefined) return {};
  const uid = evaluate(expression, { claims }, "uid claim expression");
  if (typeof uid !== "string")
    throw refused("error evaluating uid claim expression: uid claim expression must return a string");
  return { uid };
}

function extraOf(
  claims: Claims,
  mappings: readonly { readonly key: string; readonly expression: CompiledExpression }[],
  credentialIdKey: string,
): { extra?: Record<string, readonly string[]> } {
  const extra: Record<string, readonly string[]> = {};
  if (typeof claims.jti === "string" && claims.jti !== "") extra[credentialIdKey] = [`JTI=${claims.jti}`];
  for (const { key, expression } of mappings) {
    const value = evaluate(expression, { claims }, "extra claim expression");
    const texts = textsOf(value, `error evaluating extra claim expression: ${expression.source}`);
    if (texts.length > 0) extra[key] = texts;
  }
  return Object.keys(extra).length > 0 ? { extra } : {};
}

function checkRequiredClaims(claims: Claims, { claimValidationRules }: CheckedAuthenticator["configuration"]): void {
  for (const { claim = "", requiredValue = "" } of claimValidationRules ?? []) {
    if (claim === "") continue;
    if (!Object.hasOwn(claims, claim)) throw refused(`required claim ${claim} not present in ID token`);
    const value = textClaim(claims, claim, `parse claim ${claim}`);
    if (value !== requiredValue)
      throw refused(`required claim ${claim} value does not match. Got = ${value}, want = ${requiredValue}`);
  }
}

function checkRules(rules: readonly CompiledRule[], bindings: Readonly<Record<string, unknown>>, what: string): void {
  for (const { expression, message } of rules) {
    if (evaluate(expression, bindings, what) !== true)
      throw refused(`error evaluating ${what}: validation expression '${expression.source}' failed: ${message}`);
  }
}

/** User rules can access every field of a user, including empty ones. */
function describeUser({ name, uid = "", groups, extra = {} }: UserInfo): Readonly<Record<string, unknown>> {
  return { username: name, uid, groups, extra };
}

function evaluate(expression: CompiledExpression, bindings: Readonly<Record<string, unknown>>, what: string): unknown {
  const result = expression.evaluate(bindings);
  if (result.ok) return result.value;
  throw refused(
    `error evaluating ${what}: expression '${expression.source}' resulted in error: ${result.error.message}`,
  );
}

/** Converts a string or a list of strings to a list. Ignores empty strings and null. */
function textsOf(value: unknown, otherwise: string): string[] {
  const texts = value === null ? [] : Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === "string")) throw refused(`${otherwise}: ${NOT_TEXTS}`);
  return texts.filter((text) => text !== "");
}

function textClaim(claims: Claims, claim: string, otherwise: string): string {
  if (!Object.hasOwn(claims, claim)) throw refused(`${otherwise}: claim not present`);
  const value = claims[claim];
  if (typeof value !== "string") throw refused(`${otherwise}: it is not a string`);
  return value;
}

function refused(problem: string): CredentialsError {
  return new CredentialsError(`oidc: ${problem}`);
}
