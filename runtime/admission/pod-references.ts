import { allContainers, type Container, type PodSpec, type Volume } from "./pod-shape.ts";

/** The sources of all projected volumes. */
export function projections(volumes: readonly Volume[]): {
  secret?: { name?: string };
  configMap?: { name?: string };
  serviceAccountToken?: { audience?: string };
  clusterTrustBundle?: unknown;
}[] {
  return volumes.flatMap((volume) => (volume.projected as { sources?: [] } | undefined)?.sources ?? []);
}

/** The secrets a container's environment comes from, each with what messages say about the place. */
export function* environmentSecrets(
  container: Container,
): Generator<{ readonly where: string; readonly secret: string }> {
  for (const { name, valueFrom } of container.env ?? [])
    if (valueFrom?.secretKeyRef !== undefined)
      yield { where: `envVar ${name}`, secret: valueFrom.secretKeyRef.name ?? "" };
  for (const { secretRef } of container.envFrom ?? [])
    if (secretRef !== undefined) yield { where: "envFrom", secret: secretRef.name ?? "" };
}

export function referencesSecrets(spec: PodSpec): boolean {
  const volumes = spec.volumes ?? [];
  return (
    volumes.some((volume) => volume.secret !== undefined) ||
    projections(volumes).some((source) => source.secret !== undefined) ||
    (spec.imagePullSecrets?.length ?? 0) > 0 ||
    [...allContainers(spec)].some((container) => environmentSecrets(container).next().done !== true)
  );
}

export function referencesConfigMaps(spec: PodSpec): boolean {
  const volumes = spec.volumes ?? [];
  return (
    volumes.some((volume) => volume.configMap !== undefined) ||
    projections(volumes).some((source) => source.configMap !== undefined) ||
    [...allContainers(spec)].some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined) ||
        envFrom.some(({ configMapRef }) => configMapRef !== undefined),
    )
  );
}
