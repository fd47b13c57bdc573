import { group } from "../vocabulary.ts";

/** Configuration of the admission plugin EventRateLimit. */
export const eventratelimit = group({
  name: "eventratelimit.admission.<domain>",
  versions: ["v1alpha1"],
  package: "kubernetes/plugin/pkg/admission/eventratelimit/apis/eventratelimit",
  configuration: true,
});
