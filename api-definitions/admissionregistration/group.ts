import { group } from "../vocabulary.ts";

/** Registration of admission webhooks and admission policies. */
export const admissionregistration = group({
  name: "admissionregistration.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16700,
  kubernetes: true,
});
