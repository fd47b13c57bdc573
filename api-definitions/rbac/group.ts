import { group } from "../vocabulary.ts";

/** Role-based access control: roles and their bindings to users, groups and service accounts. */
export const rbac = group({
  name: "rbac.authorization.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 17000,
  kubernetes: true,
});
