import { conversion } from "../conversion-vocabulary.ts";
import { release } from "../release.ts";
import type { Subject } from "./v1/binding.ts";
import type { ClusterRoleBinding } from "./v1/cluster-role-binding.ts";
import type { RoleBinding } from "./v1/role-binding.ts";
import type { Subject as SubjectV1alpha1 } from "./v1alpha1/binding.ts";
import type { ClusterRoleBinding as ClusterRoleBindingV1alpha1 } from "./v1alpha1/cluster-role-binding.ts";
import type { RoleBinding as RoleBindingV1alpha1 } from "./v1alpha1/role-binding.ts";

const GROUP = `rbac.authorization.${release.domain}`;
const AUTHENTICATED = "system:authenticated";

export const roleBindingV1alpha1 = conversion<RoleBindingV1alpha1, RoleBinding>({
  toHub(from, hub) {
    if (from.subjects) hub.subjects = from.subjects.map(newSubject);
  },
  fromHub(hub, to) {
    if (hub.subjects) to.subjects = hub.subjects.map(oldSubject);
  },
});

export const clusterRoleBindingV1alpha1 = conversion<ClusterRoleBindingV1alpha1, ClusterRoleBinding>({
  toHub(from, hub) {
    if (from.subjects) hub.subjects = from.subjects.map(newSubject);
  },
  fromHub(hub, to) {
    if (hub.subjects) to.subjects = hub.subjects.map(oldSubject);
  },
});

/** In v1alpha1 a subject has an API version instead of a group, and the user `*` stands for all authenticated users. */
function newSubject({ apiVersion = "", ...subject }: SubjectV1alpha1): Subject {
  const { kind, name } = subject;
  if (kind === "User" && name === "*") return { ...subject, apiGroup: GROUP, kind: "Group", name: AUTHENTICATED };
  if (kind === "User" || kind === "Group") return { ...subject, apiGroup: GROUP };
  if (kind === "ServiceAccount") return subject;
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? subject : { ...subject, apiGroup: apiVersion.slice(0, slash) };
}

function oldSubject({ apiGroup = "", ...subject }: Subject): SubjectV1alpha1 {
  const { kind } = subject;
  if (kind === "ServiceAccount" && apiGroup === "") return { ...subject, apiVersion: "v1" };
  if ((kind === "User" || kind === "Group") && apiGroup === GROUP)
    return { ...subject, apiVersion: `${GROUP}/v1alpha1` };
  return apiGroup === "" ? subject : { ...subject, apiVersion: `${apiGroup}/` };
}
