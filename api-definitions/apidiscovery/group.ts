import { group } from "../vocabulary.ts";

/** The aggregated discovery documents. */
export const apidiscovery = group({
  name: "apidiscovery.<domain>",
  versions: ["v2", "v2beta1"],
  kubernetes: true,
});
