import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Int32 } from "../../vocabulary.ts";

/** Where traces are sent, and how many. */
export interface TracingConfiguration extends TypeMeta {
  /** Address of the collector. */
  endpoint?: string;
  /** How many of a million spans are kept. */
  samplingRatePerMillion?: Int32;
}

export const tracingConfiguration = configKind<TracingConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1alpha1 TracingConfiguration"],
});
