import { string } from "./flag.ts";
import { section } from "./section.ts";

export const EGRESS = section(
  "Egress selector",
  {
    egressSelectorConfig: string("egress-selector-config-file", {
      help: "File of kind EgressSelectorConfiguration: the proxies through which this server connects to webhooks, extension API servers, nodes and etcd.",
    }).to((path) => path || undefined),
  },
  (values) => values,
);
