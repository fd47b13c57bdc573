import { group } from "../vocabulary.ts";

/** Configuration of the admission plugin PodTolerationRestriction. */
export const podtolerationrestriction = group({
  name: "podtolerationrestriction.admission.<domain>",
  versions: ["v1alpha1"],
  package: "kubernetes/plugin/pkg/admission/podtolerationrestriction/apis/podtolerationrestriction",
  configuration: true,
});
