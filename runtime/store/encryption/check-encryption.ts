import type { FieldError } from "../../contract/field-error.ts";
import { parseDuration } from "../../go/duration.ts";
import { goQuote } from "../../go/quote.ts";
import { Verbatim } from "../../go/verbatim.ts";
import { Base64Error, canonicalBase64 } from "../../lib/base64.ts";
import { invalidField, invalidFieldWithoutValue, requiredField } from "../../values/field-errors.ts";
import {
  type EncryptionConfiguration,
  type GroupResourceRule,
  type KeyConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
  parseResourceRule,
} from "./encryption-configuration.ts";

const KEY_SIZES = { aesgcm: [16, 24, 32], aescbc: [32], secretbox: [32] } as const;

/** Resources that Kubernetes stores without serving them. */
const UNSERVED = ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

/** Validates an EncryptionConfiguration and returns errors with the messages of Kubernetes. They never contain a key. */
export function checkEncryption({ resources }: EncryptionConfiguration, domain: string): FieldError[] {
  if (resources === null || resources.length === 0)
    return [requiredField("resources", "at least one resources is required")];
  const kmsNames = new Set<string>();
  const wildcards: GroupResourceRule[] = [];
  return resources.flatMap(({ resources: names, providers }, index) => {
    const field = `resources[${index}]`;
    const problems = [
      ...checkResources(names ?? [], `${field}.resources`, domain),
      ...checkMasked(names ?? [], `${field}.resources`, wildcards),
    ];
    wildcards.push(...(names ?? []).map(parseResourceRule).filter(({ resource }) => resource === "*"));
    if (providers === null || providers.length === 0)
      problems.push(requiredField(`${field}.providers`, `at least one ${field}.providers is required`));
    (providers ?? []).forEach((provider, position) => {
      problems.push(...checkProvider(provider, `${field}.providers[${position}]`, kmsNames));
    });
    return problems;
  });
}

