import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { type Always, configKind, type Nullable, type RawObject } from "../../vocabulary.ts";

/** Settings of the admission plugins. */
export interface AdmissionConfiguration extends TypeMeta {
  plugins?: AdmissionPluginConfiguration[] & Always;
}

export interface AdmissionPluginConfiguration {
  name: string;
  path?: string & Always;
  configuration?: RawObject & Nullable;
}

export const admissionConfiguration = configKind<AdmissionConfiguration>({});
