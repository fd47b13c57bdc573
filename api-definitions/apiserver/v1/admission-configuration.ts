import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type Nullable, type RawObject } from "../../vocabulary.ts";

/** Settings of the admission plugins. */
export interface AdmissionConfiguration extends TypeMeta {
  /** Settings by plugin. */
  plugins?: AdmissionPluginConfiguration[] & Always;
}

/** Settings of one plugin. */
export interface AdmissionPluginConfiguration {
  /** Name of the plugin. */
  name: string;
  /** File with the settings. */
  path?: string & Always;
  /** The settings themselves. */
  configuration?: RawObject & Nullable;
}

export const admissionConfiguration = configKind<AdmissionConfiguration>({ group: "apiserver.config.<domain>" });
