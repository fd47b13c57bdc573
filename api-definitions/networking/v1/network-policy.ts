import type { Protocol } from "../../core/v1/container.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Always, type Default, type Int32, type IntOrString, kind, type ListAtomic } from "../../vocabulary.ts";

/** Says which traffic pods may receive and send. */
export interface NetworkPolicy extends Namespaced {
  /** What is asked for. */
  spec?: NetworkPolicySpec & Always;
}

/** Which pods, and which traffic. */
export interface NetworkPolicySpec {
  /** Which pods; all of the namespace when empty. */
  podSelector: LabelSelector;
  /** Traffic they may receive; nothing when empty. */
  ingress?: ListAtomic<NetworkPolicyIngressRule>;
  /** Traffic they may send; nothing when empty. */
  egress?: ListAtomic<NetworkPolicyEgressRule>;
  /** Which directions the policy speaks of. */
  policyTypes?: ListAtomic<PolicyType>;
}

export type PolicyType = "Ingress" | "Egress";

/** Traffic that may be received. */
export interface NetworkPolicyIngressRule {
  /** On these ports; all when empty. */
  ports?: ListAtomic<NetworkPolicyPort>;
  /** From these peers; anybody when empty. */
  from?: ListAtomic<NetworkPolicyPeer>;
}

/** Ports. */
export interface NetworkPolicyPort {
  /** Protocol. */
  protocol?: Protocol & Default<"TCP">;
  /** The port, by number or name; all when unset. */
  port?: IntOrString;
  /** Last port of a range. */
  endPort?: Int32;
}

/** Pods or addresses. */
export interface NetworkPolicyPeer {
  /** Pods by label. */
  podSelector?: LabelSelector;
  /** Namespaces by label. */
  namespaceSelector?: LabelSelector;
  /** Addresses. */
  ipBlock?: IPBlock;
}

/** A range of addresses. */
export interface IPBlock {
  /** The range. */
  cidr: string;
  /** Parts of it that do not count. */
  except?: ListAtomic<string>;
}

/** Traffic that may be sent. */
export interface NetworkPolicyEgressRule {
  /** To these ports; all when empty. */
  ports?: ListAtomic<NetworkPolicyPort>;
  /** To these peers; anybody when empty. */
  to?: ListAtomic<NetworkPolicyPeer>;
}

export const networkPolicy = kind<NetworkPolicy>({
  plural: "networkpolicies",
  generation: true,
  shortNames: ["netpol"],
  introduced: "1.7",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Pod-Selector", type: "string", description: "Labels of the pods." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
