import { checkPattern, type NameCheck, patternMessage, tooLong } from "./names.ts";

/** Checks of strings other than object names, with the messages of Kubernetes. They return a list of problems, which is empty for a valid string. */

const CONFIG_MAP_KEY = "[-._a-zA-Z0-9]+";
const ENV_VAR_NAME = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
const HEADER_NAME = "[-A-Za-z0-9]+";
const PERCENT = "[0-9]+%";
const SUBDOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const WILDCARD_SUBDOMAIN = `\\*\\.${SUBDOMAIN}`;

const SEARCH_DOMAIN_PATTERN = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const CONFIG_MAP_KEY_PATTERN = new RegExp(`^${CONFIG_MAP_KEY}$`);
const ENV_VAR_NAME_PATTERN = new RegExp(`^${ENV_VAR_NAME}$`);
const C_IDENTIFIER_PATTERN = new RegExp(`^${C_IDENTIFIER}$`);
const HEADER_NAME_PATTERN = new RegExp(`^${HEADER_NAME}$`);
const PERCENT_PATTERN = new RegExp(`^${PERCENT}$`);
const WILDCARD_SUBDOMAIN_PATTERN = new RegExp(`^${WILDCARD_SUBDOMAIN}$`);

/** Checks the host of an ingress rule, such as `*.example.com`. */
export const checkWildcardSubdomain: NameCheck = (value) =>
  checkPattern(
    value,
    253,
    WILDCARD_SUBDOMAIN_PATTERN,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    WILDCARD_SUBDOMAIN,
    ["*.example.com"],
  );

/** Checks a DNS search domain: a subdomain that may begin with and contain underscores. The message contains the stricter pattern. */
export const checkSearchDomain: NameCheck = (value) =>
  checkPattern(
    value,
    253,
    SEARCH_DOMAIN_PATTERN,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    ["example.com"],
  );

/** Checks a key of ConfigMap or Secret data. */
export const checkConfigMapKey: NameCheck = (value) => [
  ...checkPattern(
    value,
    253,
    CONFIG_MAP_KEY_PATTERN,
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    CONFIG_MAP_KEY,
    ["key.name", "KEY_NAME", "key-name"],
  ),
  ...checkNotParentDirectory(value),
];

export const checkEnvVarName: NameCheck = (value) => [
  ...checkPattern(
    value,
    Number.POSITIVE_INFINITY,
    ENV_VAR_NAME_PATTERN,
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
    ENV_VAR_NAME,
    ["my.env-name", "MY_ENV.NAME", "MyEnvName1"],
  ),
  ...checkNotParentDirectory(value),
];

/** Checks an environment variable name by the relaxed rule: any printable ASCII except `=`. */
export const checkRelaxedEnvVarName: NameCheck = (value) => {
  if (value === "") return ["environment variable name must be non-empty"];
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

export const checkCIdentifier: NameCheck = (value) =>
  checkPattern(
    value,
    Number.POSITIVE_INFINITY,
    C_IDENTIFIER_PATTERN,
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    C_IDENTIFIER,
    ["my_name", "MY_NAME", "MyName"],
  );

export const checkHttpHeaderName: NameCheck = (value) =>
  HEADER_NAME_PATTERN.test(value)
    ? []
    : [
        patternMessage("a valid HTTP header must consist of alphanumeric characters or '-'", HEADER_NAME, [
          "X-Header-Name",
        ]),
      ];

export const checkPercent: NameCheck = (value) =>
  PERCENT_PATTERN.test(value)
    ? []
    : [
        patternMessage("a valid percent string must be a numeric string followed by an ending '%'", PERCENT, [
          "1%",
          "93%",
        ]),
      ];

/** Checks the name of a port: an IANA service name. */
export const checkPortName: NameCheck = (value) => {
  const problems: string[] = [];
  if (Buffer.byteLength(value) > 15) problems.push(tooLong(15));
  if (!/^[-a-z0-9]+$/.test(value))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) problems.push("must contain at least one letter (a-z)");
  if (value.includes("--")) problems.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
};

export function checkPortNumber(value: number): string[] {
  return checkRange(value, 1, 65_535);
}

export function checkRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [`must be between ${low} and ${high}, inclusive`];
}

function checkNotParentDirectory(value: string): string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}
