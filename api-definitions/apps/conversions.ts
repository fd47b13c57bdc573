import { conversion } from "../conversion-vocabulary.ts";
import { rollbackFromAnnotation, rollbackToAnnotation } from "./rollback.ts";
import type { Deployment } from "./v1/deployment.ts";
import type { Deployment as DeploymentV1beta1 } from "./v1beta1/deployment.ts";

export const deploymentV1beta1 = conversion<DeploymentV1beta1, Deployment>({
  toHub: (from, hub) => rollbackToAnnotation(from, hub),
  fromHub: (hub, to) => rollbackFromAnnotation(hub, to),
});
