import { readConfigKinds } from "../../generated/registry.ts";
import { forbiddenField } from "../lib/field-errors.ts";
import { followFile } from "../lib/follow-file.ts";
import type { Log } from "../lib/log.ts";
import { ConfigFileLoader, refuseConfigFile } from "../schema/load-config-file.ts";
import type { EncryptionConfiguration } from "../store/encryption/encryption-configuration.ts";
import type { ValueTransformer } from "../store/encryption/value-transformer.ts";
import { readConfigText } from "./config-text.ts";
import type { Platform } from "./platform.ts";
import type { ServerConfig } from "./server-config.ts";

/** How stored values are encrypted. */
export interface Encryption {
  /** Undefined where nothing ever is: values then go as they are. */
  transformerFor(group: string, resource: string): ValueTransformer | undefined;
  close(): void;
}

const NONE: Encryption = { transformerFor: () => undefined, close: () => undefined };

/** Reads `--encryption-provider-config`. Throws a ConfigFileError for what makes no sense. */
export async function loadEncryption(config: ServerConfig, platform: Platform, log: Log): Promise<Encryption> {
  const { file, reload } = config.encryption;
  if (file === undefined) return NONE;
  const [{ checkEncryption }, { ResourceEncryption }] = await Promise.all([
    import("../store/encryption/check-encryption.ts"),
    import("../store/encryption/resource-encryption.ts"),
  ]);
  const loader = new ConfigFileLoader(platform.schemas, readConfigKinds());
  const read = (text: string): EncryptionConfiguration => {
    const { object } = loader.load<EncryptionConfiguration>(file, text, [
      "EncryptionConfiguration",
      "EncryptionConfig",
    ]);
    refuseConfigFile(file, checkEncryption(object, platform.catalogue.domain));
    refuseConfigFile(file, kmsProviders(object));
    return object;
  };
  const text = readConfigText(file);
  const encryption = new ResourceEncryption(read(text));
  const transformerFor = (group: string, resource: string) => encryption.transformerFor(group, resource);
  if (!reload) return { ...NONE, transformerFor };
  const failed = (error: Error) => log("error", `the encryption stays as it was: ${error.message}`);
  const changed = (next: string) => {
    try {
      encryption.change(read(next));
      log("info", `${file} has changed and is in use`);
    } catch (error) {
      failed(error as Error);
    }
  };
  return { transformerFor, close: followFile(file, text, { changed, failed }) };
}

/** Plugins that keep keys are not asked by this server: it says so rather than leaving secrets in the clear. */
function kmsProviders({ resources }: EncryptionConfiguration) {
  return (resources ?? []).flatMap(({ providers }, index) =>
    (providers ?? []).flatMap(({ kms }, position) =>
      kms === undefined
        ? []
        : [
            forbiddenField(
              `resources[${index}].providers[${position}].kms`,
              "this server asks no KMS plugins; use secretbox, aesgcm or aescbc",
            ),
          ],
    ),
  );
}
