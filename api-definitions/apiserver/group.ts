import { group } from "../vocabulary.ts";

/** Configuration files of the server. */
export const apiserver = group({
  name: "apiserver.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  package: "apiserver/pkg/apis/apiserver",
  configuration: true,
});
