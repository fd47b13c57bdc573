import { group } from "typeplane/vocabulary";

/** Names in a zone of a DNS provider. */
export const dns = group({ name: "dns.<domain>", versions: ["v1", "v1beta1"] });
