import { dirname, isAbsolute, resolve } from "node:path";
import type { Configuration as RateLimits } from "../../api-definitions/eventratelimit/v1alpha1/configuration.ts";
import type { Configuration as Tolerations } from "../../api-definitions/podtolerationrestriction/v1alpha1/configuration.ts";
import { createClientCredentials } from "../auth/webhook/client-credentials.ts";
import { openWebhook } from "../auth/webhook/open-webhook.ts";
import type { WebhookClient } from "../auth/webhook/webhook-client.ts";
import { connectionOfKubeconfig, type Kubeconfig } from "../auth/webhook/webhook-connection.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import { didYouMean } from "../lib/did-you-mean.ts";
import {
  ConfigFileError,
  type ConfigFileLoader,
  readConfigText,
  refuseConfigFile,
} from "../schema/load-config-file.ts";
import { collectErrors, invalidField, requiredField } from "../values/field-errors.ts";
import { validateTolerations } from "../values/tolerations.ts";
import { isPluginName, nearestPluginName } from "./plugin-names.ts";
import type { CredentialsFor, ImagePolicySettings, LimitedResource, PluginSettings } from "./plugin-settings.ts";
import { checkRateLimits } from "./plugins/event-rate-limit.ts";
import {
  checkPodSecurity,
  type PodSecurityConfiguration,
  podSecuritySettings,
} from "./pod-security/pod-security-settings.ts";

interface AdmissionConfiguration {
  readonly plugins?: readonly {
    readonly name: string;
    readonly path?: string;
    readonly configuration?: object | null;
  }[];
}

/** Reads the settings of one plugin from its configuration. */
type ReadSettings = (loader: ConfigFileLoader, file: string, text: string) => PluginSettings;

const PLUGINS: Readonly<Record<string, ReadSettings | undefined>> = {
  PodSecurity(loader, file, text) {
    const { object } = loader.load<PodSecurityConfiguration>(file, text, ["PodSecurityConfiguration"]);
    refuseConfigFile(file, checkPodSecurity(object));
    return { podSecurity: podSecuritySettings(object) };
  },
  ResourceQuota(loader, file, text) {
    const kinds = ["apiserver/v1.ResourceQuotaConfiguration"];
    const { object } = loader.load<{ limitedResources?: LimitedResource[] }>(file, text, kinds);
    const limitedResources = object.limitedResources ?? [];
    const nameless = limitedResources.flatMap(({ resource }, index) => (resource === "" ? [index] : []));
    refuseConfigFile(
      file,
      nameless.map((index) => requiredField(`limitedResources[${index}].resource`)),
    );
    return { limitedResources };
  },
  EventRateLimit(loader, file, text) {
    const { object } = loader.load<RateLimits>(file, text, ["eventratelimit/v1alpha1.Configuration"]);
    // Absent lists of fields that are always serialized are null.
    const limits = object.limits ?? [];
    refuseConfigFile(file, checkRateLimits(limits));
    return { eventRateLimits: limits };
  },
  PodTolerationRestriction(loader, file, text) {
    const { object } = loader.load<Tolerations>(file, text, ["podtolerationrestriction/v1alpha1.Configuration"]);
    const problems = collectErrors((errors) => {
      validateTolerations(object.default, "default", errors);
      validateTolerations(object.whitelist, "whitelist", errors);
    });
    refuseConfigFile(file, problems);
    return { podTolerations: object };
  },
  PodNodeSelector: (_loader, file, text) => ({ podNodeSelectors: readNodeSelectors(file, text) }),
  ImagePolicyWebhook: (loader, file, text) => ({ imagePolicy: readImagePolicy(loader, file, text) }),
  MutatingAdmissionWebhook: (...from) => ({ mutatingCredentials: readCredentials(...from) }),
  ValidatingAdmissionWebhook: (...from) => ({ validatingCredentials: readCredentials(...from) }),
};

function readCredentials(loader: ConfigFileLoader, file: string, text: string): CredentialsFor {
  const kinds = ["WebhookAdmissionConfiguration", "WebhookAdmission"];
  const { kubeConfigFile } = loader.load<{ kubeConfigFile: string }>(file, text, kinds).object;
  if (!isAbsolute(kubeConfigFile))
    refuseConfigFile(file, [invalidField("kubeConfigFile", kubeConfigFile, "must be an absolute file path")]);
  const { object } = loader.load<Kubeconfig>(kubeConfigFile, readConfigText(kubeConfigFile), ["Config"]);
  return createClientCredentials(kubeConfigFile, object);
}

