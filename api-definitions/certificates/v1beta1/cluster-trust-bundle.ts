import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Immutable, kind, type OmitZero } from "../../vocabulary.ts";

/** Certificates to be trusted, for all who need them. */
export interface ClusterTrustBundle extends ClusterScoped {
  /** What is asked for. */
  spec: ClusterTrustBundleSpec;
}

/** Certificates, and whose they are. */
export interface ClusterTrustBundleSpec {
  /** The signer they belong to. */
  signerName?: string & OmitZero & Immutable;
  /** The certificates, in PEM. */
  trustBundle: string;
}

export const clusterTrustBundle = kind<ClusterTrustBundle>({
  plural: "clustertrustbundles",
  conditionalUpdate: true,
  introduced: "1.33",
  deprecated: "1.36",
  removed: "1.39",
  offByDefault: true,
  gate: "ClusterTrustBundle",
  selectableFields: ["spec.signerName"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "SignerName", type: "string", description: "Who is asked to sign." },
  ],
});
