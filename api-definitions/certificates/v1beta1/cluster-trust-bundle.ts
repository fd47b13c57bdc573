import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { kind, type OmitZero } from "../../vocabulary.ts";

export interface ClusterTrustBundle extends ClusterScoped {
  spec: ClusterTrustBundleSpec;
}

export interface ClusterTrustBundleSpec {
  signerName?: string & OmitZero;
  trustBundle: string;
}

export const clusterTrustBundle = kind<ClusterTrustBundle>({
  plural: "clustertrustbundles",
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  gate: "ClusterTrustBundle",
  selectableFields: ["spec.signerName"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "SignerName", type: "string" },
  ],
});
