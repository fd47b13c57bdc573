import type { FieldError } from "../../contract/field-error.ts";
import type { HealthCheck } from "../../contract/health-check.ts";
import { systemClock } from "../../lib/clock.ts";
import { followFile } from "../../lib/follow-file.ts";
import type { Log } from "../../lib/log.ts";
import { readableByOthers } from "../../lib/private-files.ts";
import { type ConfigFileLoader, readConfigText, refuseConfigFile } from "../../schema/load-config-file.ts";
import { forbiddenField } from "../../values/field-errors.ts";
import type { Store } from "../store.ts";
import type { EncryptionConfiguration } from "./encryption-configuration.ts";
import type { KmsPlugins } from "./kms/kms-plugins.ts";
import type { ValueTransformer } from "./value-transformer.ts";

/** Path of the EncryptionConfiguration file, and whether it is reloaded when it changes. */
export interface EncryptionConfig {
  readonly file: string | undefined;
  readonly reload: boolean;
}

export interface EncryptionContext {
  readonly configFiles: ConfigFileLoader;
  /** Resource names in the file may end with this domain. */
  readonly domain: string;
  /** Whether KMS v1 plugins may be used (feature gate `KMSv1`). */
  readonly allowsKmsV1: boolean;
  readonly log: Log;
}

/** How stored values are encrypted. */
export interface Encryption {
  /** Undefined if no value is ever encrypted: values are then stored in plain form. */
  transformerFor(group: string, resource: string): ValueTransformer | undefined;
  /** Wraps the store for readers that decrypt its values. */
  over(store: Store): Store;
  readonly healthChecks: readonly HealthCheck[];
  close(): void;
}

const NONE: Encryption = {
  transformerFor: () => undefined,
  over: (store) => store,
  healthChecks: [],
  close: () => undefined,
};

/** Reads `--encryption-provider-config`. Throws a ConfigFileError for an invalid configuration. */
export async function loadEncryption(
  { file, reload }: EncryptionConfig,
  { configFiles, domain, allowsKmsV1, log }: EncryptionContext,
): Promise<Encryption> {
  if (file === undefined) return NONE;
  const [{ checkEncryption }, { ResourceEncryption }] = await Promise.all([
    import("./check-encryption.ts"),
    import("./resource-encryption.ts"),
  ]);
  const read = (text: string): EncryptionConfiguration => {
    const { object } = configFiles.load<EncryptionConfiguration>(file, text, [
      "EncryptionConfiguration",
      "EncryptionConfig",
    ]);
    refuseConfigFile(file, checkEncryption(object, domain));
    const old = oldKmsProviders(object);
    if (!allowsKmsV1) refuseConfigFile(file, old.map(refuseOldKms));
    else if (old.length > 0) log("warn", `${file}: ${KMS_V1_IS_DEPRECATED}`);
    return object;
  };
  const text = readConfigText(file);
  const warning = readableByOthers(file);
  if (warning !== undefined) log("warn", `${warning}: it contains the encryption keys of stored objects`);
  const configuration = read(text);
  // The plugin client is loaded only if plugins are or may be configured.
  const plugins = reload || namesPlugins(configuration) ? await openPlugins(configuration, log) : undefined;
  const encryption = new ResourceEncryption(configuration, (kms) => {
    if (plugins === undefined) throw new Error(`no client for the KMS plugin ${kms.name}`);
    return plugins.of(kms);
  });
  const failed = (error: Error) =>
    log("error", `cannot reload the encryption configuration, the previous one stays in use: ${error.message}`);
  const change = async (changed: string) => {
    const next = read(changed);
    await plugins?.open(next);
    encryption.change(next);
    log("info", `${file} was reloaded`);
  };
  const stop = reload
    ? followFile(file, text, { changed: (changed) => void change(changed).catch(failed), failed })
    : () => undefined;
  const { preparingStore } = plugins === undefined ? {} : await import("./kms/preparing-store.ts");
  return {
    transformerFor: (group, resource) => encryption.transformerFor(group, resource),
    over: (store) =>
      plugins === undefined || preparingStore === undefined
        ? store
        : preparingStore(store, (value) => plugins.prepare(value), systemClock),
    healthChecks: plugins === undefined ? [] : healthChecksOf(plugins, reload),
    close() {
      stop();
      plugins?.close();
    },
  };
}

async function openPlugins(configuration: EncryptionConfiguration, log: Log): Promise<KmsPlugins> {
  const { KmsPlugins } = await import("./kms/kms-plugins.ts");
  const plugins = new KmsPlugins(systemClock, (problem) => log("error", problem));
  await plugins.open(configuration);
  return plugins;
}

/** One health check for each plugin, or a single one if the plugins may change. */
function healthChecksOf(plugins: KmsPlugins, reload: boolean): HealthCheck[] {
  const check = (problems: () => readonly (string | undefined)[]) => () => {
    const problem = problems().find((one) => one !== undefined);
    if (problem !== undefined) throw new Error(problem);
  };
  if (reload) return [{ name: "kms-providers", check: check(() => plugins.all.map(({ problem }) => problem)) }];
  return plugins.all.map((plugin, index) => ({ name: `kms-provider-${index}`, check: check(() => [plugin.problem]) }));
}

function namesPlugins({ resources }: EncryptionConfiguration): boolean {
  return (resources ?? []).some(({ providers }) => (providers ?? []).some(({ kms }) => kms !== undefined));
}

const KMS_V1_IS_DEPRECATED =
  "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.";

/** Paths of the fields that configure KMS v1 plugins. */
function oldKmsProviders({ resources }: EncryptionConfiguration): string[] {
  return (resources ?? []).flatMap(({ providers }, index) =>
    (providers ?? []).flatMap(({ kms }, position) =>
      kms === undefined || kms.apiVersion === "v2" ? [] : [`resources[${index}].providers[${position}].kms.apiVersion`],
    ),
  );
}

function refuseOldKms(field: string): FieldError {
  return forbiddenField(
    field,
    `${KMS_V1_IS_DEPRECATED}  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.`,
  );
}
