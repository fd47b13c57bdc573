import { group } from "../vocabulary.ts";

/** Roles, and who has them. */
export const rbac = group({
  name: "rbac.authorization.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 17000,
  kubernetes: true,
});
