/**
 * Checks of names and other texts. Each returns what is wrong, in Kubernetes' words, or an empty list. Patterns appear in
 * the messages, so they are written once and used for both.
 */

const label1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
const label1123Pattern = whole(label1123);
const subdomain1123Pattern = whole(subdomain1123);
const label1035Pattern = whole(label1035);
const qualifiedPattern = whole(qualified);
const labelValuePattern = whole(`(${qualified})?`);

const cIdentifier = "[A-Za-z_][A-Za-z0-9_]*";
const configMapKey = "[-._a-zA-Z0-9]+";
const envVarName = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const headerName = "[-A-Za-z0-9]+";
const percent = "[0-9]+%";
const wildcardSubdomain = `\\*\\.${subdomain1123}`;

export function maxLengthMessage(length: number): string {
  return `must be no more than ${length} characters`;
}

export function rangeMessage(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** `rule (e.g. 'a',  or 'b', regex used for validation is 'pattern')`. */
export function patternMessage(rule: string, pattern: string, ...examples: string[]): string {
  if (examples.length === 0) return `${rule} (regex used for validation is '${pattern}')`;
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

export function isDns1123Label(value: string): string[] {
  const wrong = tooLong(value, 63);
  if (!label1123Pattern.test(value)) {
    wrong.push(
      subdomain1123Pattern.test(value)
        ? "must not contain dots"
        : patternMessage(
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
            label1123,
            "my-name",
            "123-abc",
          ),
    );
  }
  return wrong;
}

export function isDns1123Subdomain(value: string): string[] {
  const wrong = tooLong(value, 253);
  if (!subdomain1123Pattern.test(value)) {
    wrong.push(
      patternMessage(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
        subdomain1123,
        "example.com",
      ),
    );
  }
  return wrong;
}

export function isDns1035Label(value: string): string[] {
  const wrong = tooLong(value, 63);
  if (!label1035Pattern.test(value)) {
    wrong.push(
      patternMessage(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
        label1035,
        "my-name",
        "abc-123",
      ),
    );
  }
  return wrong;
}

export function isWildcardDns1123Subdomain(value: string): string[] {
  const wrong = tooLong(value, 253);
  if (!whole(wildcardSubdomain).test(value)) {
    wrong.push(
      patternMessage(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
        wildcardSubdomain,
        "*.example.com",
      ),
    );
  }
  return wrong;
}

const qualifiedRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const qualifiedMessage = patternMessage(qualifiedRule, qualified, "MyName", "my.name", "123-abc");

/** A name with an optional DNS prefix: `app`, `example.com/app`. */
export function isQualifiedName(value: string): string[] {
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const wrong: string[] = [];
  const name = parts[parts.length - 1]!;
  if (parts.length === 2) {
    const prefix = parts[0]!;
    if (prefix === "") wrong.push("prefix part must be non-empty");
    else wrong.push(...isDns1123Subdomain(prefix).map((message) => `prefix part ${message}`));
  }
  if (name === "") wrong.push("name part must be non-empty");
  else wrong.push(...tooLong(name, 63).map((message) => `name part ${message}`));
  if (!qualifiedPattern.test(name)) wrong.push(`name part ${qualifiedMessage}`);
  return wrong;
}

export function isLabelValue(value: string): string[] {
  const wrong = tooLong(value, 63);
  if (!labelValuePattern.test(value)) {
    wrong.push(
      patternMessage(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
        `(${qualified})?`,
        "MyValue",
        "my_value",
        "12345",
      ),
    );
  }
  return wrong;
}

export function isConfigMapKey(value: string): string[] {
  const wrong = tooLong(value, 253);
  if (!whole(configMapKey).test(value)) {
    wrong.push(
      patternMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        configMapKey,
        "key.name",
        "KEY_NAME",
        "key-name",
      ),
    );
  }
  return [...wrong, ...isNotParentDirectory(value)];
}

export function isEnvVarName(value: string): string[] {
  const wrong: string[] = [];
  if (!whole(envVarName).test(value)) {
    wrong.push(
      patternMessage(
        "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
        envVarName,
        "my.env-name",
        "MY_ENV.NAME",
        "MyEnvName1",
      ),
    );
  }
  return [...wrong, ...isNotParentDirectory(value)];
}

/** The wider rule for environment variable names: any printable ASCII but `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === "") return ["environment variable name must be non-empty"];
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function isCIdentifier(value: string): string[] {
  if (whole(cIdentifier).test(value)) return [];
  return [
    patternMessage(
      "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
      cIdentifier,
      "my_name",
      "MY_NAME",
      "MyName",
    ),
  ];
}

export function isHttpHeaderName(value: string): string[] {
  if (whole(headerName).test(value)) return [];
  return [
    patternMessage("a valid HTTP header must consist of alphanumeric characters or '-'", headerName, "X-Header-Name"),
  ];
}

export function isPercent(value: string): string[] {
  if (whole(percent).test(value)) return [];
  return [
    patternMessage("a valid percent string must be a numeric string followed by an ending '%'", percent, "1%", "93%"),
  ];
}

export function isPortNumber(value: number): string[] {
  return isInRange(value, 1, 65_535);
}

export function isInRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}

/** The name of a port: an IANA service name. */
export function isPortName(value: string): string[] {
  const wrong = tooLong(value, 15);
  if (!/^[-a-z0-9]+$/.test(value)) wrong.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) wrong.push("must contain at least one letter (a-z)");
  if (value.includes("--")) wrong.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) wrong.push("must not begin or end with a hyphen");
  return wrong;
}

/** What a name must not be so that it can stand in a path. */
export function isPathSegment(name: string): string[] {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** For generated names: the prefix is checked as if a random ending followed. */
export function withoutTrailingDash(prefix: string): string {
  return prefix.endsWith("-") && prefix.length > 1 ? `${prefix.slice(0, -2)}a` : prefix;
}

function isNotParentDirectory(value: string): string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}

function tooLong(value: string, length: number): string[] {
  return Buffer.byteLength(value) > length ? [maxLengthMessage(length)] : [];
}
