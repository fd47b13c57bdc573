import { describe, expect, it } from "vitest";
import {
  CompiledExpression,
  createEnvironment,
  type EnvironmentVersion,
  newExpressionsVersion,
} from "../../runtime/cel/cel.ts";
import { AUTHORIZER_TYPE } from "../../runtime/cel/libraries/authorizer.ts";

/** For each feature, an expression that needs it and the first release that accepts it. */
const FEATURES: readonly [since: number, expression: string][] = [
  [0, "'a,b'.split(',') == ['a', 'b'] && [1, 2].sum() == 3 && isURL('https://a') && 'x'.find('[a-z]') == 'x'"],
  [27, "authorizer.group('').resource('pods').check('get').allowed()"],
  [28, "1 < 2.0"],
  [28, "optional.of(1).hasValue()"],
  [28, "{'a': 1}.?a.orValue(0) == 1"],
  [28, "quantity('1Gi').isGreaterThan(quantity('1M'))"],
  [29, "'%d'.format([1]) == '1'"],
  [29, "sets.contains([1, 2], [1])"],
  [30, "ip('10.0.0.1').family() == 4"],
  [30, "cidr('10.0.0.0/8').containsIP('10.1.2.3')"],
  [31, "!format.dns1123Label().validate('a-name').hasValue()"],
  [31, "authorizer.group('').resource('pods').fieldSelector('a=b').check('get').allowed()"],
  [32, "[1, 2].all(i, v, i < v)"],
  [33, "semver('1.2.3').major() == 1"],
];

const variables = { authorizer: AUTHORIZER_TYPE };
const accepts = (version: EnvironmentVersion, expression: string, more = {}) =>
  createEnvironment({ variables, version, ...more }).compile(expression) instanceof CompiledExpression;

describe("the release of an environment", () => {
  for (let minor = 25; minor <= 34; minor++)
    it(`1.${minor} accepts functions that it has and rejects later ones`, () => {
      for (const [since, expression] of FEATURES)
        expect([expression, accepts(`1.${minor}`, expression)]).toEqual([expression, minor >= since]);
    });

  it("may be the latest one, for expressions that newer servers stored", () => {
    for (const [, expression] of FEATURES)
      expect([expression, accepts("latest", expression)]).toEqual([expression, true]);
  });

  it("is the previous one for new expressions, so that a rollback can read them", () => {
    expect(newExpressionsVersion("1.33")).toBe("1.32");
    expect(accepts(newExpressionsVersion("1.33"), "semver('1.2.3').major() == 1")).toBe(false);
    expect(accepts(newExpressionsVersion("1.34"), "semver('1.2.3').major() == 1")).toBe(true);
  });

  it("decides whether malformed literals are refused early", () => {
    expect(accepts("1.28", "duration('soon') == duration('1h')")).toBe(true);
    expect(accepts("1.29", "duration('soon') == duration('1h')")).toBe(false);
  });

  it("has no selector functions if the server does not authorize with selectors", () => {
    const expression = "authorizer.group('').resource('pods').labelSelector('a=b').check('get').allowed()";
    expect(accepts("1.33", expression)).toBe(true);
    expect(accepts("1.33", expression, { authorizeWithSelectors: false })).toBe(false);
  });
});
