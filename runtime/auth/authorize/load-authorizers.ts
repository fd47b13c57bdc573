import type { Naming } from "../../contract/naming.ts";
import { parseDuration } from "../../go/duration.ts";
import type { Clock } from "../../lib/clock.ts";
import { followFile } from "../../lib/follow-file.ts";
import type { Log } from "../../lib/log.ts";
import type { AuthorizerMetrics } from "../../metrics/authorizer-metrics.ts";
import type { Route } from "../../outbound/dial.ts";
import type { FeatureGates } from "../../release/feature-gates.ts";
import {
  ConfigFileError,
  type ConfigFileLoader,
  readConfigText,
  refuseConfigFile,
} from "../../schema/load-config-file.ts";
import { openWebhook } from "../webhook/open-webhook.ts";
import type { WebhookClient } from "../webhook/webhook-client.ts";
import type { AuthorizerEntry, AuthorizerLabel, AuthorizerMember } from "./create-authorizer.ts";
import type { AuthorizationConfiguration, WebhookConfiguration } from "./webhook/authorization-configuration.ts";
import type { CheckedAuthorizer } from "./webhook/check-authorization.ts";

/** Authorizers in calling order. */
export interface Authorizers {
  readonly entries: readonly AuthorizerEntry[];
  /** Calls `change` whenever the file changes and is valid. */
  follow(change: (entries: readonly AuthorizerEntry[]) => void): void;
  close(): void;
}

/** Authorization settings from flags. */
export interface AuthorizationConfig {
  readonly authorizationModes: readonly string[];
  /** File of kind AuthorizationConfiguration, used instead of modes. */
  readonly authorizationConfig: string | undefined;
  /** File with the policies of mode ABAC, one per line. */
  readonly authorizationPolicyFile: string | undefined;
  /** The webhook of mode Webhook. */
  readonly authorizationWebhook: AuthorizationWebhookFlags | undefined;
}

export interface AuthorizationWebhookFlags {
  /** Path of a kubeconfig. */
  readonly configFile: string;
  /** Version of the SubjectAccessReviews that are sent: `v1` or `v1beta1`. */
  readonly version: string;
  /** Durations such as `5m0s`. */
  readonly authorizedTtl: string;
  readonly unauthorizedTtl: string;
}

export interface AuthorizersParts {
  readonly config: AuthorizationConfig;
  readonly configFiles: ConfigFileLoader;
  /** Proxy to webhooks; undefined for direct connections. */
  readonly route: Route | undefined;
  readonly gates: FeatureGates;
  readonly metrics: AuthorizerMetrics;
  readonly naming: Naming;
  readonly clock: Clock;
  readonly log: Log;
}

/** Reads `--authorization-config`, or the modes and their flags. Throws a ConfigFileError for an invalid configuration. */
export async function createAuthorizers(parts: AuthorizersParts): Promise<Authorizers> {
  const { config, log } = parts;
  const file = config.authorizationConfig;
  if (file === undefined) return authorizersOfFlags(parts);
  const text = readConfigText(file);
  let current = await load(parts, file, text);
  const required = current.entries.filter((entry) => typeof entry === "string");
  let stop = () => {};
  return {
    entries: current.entries,
    follow(change) {
      const reload = async (changed: string) => {
        const next = await load(parts, file, changed);
        const missing = required.filter((type) => !next.entries.includes(type));
        if (missing.length > 0)
          throw new ConfigFileError(`${file}: missing required types: [${missing.sort().join(" ")}]`);
        const added = next.entries.find((entry) => typeof entry === "string" && !required.includes(entry));
        if (added === "Node" || added === "RBAC")
          throw new ConfigFileError(
            `${file}: authorizer type ${added} is not allowed if it was not enabled at initial server startup`,
          );
        change(next.entries);
        closeAll(current.clients);
        current = next;
        log("info", `${file} was reloaded`);
      };
      const failed = (error: Error) =>
        log("error", `cannot reload the authorization configuration, the previous one stays in use: ${error.message}`);
      stop = followFile(file, text, { changed: (changed) => void reload(changed).catch(failed), failed });
    },
    close() {
      stop();
      closeAll(current.clients);
    },
  };
}

interface Loaded {
  readonly entries: readonly AuthorizerEntry[];
  readonly clients: readonly WebhookClient[];
}

