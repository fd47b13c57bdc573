import { parseGoInt } from "../../runtime/go/int.ts";
import { putAnnotation, readInteger, takeAnnotation } from "../conversion-annotations.ts";
import type { Deployment } from "./v1/deployment.ts";

interface OldDeployment {
  metadata?: { annotations?: Record<string, string> };
  spec?: { rollbackTo?: { revision?: number } };
}

export const ROLLBACK_TO = "deprecated.deployment.rollback.to";

type Annotated = Pick<Deployment, "metadata">;

/** Returns the revision in the annotation of later versions, or an error message if it is not an integer; undefined without annotation. */
export function givenRollbackTo({ metadata }: Annotated): bigint | string | undefined {
  const text = metadata?.annotations?.[ROLLBACK_TO];
  return text ? parseGoInt(text) : undefined;
}

/**
 * Returns metadata with the annotation normalized: an integer without leading zeros. Removes the annotation if `revision` is undefined, and
 * keeps an invalid one.
 */
export function withRollbackTo(
  { metadata }: Annotated,
  revision: bigint | string | undefined,
): NonNullable<Annotated["metadata"]> {
  const { [ROLLBACK_TO]: given, ...others } = metadata?.annotations ?? {};
  if (typeof revision === "string" || (given === undefined && revision === undefined)) return metadata ?? {};
  const annotations = revision === undefined ? others : { ...metadata?.annotations, [ROLLBACK_TO]: String(revision) };
  const { annotations: _former, ...rest } = metadata ?? {};
  return Object.keys(annotations).length === 0 ? rest : { ...metadata, annotations };
}

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
