import { string } from "./flag.ts";
import { section } from "./section.ts";

export const TRACES = section(
  "Traces",
  {
    tracingConfig: string("tracing-config-file", {
      help: "File of kind TracingConfiguration: the OpenTelemetry collector that traces of requests are sent to, and how many requests are traced.",
    }).to((path) => path || undefined),
  },
  (values) => values,
);

export const EGRESS = section(
  "Egress selector",
  {
    egressSelectorConfig: string("egress-selector-config-file", {
      help: "File of kind EgressSelectorConfiguration: the proxies through which this server connects to webhooks, extension API servers, nodes and etcd.",
    }).to((path) => path || undefined),
  },
  (values) => values,
);
