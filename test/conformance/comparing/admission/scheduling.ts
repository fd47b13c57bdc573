import type { Parsed } from "../../../fixtures/plane-client.ts";
import type { Random } from "../../../hostile/random.ts";

const TOLERATIONS: readonly Parsed[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 },
  { key: "node.kubernetes.io/unreachable", operator: "Exists" },
  { operator: "Exists" },
  { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" },
  { key: "zone", value: "a", effect: "NoSchedule" },
  { key: "zone", operator: "Equal", value: "b", effect: "PreferNoSchedule" },
  { key: "zone", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
];

export const randomToleration = (random: Random): Parsed => random.pick(TOLERATIONS);

export function randomAffinity(random: Random): Parsed {
  const term = {
    topologyKey: random.pick(["kubernetes.io/hostname", "zone"]),
    labelSelector: { matchLabels: { app: "a" } },
    ...(random.chance(0.4) && { namespaces: ["default"] }),
    ...(random.chance(0.3) && { namespaceSelector: random.pick([{}, { matchLabels: { a: "b" } }]) }),
  };
  const terms = random.chance(0.5)
    ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
    : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] };
  return { [random.pick(["podAffinity", "podAntiAffinity"])]: terms };
}
