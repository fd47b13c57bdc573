import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import { type Immutable, kind, type OmitZero } from "../../vocabulary.ts";

/**
 * A cluster-scoped set of X.509 trust anchors (root certificates) that all workloads can read and pods can mount as a
 * projected volume. A bundle either belongs to a signer or is independent. If it belongs to a signer, its name must
 * begin with the signer name, with `/` replaced by `:`, followed by `:`, and writing it requires the verb `attest` on
 * the signer. Otherwise its name must not contain `:`.
 */
export interface ClusterTrustBundle extends ClusterScoped {
  /** Desired state of the ClusterTrustBundle: its trust anchors and their signer. */
  spec: ClusterTrustBundleSpec;
}

/** Trust anchors of a ClusterTrustBundle, and the signer to which they belong. */
export interface ClusterTrustBundleSpec {
  /**
   * Name of the signer whose trust anchors these are, of the form `domain/path`, such as `example.com/my-signer`. Empty
   * if the bundle belongs to no signer. Bundles can be listed by it with a field selector.
   */
  signerName?: string & OmitZero & Immutable;
  /**
   * Trust anchors as PEM blocks of type `CERTIFICATE` without headers, at least one and at most 1 MiB in total. Each
   * must be an X.509 certificate of a certificate authority and may occur once. Their order has no meaning.
   */
  trustBundle: string;
}

export const clusterTrustBundle = kind<ClusterTrustBundle>({
  plural: "clustertrustbundles",
  conditionalUpdate: true,
  introduced: "1.26",
  deprecated: "1.34",
  removed: "1.37",
  offByDefault: true,
  gate: "ClusterTrustBundle",
  selectableFields: ["spec.signerName"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "SignerName", type: "string", description: "Name of the signer of the bundle." },
  ],
});
