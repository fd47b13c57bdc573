import { group } from "../vocabulary.ts";

/** Authentication of users and tokens. */
export const authentication = group({
  name: "authentication.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 17700,
  kubernetes: true,
});
