import type { RoleTable } from "./policy-grammar.ts";

/** Rules, roles and bindings that exist only if all of their feature gates are enabled. */
interface GatedRules {
  readonly gates: readonly string[];
  /** Rules to add to cluster roles. A role that does not exist otherwise is added. */
  readonly clusterRoles?: RoleTable;
  readonly controllerRoles?: RoleTable;
  /** Subjects of the added cluster roles. */
  readonly clusterRoleBindings?: Readonly<Record<string, readonly string[]>>;
}

const EVENTS = "create patch update | core events.{domain} | events";

const GATED_RULES: readonly GatedRules[] = [
  {
    gates: ["DynamicResourceAllocation"],
    clusterRoles: {
      "system:aggregate-to-view": [
        "read | resource.{domain} | resourceclaims resourceclaims/status resourceclaimtemplates",
      ],
      "system:aggregate-to-edit": ["write | resource.{domain} | resourceclaims resourceclaimtemplates"],
      "system:node": [
        "get | resource.{domain} | resourceclaims",
        "deletecollection | resource.{domain} | resourceslices",
      ],
      "system:kube-scheduler": [
        "read | resource.{domain} | deviceclasses",
        "read patch update | resource.{domain} | resourceclaims",
        "read patch update | resource.{domain} | resourceclaims/status",
        "read patch update | core | pods/finalizers",
        "read | resource.{domain} | resourceslices",
        "read | resource.{domain} | devicetaintrules",
      ],
    },
    controllerRoles: {
      "resource-claim-controller": [
        "read | core | pods",
        "update | core | pods/finalizers",
        "read create delete | resource.{domain} | resourceclaims",
        "patch update | resource.{domain} | resourceclaims resourceclaims/status",
        "patch update | core | pods/status",
        EVENTS,
      ],
    },
  },
  {
    gates: ["DynamicResourceAllocation", "DRADeviceTaints"],
    controllerRoles: {
      "device-taint-eviction-controller": [
        "read delete | core | pods",
        "patch update | core | pods/status",
        "read | resource.{domain} | resourceclaims",
        "read | resource.{domain} | resourceslices",
        "read | resource.{domain} | deviceclasses",
        "read | resource.{domain} | devicetaintrules",
        EVENTS,
      ],
    },
  },
  {
    gates: ["ClusterTrustBundle"],
    clusterRoles: {
      "system:node": ["read | certificates.{domain} | clustertrustbundles"],
      "system:cluster-trust-bundle-discovery": ["read | certificates.{domain} | clustertrustbundles"],
    },
    controllerRoles: {
      "kube-apiserver-serving-clustertrustbundle-publisher": [
        "attest | certificates.{domain} | signers | {vendor}.io/kube-apiserver-serving",
        "create delete list update watch | certificates.{domain} | clustertrustbundles",
        EVENTS,
      ],
    },
    clusterRoleBindings: { "system:cluster-trust-bundle-discovery": ["group:system:serviceaccounts"] },
  },
  {
    gates: ["KubeletServiceAccountTokenForCredentialProviders"],
    clusterRoles: { "system:node": ["get | core | serviceaccounts"] },
  },
  {
    gates: ["KubeletFineGrainedAuthz"],
    clusterRoles: { "system:kubelet-api-admin": ["* | core | nodes/configz nodes/healthz nodes/pods"] },
  },
  {
    gates: ["SELinuxChangePolicy"],
    controllerRoles: {
      "selinux-warning-controller": [
        EVENTS,
        "read | core | persistentvolumes",
        "read | core | persistentvolumeclaims",
        "read | core | pods",
        "read | storage.{domain} | csidrivers",
      ],
    },
  },
  { gates: ["ComponentFlagz"], clusterRoles: { "system:monitoring": ["get | /flagz"] } },
  { gates: ["ComponentStatusz"], clusterRoles: { "system:monitoring": ["get | /statusz"] } },
  {
    gates: ["VolumeAttributesClass"],
    controllerRoles: {
      "volumeattributesclass-protection-controller": [
        "read | core | persistentvolumeclaims",
        "read | core | persistentvolumes",
        "read update | storage.{domain} | volumeattributesclasses",
        EVENTS,
      ],
    },
  },
  {
    gates: ["StorageVersionAPI", "APIServerIdentity"],
    controllerRoles: {
      "storage-version-garbage-collector": [
        "read | coordination.{domain} | leases",
        "read delete patch update | internal.apiserver.{domain} | storageversions",
        "get patch update | internal.apiserver.{domain} | storageversions/status",
      ],
    },
  },
  {
    gates: ["StorageVersionMigrator"],
    controllerRoles: {
      "storage-version-migrator-controller": [
        "create list patch watch | * | *",
        "update | storagemigration.{domain} | storageversionmigrations/status",
      ],
    },
  },
];

/** Returns the tables with the rules of enabled gates added. */
export function withGatedRules(
  tables: Required<Omit<GatedRules, "gates">>,
  isEnabled: (gate: string) => boolean,
): Required<Omit<GatedRules, "gates">> {
  return GATED_RULES.filter(({ gates }) => gates.every(isEnabled)).reduce(
    (sum, { clusterRoles, controllerRoles, clusterRoleBindings }) => ({
      clusterRoles: addRules(sum.clusterRoles, clusterRoles),
      controllerRoles: addRules(sum.controllerRoles, controllerRoles),
      clusterRoleBindings: { ...sum.clusterRoleBindings, ...clusterRoleBindings },
    }),
    tables,
  );
}

function addRules(table: RoleTable, more: RoleTable = {}): RoleTable {
  const added = Object.entries(more).map(([role, rules]) => [role, [...(table[role] ?? []), ...rules]]);
  return { ...table, ...Object.fromEntries(added) };
}
