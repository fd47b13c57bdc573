import { putAnnotation, readInteger, takeAnnotation } from "../conversion-annotations.ts";
import type { Deployment } from "./v1/deployment.ts";

interface OldDeployment {
  metadata?: { annotations?: Record<string, string> };
  spec?: { rollbackTo?: { revision?: number } };
}

const ROLLBACK_TO = "deprecated.deployment.rollback.to";

/** apps/v1beta2 removed `spec.rollbackTo`; later versions have it in an annotation. */
export function rollbackToAnnotation(from: OldDeployment, hub: Deployment): void {
  takeAnnotation(hub, ROLLBACK_TO);
  const rollback = from.spec?.rollbackTo;
  if (rollback !== undefined) putAnnotation(hub, ROLLBACK_TO, String(rollback.revision ?? 0));
}

export function rollbackFromAnnotation(_hub: Deployment, to: OldDeployment): void {
  const revision = readInteger(takeAnnotation(to, ROLLBACK_TO));
  if (to.spec !== undefined && revision !== undefined) to.spec.rollbackTo = { revision: revision as number };
}
