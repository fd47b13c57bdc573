import { dirname, isAbsolute, resolve } from "node:path";
import { createClientCredentials } from "../auth/webhook/client-credentials.ts";
import type { Kubeconfig } from "../auth/webhook/webhook-connection.ts";
import type { Log } from "../lib/log.ts";
import { type ConfigFileLoader, readConfigText, refuseConfigFile } from "../schema/load-config-file.ts";
import { invalidField } from "../values/field-errors.ts";
import { isPluginName, nearestPluginName } from "./plugin-names.ts";
import type { CredentialsFor, LimitedResource, PluginSettings } from "./plugin-settings.ts";
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

/** Reads one plugin's settings from the text of its configuration. */
type ReadSettings = (loader: ConfigFileLoader, file: string, text: string) => PluginSettings;

const PLUGINS: Readonly<Record<string, ReadSettings | undefined>> = {
  PodSecurity(loader, file, text) {
    const { object } = loader.load<PodSecurityConfiguration>(file, text, ["PodSecurityConfiguration"]);
    refuseConfigFile(file, checkPodSecurity(object));
    return { podSecurity: podSecuritySettings(object) };
  },
  ResourceQuota(loader, file, text) {
    const kinds = ["ResourceQuotaConfiguration", "Configuration"];
    const { object } = loader.load<{ limitedResources?: LimitedResource[] }>(file, text, kinds);
    return { limitedResources: object.limitedResources ?? [] };
  },
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

/**
 * Reads `--admission-control-config-file` and the files it names. Configuration of plugins that take none, or that are not
 * enabled, is ignored, as in Kubernetes. Throws a ConfigFileError for an invalid configuration.
 */
export function loadAdmissionSettings(file: string | undefined, loader: ConfigFileLoader, log: Log): PluginSettings {
  if (file === undefined || file === "") return {};
  const { object } = loader.load<AdmissionConfiguration>(file, readConfigText(file), ["AdmissionConfiguration"]);
  let settings: PluginSettings = {};
  const told = new Set<string>();
  for (const [index, { name, path, configuration }] of (object.plugins ?? []).entries()) {
    if (!isPluginName(name)) log("warn", `${file}: plugin "${name}" is unknown${nearestPluginName(name)}`);
    if (told.has(name)) continue;
    told.add(name);
    const read = PLUGINS[name];
    if (read === undefined) continue;
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
