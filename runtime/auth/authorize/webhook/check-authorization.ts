import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { CompiledExpression } from "../../../cel/cel.ts";
import type { FieldError } from "../../../contract/field-error.ts";
import { formatDuration, parseDuration } from "../../../go/duration.ts";
import { goQuote } from "../../../go/quote.ts";
import { Verbatim } from "../../../go/verbatim.ts";
import { duplicateField, invalidField, requiredField, unsupportedField } from "../../../values/field-errors.ts";
import { checkSubdomain } from "../../../values/names.ts";
import { AUTHORIZATION_MODES } from "../create-authorizer.ts";
import type {
  AuthorizationConfiguration,
  AuthorizerConfiguration,
  WebhookConfiguration,
} from "./authorization-configuration.ts";
import { compileMatchConditions, createReviewEnvironment } from "./match-conditions.ts";

const MAX_TIMEOUT = 30_000_000_000n;
const CONNECTIONS = ["InClusterConfig", "KubeConfigFile"];

export interface CheckedAuthorizer {
  readonly configuration: AuthorizerConfiguration;
  readonly conditions: readonly CompiledExpression[];
}

/**
 * Validates an AuthorizationConfiguration, with the messages of Kubernetes, and compiles its conditions. The authorizers may be used only if there
 * are no `problems`. Paths of webhook fields omit `webhook`, as in Kubernetes.
 */
export function checkAuthorization(
  configuration: AuthorizationConfiguration,
  withSelectors: boolean,
): { readonly authorizers: readonly CheckedAuthorizer[]; readonly problems: readonly FieldError[] } {
  const problems: FieldError[] = [];
  const given = configuration.authorizers ?? [];
  if (given.length === 0)
    problems.push(requiredField("authorizers", "at least one authorization mode must be defined"));
  let made: ReturnType<typeof createReviewEnvironment> | undefined;
  const environment = () => {
    made ??= createReviewEnvironment(withSelectors);
    return made;
  };
  const types = new Set<string>();
  const names = new Set<string>();
  const authorizers = given.map((authorizer, index): CheckedAuthorizer => {
    const field = `authorizers[${index}]`;
    const wrongType = checkType(authorizer.type, `${field}.type`, types);
    if (wrongType !== undefined) {
      problems.push(wrongType);
      return { configuration: authorizer, conditions: [] };
    }
    types.add(authorizer.type);
    problems.push(...checkName(authorizer, `${field}.name`, names));
    names.add(authorizer.name);
    const { type, webhook } = authorizer;
    if (type !== "Webhook") {
      if (webhook !== undefined)
        problems.push(invalidField(`${field}.webhook`, "non-null", "may only be specified when type=Webhook"));
      return { configuration: authorizer, conditions: [] };
    }
    if (webhook === undefined) {
      problems.push(requiredField(`${field}.webhook`, "required when type=Webhook"));
      return { configuration: authorizer, conditions: [] };
    }
    problems.push(...checkWebhook(webhook, field));
    const conditions = webhook.matchConditions ?? [];
    return {
      configuration: authorizer,
      conditions: compileMatchConditions(conditions, `${field}.matchConditions`, environment, problems),
    };
  });
  return { authorizers, problems };
}

function checkType(type: string, field: string, seen: ReadonlySet<string>): FieldError | undefined {
  if (type === "") return requiredField(field);
  if (!(AUTHORIZATION_MODES as readonly string[]).includes(type))
    return unsupportedField(field, type, AUTHORIZATION_MODES);
  return seen.has(type) && type !== "Webhook" ? duplicateField(field, type) : undefined;
}

function checkName({ type, name }: AuthorizerConfiguration, field: string, seen: ReadonlySet<string>): FieldError[] {
  if (name === "") return [requiredField(field)];
  if (seen.has(name)) return [duplicateField(field, name)];
  const malformed = checkSubdomain(name);
  if (malformed.length > 0) return [invalidField(field, name, `authorizer name is invalid: ${malformed.join(", ")}`)];
  const expected = type.toLowerCase();
  if (type === "Webhook" || name === expected) return [];
  return [invalidField(field, name, `expected name ${expected} for authorizer ${type} instead of ${name}`)];
}

function checkWebhook(webhook: WebhookConfiguration, at: string): FieldError[] {
  const { subjectAccessReviewVersion: sent, matchConditionSubjectAccessReviewVersion: seen, failurePolicy } = webhook;
  const problems = [
    ...checkDuration(webhook.timeout, `${at}.timeout`, "must be > 0s and <= 30s", MAX_TIMEOUT),
    ...checkDuration(webhook.authorizedTTL, `${at}.authorizedTTL`, "must be > 0s"),
    ...checkDuration(webhook.unauthorizedTTL, `${at}.unauthorizedTTL`, "must be > 0s"),
    ...checkChoice(sent, `${at}.subjectAccessReviewVersion`, ["v1", "v1beta1"]),
  ];
  const seenField = `${at}.matchConditionSubjectAccessReviewVersion`;
  if (seen === "" && (webhook.matchConditions ?? []).length > 0)
    problems.push(requiredField(seenField, "required if match conditions are specified"));
  if (seen !== "") problems.push(...checkChoice(seen, seenField, ["v1"]));
  problems.push(...checkChoice(failurePolicy, `${at}.failurePolicy`, ["NoOpinion", "Deny"]));
  problems.push(...checkConnection(webhook.connectionInfo, `${at}.connectionInfo`));
  return problems;
}

function checkDuration(text: string, field: string, problem: string, maximum?: bigint): FieldError[] {
  const duration = parseDuration(text === "" ? "0s" : text);
  if (duration === 0n) return [requiredField(field)];
  if (duration > 0n && (maximum === undefined || duration <= maximum)) return [];
  return [invalidField(field, formatDuration(duration), problem)];
}

function checkChoice(value: string, field: string, choices: readonly string[]): FieldError[] {
  if (value === "") return [requiredField(field)];
  return choices.includes(value) ? [] : [unsupportedField(field, value, choices)];
}

function checkConnection(info: WebhookConfiguration["connectionInfo"], at: string): FieldError[] {
  const { type } = info;
  const file = info.kubeConfigFile ?? "";
  const field = `${at}.kubeConfigFile`;
  if (type === "") return [requiredField(`${at}.type`)];
  if (!CONNECTIONS.includes(type)) {
    const shown = info.kubeConfigFile == null ? "(*string)(nil)" : goQuote(file);
    const value = new Verbatim(`apiserver.WebhookConnectionInfo{Type:${goQuote(type)}, KubeConfigFile:${shown}}`);
    return [unsupportedField(`${at}.type`, value, CONNECTIONS)];
  }
  if (type === "InClusterConfig")
    return info.kubeConfigFile == null ? [] : [invalidField(field, file, "can only be set when type=KubeConfigFile")];
  if (file === "") return [requiredField(field)];
  if (!isAbsolute(file)) return [invalidField(field, file, "must be an absolute path")];
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined)
    return [invalidField(field, file, `error loading file: stat ${file}: no such file or directory`)];
  return found.isFile() ? [] : [invalidField(field, file, "must be a regular file")];
}
