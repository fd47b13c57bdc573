import { group } from "../vocabulary.ts";

/** Signed certificates and trust anchors. */
export const certificates = group({
  name: "certificates.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 17300,
  kubernetes: true,
});
