import type { Protocol } from "../../core/v1/container.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Int32, type IntOrString, kind, type ListAtomic } from "../../vocabulary.ts";

export interface NetworkPolicy extends Namespaced {
  spec?: NetworkPolicySpec & Always;
}

export interface NetworkPolicySpec {
  podSelector: LabelSelector;
  ingress?: ListAtomic<NetworkPolicyIngressRule>;
  egress?: ListAtomic<NetworkPolicyEgressRule>;
  policyTypes?: ListAtomic<PolicyType>;
}

export type PolicyType = "Ingress" | "Egress";

export interface NetworkPolicyIngressRule {
  ports?: ListAtomic<NetworkPolicyPort>;
  from?: ListAtomic<NetworkPolicyPeer>;
}

export interface NetworkPolicyPort {
  protocol?: Protocol & Default<"TCP">;
  port?: IntOrString;
  endPort?: Int32;
}

export interface NetworkPolicyPeer {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
}

export interface IPBlock {
  cidr: string;
  except?: ListAtomic<string>;
}

export interface NetworkPolicyEgressRule {
  ports?: ListAtomic<NetworkPolicyPort>;
  to?: ListAtomic<NetworkPolicyPeer>;
}

export const networkPolicy = kind<NetworkPolicy>({
  plural: "networkpolicies",
  shortNames: ["netpol"],
  introduced: "1.7",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Pod-Selector", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