function checkResources(names: readonly string[], field: string, domain: string): FieldError[] {
  if (names.length === 0) return [requiredField(field, `at least one ${field} is required`)];
  const rules = names.map(parseResourceRule);
  const pairs = rules.flatMap((one, i) => rules.filter((_, j) => i !== j).map((other) => [one, other] as const));
  const same = ([one, other]: (typeof pairs)[number]) => one.group === other.group && one.resource === other.resource;
  const overlaps = pairs.some(
    ([one, other]) =>
      !same([one, other]) &&
      ((one.group === "*" && one.resource === "*") ||
        (one.group === other.group && (one.resource === "*" || other.resource === "*"))),
  );
  return [
    ...(pairs.some(same) ? [invalidField(field, names, "the same resource cannot be specified multiple times")] : []),
    ...(overlaps
      ? [
          invalidField(
            field,
            names,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
    ...names.flatMap((name, index) => {
      const problem = problemOfName(name, domain);
      return problem === undefined ? [] : [invalidField(`${field}[${index}]`, name, problem)];
    }),
  ];
}

function problemOfName(name: string, domain: string): string | undefined {
  const { group, resource } = parseResourceRule(name);
  if (name !== name.toLowerCase()) return "resource name should not contain capital letters";
  if (name === "*") return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (UNSERVED.includes(name)) return "resources which do not have REST API/s cannot be encrypted";
  if (group === `events.${domain}`)
    return `'*.${group}' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file`;
  if (group === "extensions") return "'extensions' group has been removed and cannot be used for encryption";
  if (group === "*" && resource !== "*") return "encrypting the same resource across groups is not supported";
  return undefined;
}

/** Reports resources that an earlier wildcard rule already covers. */
function checkMasked(names: readonly string[], at: string, wildcards: readonly GroupResourceRule[]): FieldError[] {
  return names.flatMap((name, index) => {
    const { group } = parseResourceRule(name);
    const earlier = wildcards.find((rule) => rule.group === group) ?? wildcards.find((rule) => rule.group === "*");
    if (earlier === undefined) return [];
    const problem = `resource ${goQuote(name)} is masked by earlier rule ${goQuote(`*.${earlier.group}`)}`;
    return [invalidField(`${at}[${index}]`, name, problem)];
  });
}

const PROVIDERS = ["kms", "aesgcm", "aescbc", "secretbox", "identity"] as const;

function checkProvider(provider: ProviderConfiguration, field: string, kmsNames: Set<string>): FieldError[] {
  const found = PROVIDERS.filter((name) => provider[name] !== undefined);
  const problems: FieldError[] = [];
  if (found.length === 0)
    problems.push(
      invalidFieldWithoutValue(
        field,
        "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity",
      ),
    );
  if (found.length > 1)
    problems.push(
      invalidFieldWithoutValue(
        field,
        "more than one provider specified in a single element, should split into different list elements",
      ),
    );
  const [name] = found;
  if (name === "kms" && provider.kms !== undefined) problems.push(...checkKms(provider.kms, `${field}.kms`, kmsNames));
  if (name === "aesgcm" || name === "aescbc" || name === "secretbox")
    problems.push(...checkKeys(provider[name]?.keys ?? [], `${field}.${name}.keys`, KEY_SIZES[name]));
  return problems;
}

function checkKeys(keys: readonly KeyConfiguration[], field: string, sizes: readonly number[]): FieldError[] {
  if (keys.length === 0) return [requiredField(field, "at least one keys is required")];
  return keys.flatMap(({ name, secret }, index) => [
    ...(name === "" ? [requiredField(`${field}[${index}].name`, "name is a mandatory field for a key")] : []),
    ...checkSecret(secret, `${field}[${index}].secret`, sizes),
  ]);
}

function checkSecret(secret: string, field: string, sizes: readonly number[]): FieldError[] {
  if (secret === "") return [requiredField(field, "secret is a mandatory field for a key")];
  try {
    const { length } = Buffer.from(canonicalBase64(secret), "base64");
    if (sizes.includes(length)) return [];
    const problem = `secret is not of the expected length, got ${length}, expected one of [${sizes.join(" ")}]`;
    return [invalidField(field, "REDACTED", problem)];
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    return [invalidField(field, "REDACTED", "secrets must be base64 encoded")];
  }
}

function checkKms(kms: KmsConfiguration, field: string, names: Set<string>): FieldError[] {
  const { apiVersion = "v1", name, endpoint, timeout = "3s", cachesize } = kms;
  const problems: FieldError[] = [];
  const refuse = (part: string, value: unknown, problem: string) =>
    problems.push(invalidField(`${field}.${part}`, value, problem));
  if (name === "") problems.push(requiredField(`${field}.name`, "name is a mandatory field for a provider"));
  if (apiVersion !== "v1" && name.includes(":"))
    refuse("name", name, `invalid KMS provider name ${name}, must not contain ':'`);
  if (apiVersion !== "v1" && names.has(name))
    refuse("name", name, `duplicate KMS provider name ${name}, names must be unique`);
  names.add(name);
  if (parseDuration(timeout) <= 0n)
    refuse("timeout", new Verbatim(goQuote(timeout)), "timeout should be a positive value");
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(endpoint)?.[1] ?? "";
  if (endpoint === "") refuse("endpoint", "", "endpoint is a mandatory field for a kms");
  else if (scheme !== "unix")
    refuse("endpoint", endpoint, `unsupported scheme ${goQuote(scheme)} for KMS provider, only unix is supported`);
  if (apiVersion !== "v1" && cachesize !== undefined)
    refuse("cachesize", cachesize, "cachesize is not supported in v2");
  if (apiVersion === "v1" && cachesize === 0)
    refuse("cachesize", cachesize, "cachesize should be a positive value, or negative to disable");
  if (apiVersion !== "v1" && apiVersion !== "v2")
    refuse(
      "apiVersion",
      apiVersion,
      "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported",
    );
  return problems;
}