async function load(parts: AuthorizersParts, file: string, text: string): Promise<Loaded> {
  const { gates, configFiles } = parts;
  if (!gates.enabled("StructuredAuthorizationConfiguration"))
    throw new ConfigFileError(
      "--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag",
    );
  const { object } = configFiles.load<AuthorizationConfiguration>(file, text, ["AuthorizationConfiguration"]);
  const { checkAuthorization } = await import("./webhook/check-authorization.ts");
  const checked = checkAuthorization(object, gates.enabled("AuthorizeWithSelectors"));
  refuseConfigFile(file, checked.problems);
  return createEntries(parts, checked.authorizers);
}

/** Creates the authorizers of `--authorization-mode`. Mode Webhook is configured by its own flags. */
async function authorizersOfFlags(parts: AuthorizersParts): Promise<Authorizers> {
  const { authorizationModes: modes, authorizationWebhook: flags } = parts.config;
  const authorizers = modes.map((type): CheckedAuthorizer => {
    if (type !== "Webhook" || flags === undefined) return { configuration: { type, name: "" }, conditions: [] };
    const webhook: WebhookConfiguration = {
      authorizedTTL: flags.authorizedTtl,
      unauthorizedTTL: flags.unauthorizedTtl,
      timeout: "30s",
      subjectAccessReviewVersion: flags.version,
      matchConditionSubjectAccessReviewVersion: "",
      failurePolicy: "NoOpinion",
      connectionInfo: { type: "KubeConfigFile", kubeConfigFile: flags.configFile },
      matchConditions: null,
    };
    return { configuration: { type, name: "default", webhook }, conditions: [] };
  });
  const { entries, clients } = await createEntries(parts, authorizers);
  return { entries, follow: () => undefined, close: () => closeAll(clients) };
}

/** Creates the authorizers of a validated configuration. Modules are loaded only for modes that are used. */
async function createEntries(parts: AuthorizersParts, checked: readonly CheckedAuthorizer[]): Promise<Loaded> {
  const clients: WebhookClient[] = [];
  const entries: AuthorizerEntry[] = [];
  for (const { configuration, conditions } of checked) {
    const { type, name, webhook } = configuration;
    if (type === "ABAC") {
      const label: AuthorizerLabel = { type: "ABAC", name: "abac" };
      entries.push(Object.assign(await openAbac(parts), { label }));
      continue;
    }
    if (webhook === undefined) {
      entries.push(type);
      continue;
    }
    const { WebhookAuthorizer } = await import("./webhook/webhook-authorizer.ts");
    const { connectionInfo, failurePolicy, subjectAccessReviewVersion } = webhook;
    const file = connectionInfo.type === "InClusterConfig" ? undefined : (connectionInfo.kubeConfigFile ?? "");
    const { metrics, route } = parts;
    const client = await openWebhook(parts.configFiles, file, milliseconds(webhook.timeout), {
      route,
      observe: (result, duration) => metrics.called(name, result, duration),
    });
    clients.push(client);
    const label: AuthorizerLabel = { type: "Webhook", name };
    entries.push(
      Object.assign(
        new WebhookAuthorizer({
          name,
          client,
          reviewVersion: `${parts.naming.group("authorization")}/${subjectAccessReviewVersion}`,
          authorizedMs: milliseconds(webhook.authorizedTTL),
          unauthorizedMs: milliseconds(webhook.unauthorizedTTL),
          onFailure: failurePolicy === "Deny" ? "deny" : "noOpinion",
          conditions,
          metrics,
          clock: parts.clock,
          log: parts.log,
        }),
        { label },
      ),
    );
  }
  return { entries, clients };
}

async function openAbac({ config, naming }: AuthorizersParts): Promise<AuthorizerMember> {
  const { createAbacAuthorizer, parseAbacPolicies } = await import("./abac-authorizer.ts");
  const file = config.authorizationPolicyFile;
  if (!file) throw new ConfigFileError("the authorizer ABAC needs --authorization-policy-file");
  const apiVersion = `abac.authorization.${naming.vendor}.io/v1beta1`;
  return createAbacAuthorizer(parseAbacPolicies(file, readConfigText(file), apiVersion));
}

function milliseconds(duration: string): number {
  return Number(parseDuration(duration)) / 1e6;
}

function closeAll(clients: readonly WebhookClient[]): void {
  for (const client of clients) client.close();
}
