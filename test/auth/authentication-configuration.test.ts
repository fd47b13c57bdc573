import { describe, expect, it } from "vitest";
import { checkAuthentication } from "../../runtime/auth/authenticate/jwt/check-authentication.ts";
import type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfiguration,
} from "../../runtime/auth/authenticate/jwt/jwt-configuration.ts";

const problems = (configuration: AuthenticationConfiguration, disallowed: string[] = []) =>
  checkAuthentication(configuration, disallowed).problems.map(({ field, message }) => `${field}: ${message}`);
const GOOD: JwtAuthenticatorConfiguration = {
  issuer: { url: "https://issuer.example", audiences: ["a"] },
  claimMappings: { username: { claim: "sub", prefix: "" } },
};
const jwt = (change: Partial<JwtAuthenticatorConfiguration>) => problems({ jwt: [{ ...GOOD, ...change }] });
const issuer = (change: Partial<JwtAuthenticatorConfiguration["issuer"]>) =>
  jwt({ issuer: { ...GOOD.issuer, ...change } });
const mappings = (change: Partial<JwtAuthenticatorConfiguration["claimMappings"]>) =>
  jwt({ claimMappings: { ...GOOD.claimMappings, ...change } });

describe("an authentication configuration", () => {
  it("may have no issuers or several valid ones", () => {
    expect(problems({ jwt: null })).toEqual([]);
    expect(problems({ jwt: [GOOD] })).toEqual([]);
  });

  it("has at most 64 issuers, each with its own URL", () => {
    expect(problems({ jwt: Array(65).fill(GOOD) })).toEqual(["jwt: Too many: 65: must have at most 64 items"]);
    const twice = { ...GOOD, issuer: { ...GOOD.issuer, discoveryURL: "https://other.example/d" } };
    expect(problems({ jwt: [twice, twice] })).toEqual([
      'jwt[1].issuer.url: Duplicate value: "https://issuer.example"',
      'jwt[1].issuer.discoveryURL: Duplicate value: "https://other.example/d"',
    ]);
    expect(problems({ jwt: [GOOD] }, ["https://issuer.example"])).toEqual([
      'jwt[0].issuer.url: Invalid value: "https://issuer.example": URL must not overlap with disallowed issuers: [https://issuer.example]',
    ]);
  });

  it("allows conditions only where anonymous requests are allowed", () => {
    expect(problems({ jwt: null, anonymous: { enabled: false, conditions: [{ path: "/livez" }] } })).toEqual([
      'anonymous.conditions: Invalid value: []apiserver.AnonymousAuthCondition{apiserver.AnonymousAuthCondition{Path:"/livez"}}: enabled should be set to true when conditions are defined',
    ]);
  });

  it.each([
    [{ url: "" }, "jwt[0].issuer.url: Required value: URL is required"],
    [{ url: "http://a" }, 'jwt[0].issuer.url: Invalid value: "http://a": URL scheme must be https'],
    [
      { url: "https://u:p@a" },
      'jwt[0].issuer.url: Invalid value: "https://u:p@a": URL must not contain a username or password',
    ],
    [{ url: "https://a?b=c" }, 'jwt[0].issuer.url: Invalid value: "https://a?b=c": URL must not contain a query'],
    [{ url: "https://a#b" }, 'jwt[0].issuer.url: Invalid value: "https://a#b": URL must not contain a fragment'],
    [
      { discoveryURL: "https://issuer.example/" },
      'jwt[0].issuer.discoveryURL: Invalid value: "https://issuer.example/": discoveryURL must be different from URL',
    ],
    [{ audiences: null }, "jwt[0].issuer.audiences: Required value: at least one jwt[0].issuer.audiences is required"],
    [{ audiences: [""] }, "jwt[0].issuer.audiences[0]: Required value: audience can't be empty"],
    [
      { audiences: ["a", "b"] },
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "": audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    [
      { audienceMatchPolicy: "MatchAll" },
      'jwt[0].issuer.audienceMatchPolicy: Invalid value: "MatchAll": audienceMatchPolicy must be empty or MatchAny for single audience',
    ],
    [
      { certificateAuthority: "secret text" },
      'jwt[0].issuer.certificateAuthority: Invalid value: "<omitted>": data does not contain any valid RSA or ECDSA certificates',
    ],
  ])("refuses the issuer %j", (change, problem) => {
    expect(issuer(change)).toEqual([problem]);
  });

  it("rejects duplicate audiences", () => {
    expect(issuer({ audiences: ["a", "a"], audienceMatchPolicy: "MatchAny" })).toEqual([
      'jwt[0].issuer.audiences[1]: Duplicate value: "a"',
    ]);
  });

  it.each([
    [{ username: {} }, "jwt[0].claimMappings.username: Required value: claim or expression is required"],
    [
      { username: { claim: "sub" } },
      "jwt[0].claimMappings.username.prefix: Required value: prefix is required when claim is set. It can be set to an empty string to disable prefixing",
    ],
    [
      { username: { claim: "sub", expression: "claims.sub" } },
      'jwt[0].claimMappings.username: Invalid value: "": claim and expression can\'t both be set',
    ],
    [
      { groups: { expression: "claims.g", prefix: "x" } },
      'jwt[0].claimMappings.groups.prefix: Invalid value: "x": prefix can\'t be set when expression is set',
    ],
    [
      { uid: { claim: "a", expression: "claims.b" } },
      'jwt[0].claimMappings.uid: Invalid value: "": claim and expression can\'t both be set',
    ],
    [{ extra: [{ key: "", valueExpression: "claims.a" }] }, "jwt[0].claimMappings.extra[0].key: Required value"],
    [
      { extra: [{ key: "foo", valueExpression: "claims.a" }] },
      'jwt[0].claimMappings.extra[0].key: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      { extra: [{ key: "acme.io/Foo", valueExpression: "claims.a" }] },
      'jwt[0].claimMappings.extra[0].key: Invalid value: "acme.io/Foo": key must be lowercase',
    ],
    [
      { extra: [{ key: "my.k8s.io/foo", valueExpression: "claims.a" }] },
      'jwt[0].claimMappings.extra[0].key: Invalid value: "my.k8s.io/foo": k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use',
    ],
    [
      { extra: [{ key: "acme.io/foo", valueExpression: "" }] },
      "jwt[0].claimMappings.extra[0].valueExpression: Required value: valueExpression is required",
    ],
    [
      { username: { expression: "claims.email" } },
      'jwt[0].claimMappings.username.expression: Invalid value: "claims.email": claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression',
    ],
    [
      { username: { expression: "foo" } },
      "jwt[0].claimMappings.username.expression: Invalid value: \"foo\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')\n | foo\n | ^",
    ],
  ])("refuses the mappings %j", (change, problem) => {
    expect(mappings(change)).toEqual([problem]);
  });

  it("requires that expressions which use the email claim also check email_verified", () => {
    const username = { expression: "claims.?email.orValue('x')" };
    expect(mappings({ username })).toHaveLength(1);
    expect(
      jwt({
        claimMappings: { username },
        claimValidationRules: [{ expression: "has(claims.email_verified) && claims.email_verified == true" }],
      }),
    ).toEqual([]);
    expect(
      mappings({ username, extra: [{ key: "acme.io/v", valueExpression: "string(claims.email_verified)" }] }),
    ).toEqual([]);
  });

  it.each([
    [[{}], "jwt[0].claimValidationRules[0]: Required value: claim or expression is required"],
    [
      [{ claim: "a", expression: "true" }],
      'jwt[0].claimValidationRules[0]: Invalid value: "a": claim and expression can\'t both be set',
    ],
    [
      [{ claim: "a", message: "m" }],
      'jwt[0].claimValidationRules[0].message: Invalid value: "m": message can\'t be set when claim is set',
    ],
    [[{ claim: "a" }, { claim: "a" }], 'jwt[0].claimValidationRules[1].claim: Duplicate value: "a"'],
    [
      [{ expression: "true", requiredValue: "v" }],
      'jwt[0].claimValidationRules[0].requiredValue: Invalid value: "v": requiredValue can\'t be set when expression is set',
    ],
    [
      [{ expression: "true" }, { expression: "true" }],
      'jwt[0].claimValidationRules[1].expression: Duplicate value: "true"',
    ],
    [
      [{ expression: "claims.a" }],
      'jwt[0].claimValidationRules[0].expression: Invalid value: "claims.a": must evaluate to bool',
    ],
  ])("refuses the rules over claims %j", (claimValidationRules, problem) => {
    expect(jwt({ claimValidationRules })).toEqual([problem]);
  });

  it.each([
    [[{ expression: "" }], "jwt[0].userValidationRules[0].expression: Required value: expression is required"],
    [
      [{ expression: "user.username" }],
      'jwt[0].userValidationRules[0].expression: Invalid value: "user.username": must evaluate to bool',
    ],
    [
      [{ expression: "user.nam == ''" }],
      "jwt[0].userValidationRules[0].expression: Invalid value: \"user.nam == ''\": compilation failed: ERROR: <input>:1:5: undefined field 'nam'\n | user.nam == ''\n | ....^",
    ],
  ])("refuses the rules over users %j", (userValidationRules, problem) => {
    expect(jwt({ userValidationRules })).toEqual([problem]);
  });
});