/** Reads the settings of PodNodeSelector: selectors by namespace under `podNodeSelectorPluginConfig`. The file has no apiVersion and kind. */
function readNodeSelectors(file: string, text: string): Readonly<Record<string, string>> {
  const selectors = readFields(file, text, ["podNodeSelectorPluginConfig"]).podNodeSelectorPluginConfig ?? {};
  const isText = (value: unknown) => typeof value === "string";
  if (typeof selectors !== "object" || !Object.values(selectors).every(isText)) {
    throw new ConfigFileError(`${file}: podNodeSelectorPluginConfig: must be a map of node selectors by namespace`);
  }
  return selectors as Record<string, string>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const IMAGE_POLICY_TIMEOUT_MS = 30 * SECOND;

/** Reads the settings of ImagePolicyWebhook: fields under `imagePolicy`. The file has no apiVersion and kind. */
function readImagePolicy(loader: ConfigFileLoader, file: string, text: string): ImagePolicySettings {
  const { imagePolicy } = readFields(file, text, ["imagePolicy"]);
  const names = ["kubeConfigFile", "allowTTL", "denyTTL", "retryBackoff", "defaultAllow"];
  const fields = checkedFields(`${file}: imagePolicy`, imagePolicy ?? {}, names);
  const { kubeConfigFile, defaultAllow = false } = fields;
  if (typeof kubeConfigFile !== "string" || kubeConfigFile === "") {
    throw new ConfigFileError(`${file}: imagePolicy.kubeConfigFile: is required`);
  }
  if (typeof defaultAllow !== "boolean")
    throw new ConfigFileError(`${file}: imagePolicy.defaultAllow: must be a boolean`);
  const duration = (
    name: string,
    unit: number,
    range: Readonly<Record<"usual" | "least" | "most", number>>,
  ): number => {
    const value = fields[name] ?? 0;
    if (value === -1) return 0;
    if (value === 0) return range.usual;
    if (typeof value === "number" && value * unit >= range.least && value * unit <= range.most) return value * unit;
    const [least, most] = [range.least / unit, range.most / unit];
    throw new ConfigFileError(
      `${file}: imagePolicy.${name}: must be from ${least} to ${most}, 0 for the default or -1 for none`,
    );
  };
  const firstDelayMs = duration("retryBackoff", 1, { usual: 500, least: 1, most: 5 * MINUTE });
  const allowTtlMs = duration("allowTTL", SECOND, { usual: 5 * MINUTE, least: SECOND, most: 30 * MINUTE });
  const denyTtlMs = duration("denyTTL", SECOND, { usual: 30 * SECOND, least: SECOND, most: 30 * MINUTE });
  const kubeconfig = resolve(dirname(file), kubeConfigFile);
  const { object } = loader.load<Kubeconfig>(kubeconfig, readConfigText(kubeconfig), ["Config"]);
  connectionOfKubeconfig(kubeconfig, object);
  let client: Promise<WebhookClient> | undefined;
  return {
    async post(review) {
      client ??= openWebhook(loader, kubeconfig, IMAGE_POLICY_TIMEOUT_MS, { firstDelayMs });
      return (await client).post(review, (answer) => answer);
    },
    allowTtlMs,
    denyTtlMs,
    defaultAllow,
  };
}

/** Reads the fields of a file without apiVersion and kind. */
function readFields(file: string, text: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    ({ value } = parseYaml(text));
  } catch (error) {
    throw new ConfigFileError(`${file}: ${(error as Error).message}`);
  }
  return checkedFields(file, value, names);
}

function checkedFields(place: string, value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigFileError(`${place}: must be an object`);
  }
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ConfigFileError(`${place}: unknown field "${unknown}"${didYouMean(unknown, names)}`);
  return value as Record<string, unknown>;
}

/**
 * Reads `--admission-control-config-file` and the files that it names. As in Kubernetes, configuration of plugins that accept none, or that are not
 * in `enabled`, is ignored. Throws a ConfigFileError for an invalid configuration.
 */
export function loadAdmissionSettings(
  file: string,
  loader: ConfigFileLoader,
  enabled: ReadonlySet<string>,
): PluginSettings {
  const { object } = loader.load<AdmissionConfiguration>(file, readConfigText(file), ["AdmissionConfiguration"]);
  let settings: PluginSettings = {};
  const told = new Set<string>();
  for (const [index, { name, path, configuration }] of (object.plugins ?? []).entries()) {
    const place = `${file}: plugins[${index}].name`;
    if (name === "") throw new ConfigFileError(`${place}: is required`);
    if (!isPluginName(name))
      throw new ConfigFileError(`${place}: plugin "${name}" is unknown${nearestPluginName(name)}`);
    if (told.has(name)) throw new ConfigFileError(`${place}: plugin "${name}" is configured twice`);
    told.add(name);
    const read = PLUGINS[name];
    if (read === undefined || !enabled.has(name)) continue;
    if (configuration !== undefined && configuration !== null) {
      const within = read(loader, `${file}: plugins[${index}].configuration`, JSON.stringify(configuration));
      settings = { ...settings, ...within };
    } else if (path !== undefined && path !== "") {
      const elsewhere = resolve(dirname(file), path);
      settings = { ...settings, ...read(loader, elsewhere, readConfigText(elsewhere)) };
    }
  }
  return settings;
}
