/** Checks of names. They return problems with the messages of Kubernetes; the list is empty for a valid name. */
export type NameCheck = (name: string) => string[];

const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const DNS1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = `(${QUALIFIED})?`;

const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const DNS1035_PATTERN = new RegExp(`^${DNS1035}$`);
const QUALIFIED_PATTERN = new RegExp(`^${QUALIFIED}$`);
const PREFIXED_PATTERN = new RegExp(`^${SUBDOMAIN}/${QUALIFIED}$`);
const LABEL_VALUE_PATTERN = new RegExp(`^${LABEL_VALUE}$`);

const QUALIFIED_WORDS =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const QUALIFIED_EXAMPLES = ["MyName", "my.name", "123-abc"];

/** Checks the name of most objects. */
export const checkSubdomain: NameCheck = (name) =>
  checkPattern(
    name,
    253,
    SUBDOMAIN_PATTERN,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    SUBDOMAIN,
    ["example.com"],
  );

/** Checks the name of a namespace, or of anything that becomes one label of a domain name. */
export const checkDnsLabel: NameCheck = (name) => {
  if (name.includes(".") && SUBDOMAIN_PATTERN.test(name)) {
    return [...(Buffer.byteLength(name) > 63 ? [tooLong(63)] : []), "must not contain dots"];
  }
  return checkPattern(
    name,
    63,
    LABEL_PATTERN,
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    LABEL,
    ["my-name", "123-abc"],
  );
};

/** Checks the name of a Service. */
export const checkDns1035Label: NameCheck = (name) =>
  checkPattern(
    name,
    63,
    DNS1035_PATTERN,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    DNS1035,
    ["my-name", "abc-123"],
  );

/** Checks keys of labels and annotations, and finalizers: `name` or `example.com/name`. */
export const checkQualifiedName: NameCheck = (name) => {
  if (name.length <= 63 && QUALIFIED_PATTERN.test(name)) {
    return [];
  }
  const slash = name.indexOf("/");
  if (slash > 0 && slash <= 253 && name.length - slash <= 64 && PREFIXED_PATTERN.test(name)) {
    return [];
  }
  const parts = name.split("/");
  if (parts.length > 2) {
    const words = patternMessage(`a qualified name ${QUALIFIED_WORDS}`, QUALIFIED, QUALIFIED_EXAMPLES);
    return [`${words} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const local = parts.at(-1) ?? "";
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") {
      problems.push("prefix part must be non-empty");
    } else {
      problems.push(...checkSubdomain(prefix).map((problem) => `prefix part ${problem}`));
    }
  }
  if (local === "") {
    problems.push("name part must be non-empty");
  } else if (Buffer.byteLength(local) > 63) {
    problems.push(`name part ${tooLong(63)}`);
  }
  if (!QUALIFIED_PATTERN.test(local)) {
    problems.push(`name part ${patternMessage(QUALIFIED_WORDS, QUALIFIED, QUALIFIED_EXAMPLES)}`);
  }
  return problems;
};

export const checkLabelValue: NameCheck = (value) =>
  value === ""
    ? []
    : checkPattern(
        value,
        63,
        LABEL_VALUE_PATTERN,
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
        LABEL_VALUE,
        ["MyValue", "my_value", "12345"],
      );

const OWN_FINALIZERS = ["kubernetes", "orphan", "foregroundDeletion"];

/** Checks finalizers of built-in kinds: a standard one, or any with a domain. */
export const checkFinalizer: NameCheck = (name) =>
  name.includes("/") || OWN_FINALIZERS.includes(name)
    ? []
    : ["name is neither a standard finalizer name nor is it fully qualified"];

/** Checks that a name fits into one segment of a URL path. Applies to all kinds. */
export const checkPathSegment: NameCheck = (name) => {
  if (name === "." || name === "..") {
    return [`may not be '${name}'`];
  }
  return checkPathSegmentPrefix(name);
};

/** Like `checkPathSegment`, for the beginning of a name that the server completes. */
export const checkPathSegmentPrefix: NameCheck = (name) =>
  ["/", "%"].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);

/** Replaces a trailing dash, so that a prefix is checked like the names generated from it. */
export function maskTrailingDash(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith("-") ? `${prefix.slice(0, -2)}a` : prefix;
}

/** Checks length (in bytes) and pattern, with the combined message of Kubernetes. */
export function checkPattern(
  name: string,
  maximum: number,
  pattern: RegExp,
  words: string,
  shown: string,
  examples: readonly string[],
): string[] {
  const problems: string[] = [];
  // A UTF-16 unit takes at most three bytes.
  if (name.length * 3 > maximum && Buffer.byteLength(name) > maximum) {
    problems.push(tooLong(maximum));
  }
  if (!pattern.test(name)) {
    problems.push(patternMessage(words, shown, examples));
  }
  return problems;
}

export function tooLong(maximum: number): string {
  return `must be no more than ${maximum} characters`;
}

export function patternMessage(words: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example, index) => `${index === 0 ? "" : " or "}'${example}', `).join("");
  return `${words} (e.g. ${shown}regex used for validation is '${pattern}')`;
}
