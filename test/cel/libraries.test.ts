import { describe, expect, it } from "vitest";
import {
  AUTHORIZER_TYPE,
  type AuthorizationQuestion,
  AuthorizerValue,
  type ExpressionAuthorizer,
  RESOURCE_CHECK_TYPE,
  ResourceCheckValue,
} from "../../runtime/cel/libraries/authorizer.ts";
import { bindingsLibrary } from "../../runtime/cel/libraries/bindings.ts";
import { STRING } from "../../runtime/cel/types/cel-type.ts";
import { evaluate, issuesOf } from "./evaluate.ts";

/** Expressions that must be true. */
const TRUE: Record<string, readonly string[]> = {
  lists: [
    "[1, 2, 3].sum() == 6 && [1.5, 2.5].sum() == 4.0 && [duration('1m'), duration('30s')].sum() == duration('90s')",
    "[3, 1, 2].max() == 3 && ['b', 'a'].min() == 'a'",
    "[1, 1, 2].isSorted() && !['b', 'a'].isSorted() && [].isSorted()",
    "['a', 'b', 'a'].indexOf('a') == 0 && ['a', 'b', 'a'].lastIndexOf('a') == 2 && [1].indexOf(2) == -1",
  ],
  regex: [
    "'abc 123 def 45'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
    "'1 22 333'.findAll('[0-9]+') == ['1', '22', '333'] && '1 22 333'.findAll('[0-9]+', 2) == ['1', '22']",
  ],
  url: [
    "url('https://user@example.com:8443/a%20b/c?x=1&y=2&x=3').getScheme() == 'https'",
    "url('https://example.com:8443/a').getHost() == 'example.com:8443'",
    "url('https://[::1]:80/').getHostname() == '::1' && url('https://[::1]:80/').getPort() == '80'",
    "url('https://example.com/a%20b/c').getEscapedPath() == '/a%20b/c'",
    "url('/path?x=1&y=2&x=3').getQuery() == {'x': ['1', '3'], 'y': ['2']}",
    "isURL('https://example.com') && isURL('/absolute') && !isURL('relative/path') && !isURL('')",
    "url('https://a/b') == url('https://a/b') && url('https://a/b') != url('https://a/c')",
    "url('HTTPS://a/b#') == url('https://a/b') && url('HTTPS://a').getScheme() == 'https'",
    "url('https://a/ü b').getEscapedPath() == '/%C3%BC%20b' && url('https://a/(b)').getEscapedPath() == '/(b)'",
    "url('https://a/?x=%zz&y=1;2&z=a+b&z').getQuery() == {'z': ['a b', '']}",
    "url('mailto:a@b').getEscapedPath() == '' && url('//a/b').getHost() == 'a' && isURL('*')",
    "url('https://user:pw@a:1/').getHost() == 'a:1' && url('https://a').getEscapedPath() == ''",
  ],
  quantity: [
    "quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0 && quantity('1.5Gi') == quantity('1536Mi')",
    "quantity('200M').isLessThan(quantity('0.3G')) && quantity('1k').isGreaterThan(quantity('999'))",
    "quantity('50k').add(quantity('10k')).sub(5000).asInteger() == 55000",
    "sign(quantity('-5')) == -1 && sign(quantity('0')) == 0",
    "quantity('100m').asApproximateFloat() == 0.1 && !quantity('100m').isInteger() && quantity('1e3').isInteger()",
    "isQuantity('1.3Gi') && !isQuantity('1.3GiB') && !isQuantity('')",
  ],
  ip: [
    "ip('192.168.0.1').family() == 4 && ip('::1').family() == 6",
    "string(ip('2001:db8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
    "ip.isCanonical('::1') && !ip.isCanonical('0:0:0:0:0:0:0:1')",
    "isIP('10.0.0.1') && !isIP('10.0.0.256') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
    "ip('127.0.0.1').isLoopback() && ip('0.0.0.0').isUnspecified() && ip('169.254.1.1').isLinkLocalUnicast()",
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()",
    "ip('8.8.8.8').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
    "ip('127.0.0.1') == ip('127.0.0.1') && type(ip('::1')) == net.IP",
  ],
  cidr: [
    "cidr('192.168.0.0/16').containsIP('192.168.3.4') && !cidr('192.168.0.0/16').containsIP(ip('10.0.0.1'))",
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && string(cidr('::1/128').ip()) == '::1'",
    "cidr('10.0.0.0/8').prefixLength() == 8 && isCIDR('::/0') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
  ],
  format: [
    "format.dns1123Label().validate('my-name') == optional.none()",
    "format.dns1123Label().validate('My_Name').value()[0].startsWith('a lowercase RFC 1123 label must consist of')",
    "format.named('uuid').value().validate('not-a-uuid').value() == ['does not match the UUID format']",
    "!format.named('nonsense').hasValue() && format.date() == format.named('date').value()",
    "!format.byte().validate('aGk=').hasValue() && format.datetime().validate('today').value() == ['invalid datetime']",
    "!format.labelValue().validate('').hasValue() && !format.uri().validate('https://x/y').hasValue()",
  ],
  semver: [
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
    "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.0.0-alpha.10').isGreaterThan(semver('1.0.0-alpha.9'))",
    "semver('1.2.3').compareTo(semver('1.2.3+build')) == 0 && semver('1.2.3') == semver('1.2.3')",
    "isSemver('1.0.0') && !isSemver('v1.0.0') && !isSemver('1.0') && isSemver('v01.01', true)",
    "semver('v1.2', true) == semver('1.2.0')",
  ],
  sets: [
    "sets.contains([1, 2, 3], [3, 1]) && !sets.contains([1], [2]) && sets.equivalent([1, 1], [1])",
    "sets.intersects(['a', 'b'], ['b', 'c']) && !sets.intersects([], ['a'])",
  ],
  strings: [
    "'%s is %.2f%% of %d'.format(['x', 12.344, 7]) == 'x is 12.34% of 7'",
    "'%.3f'.format([1234567.0]) == '1,234,567.000' && '%e'.format([31400.0]) == '3.140000×10⁰⁴'",
    "'%s'.format([['a', 'b']]) == '[\"a\", \"b\"]' && '%s'.format([{'k': 1}]) == '{\"k\":1}'",
    "'%x %X %o %b'.format([255, 'hi', 8, 5]) == 'ff 6869 10 101'",
    "strings.quote('a\"b') == '\"a\\\\\"b\"'",
  ],
  "two variables": [
    "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10) == {'b': 20}",
    "['x', 'y'].transformMapEntry(i, v, {v: i}) == {'x': 0, 'y': 1}",
    "[5, 6].transformList(i, v, i * v) == [0, 6] && {'a': 1}.existsOne(k, v, k == 'a' && v == 1)",
  ],
  optionals: [
    "optional.of(2).optMap(x, x * 2).orValue(0) == 4 && optional.none().optMap(x, 1).orValue(0) == 0",
    "{'a': {'b': 1}}.?a.?b.value() == 1 && !{}.?a.hasValue() && [1][?5].orValue(7) == 7",
    "[?optional.of(1), ?optional.none(), 3] == [1, 3] && {?'a': optional.none(), 'b': 2}.size() == 1",
  ],
};

