import { rollbackFromAnnotation, rollbackToAnnotation } from "../apps/rollback.ts";
import type { DaemonSet } from "../apps/v1/daemon-set.ts";
import type { Deployment } from "../apps/v1/deployment.ts";
import { putAnnotation, readInteger, takeAnnotation } from "../conversion-annotations.ts";
import { conversion } from "../conversion-vocabulary.ts";
import { flattenBackends, nestBackends } from "../networking/ingress-backends.ts";
import type { Ingress } from "../networking/v1/ingress.ts";
import type { DaemonSet as DaemonSetV1beta1 } from "./v1beta1/daemon-set.ts";
import type { Deployment as DeploymentV1beta1 } from "./v1beta1/deployment.ts";
import type { Ingress as IngressV1beta1 } from "./v1beta1/ingress.ts";

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

export const deploymentV1beta1 = conversion<DeploymentV1beta1, Deployment>({
  toHub: (from, hub) => rollbackToAnnotation(from, hub),
  fromHub: (hub, to) => rollbackFromAnnotation(hub, to),
});

/** apps/v1beta2 removed `spec.templateGeneration`; later versions have it in an annotation. */
export const daemonSetV1beta1 = conversion<DaemonSetV1beta1, DaemonSet>({
  toHub(from, hub) {
    takeAnnotation(hub, TEMPLATE_GENERATION);
    const generation = from.spec?.templateGeneration;
    if (generation !== undefined) putAnnotation(hub, TEMPLATE_GENERATION, String(generation));
  },
  fromHub(_hub, to) {
    const generation = readInteger(takeAnnotation(to, TEMPLATE_GENERATION));
    if (to.spec !== undefined && generation !== undefined) to.spec.templateGeneration = generation as number;
  },
});

export const ingressV1beta1 = conversion<IngressV1beta1, Ingress>({
  toHub: (from, hub) => nestBackends(from, hub),
  fromHub: (hub, to) => flattenBackends(hub, to),
});
