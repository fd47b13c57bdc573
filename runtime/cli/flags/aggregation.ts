import { boolean, file, keyPair } from "./flag.ts";
import { section } from "./section.ts";

export const AGGREGATION = section(
  "Aggregation",
  {
    certificate: file("proxy-client-cert-file", {
      help: "Client certificate for requests to extension API servers, instead of the one generated in --cert-dir. Reloaded when it changes.",
    }),
    key: file("proxy-client-key-file", { help: "Private key of --proxy-client-cert-file." }),
    toEndpoints: boolean("enable-aggregator-routing", {
      default: "false",
      help: "Send requests to extension API servers, admission webhooks and conversion webhooks to an endpoint of their Service instead of its cluster IP.",
    }),
    rejectsRedirects: boolean("aggregator-reject-forwarding-redirect", {
      default: "true",
      help: "Reject redirects of extension API servers instead of passing them to the client.",
    }),
  },
  ({ certificate, key, ...values }) => {
    const client = keyPair(["proxy-client-cert-file", certificate], ["proxy-client-key-file", key]);
    return { aggregation: { ...values, client } };
  },
);
