const DEPRECATED: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region": 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone": 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type": 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods": "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Warning for a deprecated node label, or undefined. */
export function deprecatedNodeLabel(key: string): string | undefined {
  return Object.hasOwn(DEPRECATED, key) ? DEPRECATED[key] : undefined;
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string }[];
}

/** Warnings for deprecated labels in a node selector. */
export function warnOfNodeLabels({ matchLabels = {}, matchExpressions = [] }: Selector, path: string): string[] {
  const warnings: string[] = [];
  for (const [index, { key }] of matchExpressions.entries()) {
    const reason = deprecatedNodeLabel(key);
    if (reason !== undefined) warnings.push(`${path}.matchExpressions[${index}].key: ${key} is ${reason}`);
  }
  for (const key of Object.keys(matchLabels)) {
    const reason = deprecatedNodeLabel(key);
    if (reason !== undefined) warnings.push(`${path}.matchLabels.${key}: ${reason}`);
  }
  return warnings;
}
