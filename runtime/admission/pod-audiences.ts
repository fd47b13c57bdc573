import type { Volume } from "../../api-definitions/core/v1/volumes.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectReader } from "../contract/object-access.ts";
import { projections } from "./pod-references.ts";
import type { Pod } from "./pod-shape.ts";

/**
 * Whether a pod needs service account tokens for an audience (`""` is the server's own): one of its projected volumes contains such a token, or the
 * CSI driver of one of its volumes requests it. Returns a string, the reason, if this cannot be determined.
 */
export async function podReferencesAudience(
  pod: Pod,
  audience: string,
  reader: ObjectReader,
  naming: Naming,
): Promise<boolean | string> {
  const volumes = pod.spec.volumes ?? [];
  const projected = projections(volumes).flatMap(({ serviceAccountToken }) => serviceAccountToken ?? []);
  if (projected.some((token) => (token.audience ?? "") === audience)) return true;
  const problems: string[] = [];
  const storage = naming.group("storage");
  for (const volume of volumes) {
    const driver = await driverOf(pod, volume, reader);
    if (driver === undefined) continue;
    const stored =
      "name" in driver ? await reader.get({ group: storage, resource: "csidrivers" }, "", driver.name) : undefined;
    if (stored === undefined) {
      problems.push("name" in driver ? `csidriver.${storage} "${driver.name}" not found` : driver.missing);
      continue;
    }
    const { tokenRequests = [] } = (stored.spec ?? {}) as { tokenRequests?: readonly { audience?: string }[] };
    if (tokenRequests.some((request) => (request.audience ?? "") === audience)) return true;
  }
  if (problems.length === 0) return false;
  return problems.length === 1 ? (problems[0] ?? "") : `[${[...new Set(problems)].join(", ")}]`;
}

type Driver = { readonly name: string } | { readonly missing: string };

/** Returns the CSI driver that mounts a volume; undefined if no CSI driver does. */
async function driverOf(pod: Pod, volume: Volume, reader: ObjectReader): Promise<Driver | undefined> {
  if (volume.ephemeral !== undefined) return driverOfClaim(pod, `${pod.metadata.name}-${volume.name}`, reader);
  const claimName = volume.persistentVolumeClaim?.claimName;
  if (claimName !== undefined) return driverOfClaim(pod, claimName, reader);
  return driverOfSource({ ...volume });
}

async function driverOfClaim(pod: Pod, name: string, reader: ObjectReader): Promise<Driver | undefined> {
  const claims = { group: "", resource: "persistentvolumeclaims" };
  const claim = await reader.get(claims, pod.metadata.namespace ?? "", name);
  if (claim === undefined) return { missing: `persistentvolumeclaim "${name}" not found` };
  const { volumeName = "" } = (claim.spec ?? {}) as { volumeName?: string };
  const volume = await reader.get({ group: "", resource: "persistentvolumes" }, "", volumeName);
  if (volume === undefined) return { missing: `persistentvolume "${volumeName}" not found` };
  return driverOfSource((volume.spec ?? {}) as Readonly<Record<string, unknown>>);
}

/** CSI drivers that replaced in-tree volume plugins, by the name of the volume's field. */
const MIGRATED = {
  awsElasticBlockStore: "ebs.csi.aws.com",
  azureDisk: "disk.csi.azure.com",
  azureFile: "file.csi.azure.com",
  cinder: "cinder.csi.openstack.org",
  gcePersistentDisk: "pd.csi.storage.gke.io",
  portworxVolume: "pxd.portworx.com",
  vsphereVolume: "csi.vsphere.vmware.com",
};

function driverOfSource(source: Readonly<Record<string, unknown>>): Driver | undefined {
  const { driver } = (source.csi ?? {}) as { driver?: string };
  if (driver) return { name: driver };
  for (const [field, name] of Object.entries(MIGRATED)) if (source[field] !== undefined) return { name };
  return undefined;
}