describe.each(Object.entries(TRUE))("the %s library", (_name, expressions) => {
  it.each(expressions)("%s", (expression) => {
    expect(evaluate(expression)).toBe(true);
  });
});

describe("libraries", () => {
  it.each([
    ["[].max() == 1", "max called on empty list"],
    [
      "quantity('1.3GiB') == quantity('1')",
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ["quantity('1.5').asInteger() == 1", "cannot convert value to integer"],
    ["ip('::ffff:1.2.3.4').family() == 4", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
    [
      "ip('1.2.3').family() == 4",
      'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    ],
    ["ip('fe80::1%a').family() == 6", 'IP address "fe80::1%a" with zone value is not allowed'],
    [
      "cidr('10.0.0.0/33').prefixLength() == 8",
      'network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
    ],
    [
      "cidr('::ffff:1.2.3.4/128').prefixLength() == 8",
      'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/128" is not allowed',
    ],
    ["cidr('10.0.0.0/8').containsIP('x')", "no such overload"],
    [
      "url('https://a:b/').getHost() == ''",
      'URL parse error during conversion from string: parse "https://a:b/": invalid port ":b" after host',
    ],
    ["url('').getHost() == ''", 'URL parse error during conversion from string: parse "": empty url'],
    [
      "url('a/b').getHost() == ''",
      'URL parse error during conversion from string: parse "a/b": invalid URI for request',
    ],
    ["url(':a').getHost() == ''", 'URL parse error during conversion from string: parse ":a": missing protocol scheme'],
    [
      "url('/%zz').getHost() == ''",
      'URL parse error during conversion from string: parse "/%zz": invalid URL escape "%zz"',
    ],
    [
      "url('https://a b/').getHost() == ''",
      'URL parse error during conversion from string: parse "https://a b/": invalid character " " in host name',
    ],
    ["'abc'.substring(2, 1) == ''", "invalid substring range. start: 2, end: 1"],
    ["'abc'.charAt(9) == ''", "index out of range: 9"],
    ["optional.none().value() == 1", "optional.none() dereference"],
    ["{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k}).size() == 1", "insert failed: key 1 already exists"],
  ])("%s fails with: %s", (expression, message) => {
    expect(evaluate(expression)).toBe(message);
  });

  it("can be added to a release", () => {
    expect(issuesOf("cel.bind(x, 1, x + x) == 2")).not.toBe("");
    expect(evaluate("cel.bind(x, 'a' + 'b', x + x) == 'abab'", {}, { libraries: [bindingsLibrary] })).toBe(true);
  });

  it("compute a bound value once, and only if it is used", () => {
    const libraries = [bindingsLibrary];
    expect(evaluate("cel.bind(x, 1 / 0, true || x > 0)", {}, { libraries })).toBe(true);
    const nested = Array.from({ length: 40 }, (_, i) => i).reduce(
      (body, i) => `cel.bind(v${40 - i}, v${39 - i} + v${39 - i}, ${body})`,
      "v40 > 0",
    );
    const expression = `cel.bind(v0, 1, ${nested.replaceAll("v-1", "v0")})`;
    expect(evaluate(expression, {}, { libraries })).toBe(true);
  });
});

describe("the authorizer library", () => {
  const asked: AuthorizationQuestion[] = [];
  const authorizer = (user: string): ExpressionAuthorizer => ({
    authorize(question) {
      asked.push(question);
      return { allowed: user === "admin" || "path" in question, reason: `asked for ${user}` };
    },
    forServiceAccount: (namespace, name) => authorizer(`system:serviceaccount:${namespace}:${name}`),
  });
  const variables = { authorizer: AUTHORIZER_TYPE, request: RESOURCE_CHECK_TYPE };
  const bindings = {
    authorizer: new AuthorizerValue(authorizer("admin")),
    request: new ResourceCheckValue(authorizer("guest"), { group: "apps", resource: "deployments", namespace: "n" }),
  };

  it.each([
    ["authorizer.group('').resource('pods').namespace('n').name('p').subresource('log').check('get').allowed()", true],
    ["authorizer.path('/healthz').check('get').allowed()", true],
    ["request.check('create').allowed()", false],
    [
      "authorizer.serviceAccount('ns', 'sa').group('').resource('pods').check('get').reason()",
      "asked for system:serviceaccount:ns:sa",
    ],
    ["request.check('create').errored() || request.check('create').error() != ''", false],
  ])("%s is %s", (expression, expected) => {
    expect(evaluate(expression, bindings, { variables })).toBe(expected);
  });

  it("passes all attributes of the expression to the authorizer", () => {
    asked.length = 0;
    evaluate("authorizer.group('apps').resource('deployments').namespace('n').check('update').allowed()", bindings, {
      variables,
    });
    expect(asked).toEqual([{ group: "apps", resource: "deployments", namespace: "n", verb: "update" }]);
  });

  it("leaves room for two checks in an expression", () => {
    const check = "request.check('get').allowed()";
    expect(evaluate(`${check} || ${check}`, bindings, { variables })).toBe(false);
    expect(evaluate(`${check} || ${check} || ${check}`, bindings, { variables })).toBe(
      "operation cancelled: actual cost limit exceeded",
    );
  });
});

describe("strings that are not a value of a type", () => {
  const text = { variables: { text: STRING } };
  it.each([
    ["int(text)", "zz", "int"],
    ["int(text)", "9223372036854775808", "int"],
    ["uint(text)", "-1", "uint"],
    ["double(text)", "1e999", "double"],
    ["bool(text)", "maybe", "bool"],
    ["duration(text)", "1 hour", "google.protobuf.Duration"],
    ["timestamp(text)", "today", "google.protobuf.Timestamp"],
  ])("are not converted: %s of %s", (expression, value, type) => {
    expect(evaluate(expression, { text: value }, text)).toBe(`type conversion error from 'string' to '${type}'`);
  });
});
