import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { duplicateField, invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import {
  checkDns1035Label,
  checkQualifiedName,
  checkSubdomain,
  patternMessage,
} from "../../../runtime/values/names.ts";
import type { ServerStorageVersion, StorageVersionCondition, StorageVersionStatus } from "./storage-version.ts";

const API_VERSION_WORDS = patternMessage(
  "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  ["my-name", "abc-123"],
);

export function validateStorageVersionStatus(status: StorageVersionStatus, path: string, errors: FieldError[]): void {
  const servers = status.storageVersions ?? [];
  const seen = new Set<string>();
  for (const [index, server] of servers.entries()) {
    const at = `${path}.storageVersions[${index}]`;
    const { apiServerID = "" } = server;
    if (seen.has(apiServerID)) errors.push(duplicateField(`${at}.apiServerID`, apiServerID));
    seen.add(apiServerID);
    validateServer(server, at, errors);
  }
  validateCommonVersion(servers, status.commonEncodingVersion, `${path}.commonEncodingVersion`, errors);
  // As in Kubernetes, the paths do not contain `conditions`.
  validateConditions(status.conditions ?? [], path, errors);
}

function validateServer(server: ServerStorageVersion, path: string, errors: FieldError[]): void {
  const { apiServerID = "", encodingVersion = "", decodableVersions = [], servedVersions = [] } = server;
  errors.push(...invalidFields(`${path}.apiServerID`, apiServerID, checkSubdomain(apiServerID)));
  validateApiVersion(encodingVersion, `${path}.encodingVersion`, errors);
  for (const [index, version] of decodableVersions.entries())
    validateApiVersion(version, `${path}.decodableVersions[${index}]`, errors);
  const decodable = new Set(decodableVersions);
  if (!decodable.has(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.push(invalidField(`${path}.decodableVersions`, decodableVersions, detail));
  }
  for (const [index, version] of servedVersions.entries()) {
    const field = `${path}.servedVersions[${index}]`;
    validateApiVersion(version, field, errors);
    if (decodable.has(version)) continue;
    const detail = `individual served version : ${version} must be included in decodableVersions : [${decodableVersions.join(" ")}]`;
    errors.push(invalidField(field, version, detail));
  }
}

/** `commonEncodingVersion` must be set if and only if all servers agree. */
function validateCommonVersion(
  servers: readonly ServerStorageVersion[],
  told: string | undefined,
  field: string,
  errors: FieldError[],
): void {
  const [first, ...others] = servers.map(({ encodingVersion = "" }) => encodingVersion);
  const common = others.every((version) => version === first) ? first : undefined;
  if (common === told) return;
  if (common === undefined) {
    const detail =
      "should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet";
    errors.push(invalidField(field, told, detail));
  } else {
    const detail = `the ${told === undefined ? "" : "actual "}common encoding version is ${common}`;
    errors.push(invalidField(field, told, detail));
  }
}

function validateConditions(conditions: readonly StorageVersionCondition[], path: string, errors: FieldError[]): void {
  const seen = new Map<string, number>();
  for (const [index, { type = "", status = "", reason, message }] of conditions.entries()) {
    const at = `${path}[${index}]`;
    const first = seen.get(type);
    if (first !== undefined) {
      const detail = `the type of the condition is not unique, it also appears in conditions[${first}]`;
      errors.push(invalidField(`${at}.type`, type, detail));
    }
    seen.set(type, index);
    errors.push(...invalidFields(`${at}.type`, type, checkQualifiedName(type)));
    errors.push(...invalidFields(`${at}.status`, status, checkQualifiedName(status)));
    if (!reason) errors.push(requiredField(`${at}.reason`, "reason cannot be empty"));
    if (!message) errors.push(requiredField(`${at}.message`, "message cannot be empty"));
  }
}

function validateApiVersion(apiVersion: string, field: string, errors: FieldError[]): void {
  const problems = apiVersionProblems(apiVersion);
  if (problems.length > 0) errors.push(invalidField(field, apiVersion, problems.join(",")));
}

function apiVersionProblems(apiVersion: string): string[] {
  const parts = apiVersion.split("/");
  if (parts.length > 2)
    return [
      `an apiVersion is ${API_VERSION_WORDS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`,
    ];
  const version = parts.at(-1) ?? "";
  const groupProblems = parts.length === 1 ? [] : problemsOf(parts[0] ?? "", checkSubdomain, "group part: ");
  return [...groupProblems, ...problemsOf(version, checkDns1035Label, "version part: ")];
}

function problemsOf(part: string, check: (name: string) => string[], prefix: string): string[] {
  return (part === "" ? ["must be non-empty"] : check(part)).map((problem) => prefix + problem);
}
