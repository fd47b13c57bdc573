import type { Protocol } from "../../core/v1/container.ts";
import type { LabelSelector } from "../../meta/v1/label-selector.ts";
import type { Namespaced } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type Default,
  type Int32,
  type IntOrString,
  kind,
  type ListAtomic,
  type Since,
} from "../../vocabulary.ts";

/**
 * Restricts the network traffic of pods at the level of IP addresses and ports. Pods that no policy selects accept all
 * traffic; as soon as one selects them, only traffic that some policy allows passes in the directions of that policy.
 * Policies only add permissions, so their order does not matter. Requires a network plugin that implements it.
 */
export interface NetworkPolicy extends Namespaced {
  /** Desired state of the NetworkPolicy: selected pods and allowed traffic. */
  spec?: NetworkPolicySpec & Always;
}

/** Which pods a NetworkPolicy selects, and which traffic it allows for them. */
export interface NetworkPolicySpec {
  /**
   * Label selector of the pods that the policy applies to, in the namespace of the policy. An empty selector selects
   * all of them.
   */
  podSelector: LabelSelector;
  /**
   * Rules for allowed incoming traffic. Traffic is allowed if one of the rules of any policy that selects the pod
   * matches. If empty and `policyTypes` contains `Ingress`, this policy allows no incoming traffic.
   */
  ingress?: ListAtomic<NetworkPolicyIngressRule>;
  /**
   * Rules for allowed outgoing traffic. Traffic is allowed if one of the rules of any policy that selects the pod
   * matches. If empty and `policyTypes` contains `Egress`, this policy allows no outgoing traffic.
   */
  egress?: ListAtomic<NetworkPolicyEgressRule>;
  /**
   * Directions that the policy restricts: `Ingress` for incoming traffic, `Egress` for outgoing traffic, or both.
   * Defaults to `Ingress`, and to both if there are `egress` rules. To forbid all outgoing traffic, set `Egress` and no
   * `egress` rules; for a policy on outgoing traffic alone, set only `Egress`.
   */
  policyTypes?: ListAtomic<PolicyType>;
}

export type PolicyType =
  /** The policy restricts incoming traffic of the selected pods. */
  | "Ingress"
  /** The policy restricts outgoing traffic of the selected pods. */
  | "Egress";

/** Incoming traffic that is allowed. It must match both `ports` and `from`. */
export interface NetworkPolicyIngressRule {
  /** Ports of the selected pods that may be reached. One that matches is enough. If empty, all ports are allowed. */
  ports?: ListAtomic<NetworkPolicyPort>;
  /** Peers that may send the traffic. One that matches is enough. If empty, all sources are allowed. */
  from?: ListAtomic<NetworkPolicyPeer>;
}

/** A port or a range of ports. */
export interface NetworkPolicyPort {
  /** Protocol of the traffic that is allowed. */
  protocol?: Protocol & Default<"TCP">;
  /** Port by number, or by the name of a container port of the pod. If unset, all ports of the protocol match. */
  port?: IntOrString;
  /**
   * Last port of a range that begins at `port`. Requires that `port` is a number and not greater. Between 1 and 65535.
   * If unset, only `port` matches.
   */
  endPort?: Int32 & Since<"1.21">;
}

/**
 * Source or destination of traffic: pods, or a range of IP addresses. At least one field must be set, and `ipBlock`
 * excludes the others.
 */
export interface NetworkPolicyPeer {
  /**
   * Label selector of pods. Together with `namespaceSelector` it selects pods in those namespaces, alone in the
   * namespace of the policy. An empty selector selects all pods.
   */
  podSelector?: LabelSelector;
  /**
   * Label selector of namespaces. Together with `podSelector` it selects those pods in the namespaces, alone all pods
   * in them. An empty selector selects all namespaces.
   */
  namespaceSelector?: LabelSelector;
  /**
   * Range of IP addresses. Meant for addresses outside the cluster, because those of pods change. Must not be set
   * together with a selector.
   */
  ipBlock?: IPBlock;
}

/** Range of IP addresses, optionally with exceptions. */
export interface IPBlock {
  /** Range in CIDR notation, such as `192.168.1.0/24` or `2001:db8::/64`. */
  cidr: string;
  /** Ranges in CIDR notation that are excluded. Each must lie within `cidr` and be smaller. */
  except?: ListAtomic<string>;
}

/** Outgoing traffic that is allowed. It must match both `ports` and `to`. */
export interface NetworkPolicyEgressRule {
  /** Destination ports of the traffic. One that matches is enough. If empty, all ports are allowed. */
  ports?: ListAtomic<NetworkPolicyPort>;
  /** Peers that may receive the traffic. One that matches is enough. If empty, all destinations are allowed. */
  to?: ListAtomic<NetworkPolicyPeer>;
}

export const networkPolicy = kind<NetworkPolicy>({
  plural: "networkpolicies",
  generation: true,
  shortNames: ["netpol"],
  introduced: "1.7",
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Pod-Selector", type: "string", description: "Label selector of the pods." },
    {
      name: "Age",
      type: "string",
      path: ".metadata.creationTimestamp",
      description: "Time since the object was created.",
    },
  ],
});
