/** Default subjects of ClusterRoles. Each ClusterRoleBinding has the name of its role. */
export const clusterRoleBindings: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["group:system:masters"],
  "system:basic-user": ["group:system:authenticated"],
  "system:discovery": ["group:system:authenticated"],
  "system:kube-controller-manager": ["user:system:kube-controller-manager"],
  "system:kube-dns": ["sa:kube-system/kube-dns"],
  "system:kube-scheduler": ["user:system:kube-scheduler"],
  "system:monitoring": ["group:system:monitoring"],
  "system:node": [],
  "system:node-proxier": ["user:system:kube-proxy"],
  "system:public-info-viewer": ["group:system:authenticated", "group:system:unauthenticated"],
  "system:service-account-issuer-discovery": ["group:system:serviceaccounts"],
  "system:volume-scheduler": ["user:system:kube-scheduler"],
};

/** Default RoleBindings in the system namespaces, by namespace and name. */
export const roleBindings: Readonly<
  Record<string, Readonly<Record<string, { readonly role: string; readonly subjects: readonly string[] }>>>
> = {
  "kube-public": {
    "system:controller:bootstrap-signer": {
      role: "system:controller:bootstrap-signer",
      subjects: ["sa:kube-system/bootstrap-signer"],
    },
  },
  "kube-system": {
    "system::extension-apiserver-authentication-reader": {
      role: "extension-apiserver-authentication-reader",
      subjects: ["user:system:kube-controller-manager", "user:system:kube-scheduler"],
    },
    "system::leader-locking-kube-controller-manager": {
      role: "system::leader-locking-kube-controller-manager",
      subjects: [
        "user:system:kube-controller-manager",
        "sa:kube-system/kube-controller-manager",
        "sa:kube-system/leader-election-controller",
      ],
    },
    "system::leader-locking-kube-scheduler": {
      role: "system::leader-locking-kube-scheduler",
      subjects: ["user:system:kube-scheduler", "sa:kube-system/kube-scheduler"],
    },
    "system:controller:bootstrap-signer": {
      role: "system:controller:bootstrap-signer",
      subjects: ["sa:kube-system/bootstrap-signer"],
    },
    "system:controller:cloud-provider": {
      role: "system:controller:cloud-provider",
      subjects: ["sa:kube-system/cloud-provider"],
    },
    "system:controller:token-cleaner": {
      role: "system:controller:token-cleaner",
      subjects: ["sa:kube-system/token-cleaner"],
    },
  },
};
