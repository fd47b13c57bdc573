import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type Nullable, type RawObject } from "../../vocabulary.ts";

/**
 * Configuration of admission plugins, read at start from the file named by `--admission-control-config-file`. Which
 * plugins run is set by `--enable-admission-plugins` and `--disable-admission-plugins`.
 */
export interface AdmissionConfiguration extends TypeMeta {
  /**
   * Configuration of each plugin. If a plugin is listed several times, the first entry is used. Plugins that take no
   * configuration ignore theirs.
   */
  plugins?: AdmissionPluginConfiguration[] & Always;
}

/** Configuration of one admission plugin, in this file or in a file of its own. */
export interface AdmissionPluginConfiguration {
  /** Name of the plugin, such as `PodSecurity`, `ResourceQuota` or `ValidatingAdmissionWebhook`. */
  name: string;
  /**
   * Path of the file with the configuration of the plugin, relative to the directory of this file. Used if
   * `configuration` is unset.
   */
  path?: string & Always;
  /**
   * Configuration of the plugin as an object with `apiVersion` and `kind`, such as a PodSecurityConfiguration. Takes
   * precedence over `path`.
   */
  configuration?: RawObject & Nullable;
}

export const admissionConfiguration = configKind<AdmissionConfiguration>({});
