/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const NETWORKING_GO_TYPES = {
  HTTPIngressPath: "Path string; PathType *PathType; Backend IngressBackend",
  HTTPIngressRuleValue: "Paths []HTTPIngressPath",
  IngressBackend: "Service *IngressServiceBackend; Resource *core.TypedLocalObjectReference",
  IngressRule: "Host string; IngressRuleValue",
  IngressRuleValue: "HTTP *HTTPIngressRuleValue",
  IngressServiceBackend: "Name string; Port ServiceBackendPort",
  ParentReference: "Group string; Resource string; Namespace string; Name string",
  PathType: "= string",
  ServiceBackendPort: "Name string; Number int32",
  ServiceCIDRSpec: "CIDRs []string",
} as const;
