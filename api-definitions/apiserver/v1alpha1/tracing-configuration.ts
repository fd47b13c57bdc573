import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { configKind, type Int32 } from "../../vocabulary.ts";

/** Export of OpenTelemetry traces of requests: file of `--tracing-config-file`. */
export interface TracingConfiguration extends TypeMeta {
  /** Address of the OTLP collector to which traces are sent by gRPC without TLS. Defaults to `localhost:4317`. */
  endpoint?: string;
  /**
   * Number of requests out of a million that are traced. Requests of `system:masters` and `system:monitoring` that
   * belong to a trace which the client samples are traced in any case. Defaults to 0.
   */
  samplingRatePerMillion?: Int32;
}

export const tracingConfiguration = configKind<TracingConfiguration>({
  group: "apiserver.config.<domain>",
  aliases: ["apiserver.<domain>/v1alpha1 TracingConfiguration"],
});
