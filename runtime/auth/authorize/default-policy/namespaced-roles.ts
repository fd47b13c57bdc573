import type { RoleTable } from "./policy-grammar.ts";

/** Roles in the system namespaces, by namespace. */
export const namespacedRoles: Readonly<Record<string, RoleTable>> = {
  "kube-public": {
    "system:controller:bootstrap-signer": [
      "read | core | configmaps",
      "update | core | configmaps | cluster-info",
      "create patch update | core events.{domain} | events",
    ],
  },
  "kube-system": {
    "extension-apiserver-authentication-reader": ["read | core | configmaps | extension-apiserver-authentication"],
    "system::leader-locking-kube-controller-manager": [
      "watch | core | configmaps",
      "get update | core | configmaps | kube-controller-manager",
      "read create update | coordination.{domain} | leases",
      "read create update | coordination.{domain} | leasecandidates",
    ],
    "system::leader-locking-kube-scheduler": [
      "watch | core | configmaps",
      "get update | core | configmaps | kube-scheduler",
      "read create update | coordination.{domain} | leases",
      "read create update | coordination.{domain} | leasecandidates",
    ],
    "system:controller:bootstrap-signer": ["read | core | secrets"],
    "system:controller:cloud-provider": ["read create | core | configmaps"],
    "system:controller:token-cleaner": [
      "read delete | core | secrets",
      "create patch update | core events.{domain} | events",
    ],
  },
};
