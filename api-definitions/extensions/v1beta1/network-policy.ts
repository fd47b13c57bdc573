import type { Protocol } from "../../core/v1/container.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Int32, type IntOrString, kind, type ListAtomic, type Open } from "../../vocabulary.ts";

export interface NetworkPolicy extends Namespaced {
  spec?: NetworkPolicySpec & Always;
}

export interface NetworkPolicySpec {
  podSelector: LabelSelector;
  ingress?: ListAtomic<NetworkPolicyIngressRule>;
  egress?: ListAtomic<NetworkPolicyEgressRule>;
  policyTypes?: ListAtomic<PolicyType>;
}

export type PolicyType = Open<"Ingress" | "Egress">;

export interface NetworkPolicyIngressRule {
  ports?: ListAtomic<NetworkPolicyPort>;
  from?: ListAtomic<NetworkPolicyPeer>;
}

export interface NetworkPolicyPort {
  protocol?: Protocol;
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
  introduced: "1.3",
  deprecated: "1.9",
  removed: "1.16",
  replacement: "networking.<domain>/v1 NetworkPolicy",
  storedIn: "networking.<domain>",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Pod-Selector", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
