import type { Container } from "../../api-definitions/core/v1/container.ts";
import type { Volume } from "../../api-definitions/core/v1/volumes.ts";

/** The sources of all projected volumes. */
export function projections(volumes: readonly Volume[]): {
  secret?: { name?: string };
  configMap?: { name?: string };
  serviceAccountToken?: { audience?: string };
  clusterTrustBundle?: unknown;
}[] {
  return volumes.flatMap((volume) => (volume.projected as { sources?: [] } | undefined)?.sources ?? []);
}

/** Yields the secrets in the environment of a container, with their locations for messages. */
export function* environmentSecrets(
  container: Container,
): Generator<{ readonly where: string; readonly secret: string }> {
  for (const { name, valueFrom } of container.env ?? [])
    if (valueFrom?.secretKeyRef !== undefined)
      yield { where: `envVar ${name}`, secret: valueFrom.secretKeyRef.name ?? "" };
  for (const { secretRef } of container.envFrom ?? [])
    if (secretRef !== undefined) yield { where: "envFrom", secret: secretRef.name ?? "" };
}
