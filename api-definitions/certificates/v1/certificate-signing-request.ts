import type { ConditionStatus } from "../../core/v1/conditions.ts";
import type { ClusterScoped } from "../../meta/v1/type-meta.ts";
import {
  type Always,
  type AtomicLabel,
  type Bytes,
  type Int32,
  kind,
  type ListAtomic,
  type ListMap,
  type Message,
  type OmitZero,
  type Open,
  type Time,
} from "../../vocabulary.ts";

/** Asks a signer for a certificate. */
export interface CertificateSigningRequest extends ClusterScoped {
  /** What is asked for. */
  spec: CertificateSigningRequestSpec;
  /** What is the case, as last seen. */
  status?: CertificateSigningRequestStatus & Always;
}

/** What certificate is asked for, of whom, by whom. */
export interface CertificateSigningRequestSpec {
  /** The request, in PEM. */
  request: Bytes & AtomicLabel;
  /** Who should sign. */
  signerName: string;
  /** Seconds the certificate should be valid. */
  expirationSeconds?: Int32;
  /** What it should be good for. */
  usages?: ListAtomic<KeyUsage>;
  /** Who asks. */
  username?: string & OmitZero;
  /** Id of who asks. */
  uid?: string & OmitZero;
  /** Groups of who asks. */
  groups?: ListAtomic<string>;
  /** Further facts about who asks. */
  extra?: Record<string, ExtraValue>;
}

export type KeyUsage =
  | "signing"
  | "digital signature"
  | "content commitment"
  | "key encipherment"
  | "key agreement"
  | "data encipherment"
  | "cert sign"
  | "crl sign"
  | "encipher only"
  | "decipher only"
  | "any"
  | "server auth"
  | "client auth"
  | "code signing"
  | "email protection"
  | "s/mime"
  | "ipsec end system"
  | "ipsec tunnel"
  | "ipsec user"
  | "timestamping"
  | "ocsp signing"
  | "microsoft sgc"
  | "netscape sgc";

export type ExtraValue = Message<string[]>;

/** What came of it. */
export interface CertificateSigningRequestStatus {
  /** Whether it was approved or denied. */
  conditions?: ListMap<CertificateSigningRequestCondition, "type">;
  /** The certificate, in PEM. */
  certificate?: Bytes & AtomicLabel;
}

/** One finding about an object. */
export interface CertificateSigningRequestCondition {
  /** What the finding is about. */
  type: RequestConditionType;
  /** Whether it holds: `True`, `False` or `Unknown`. */
  status: ConditionStatus;
  /** A word for the cause. */
  reason?: string & OmitZero;
  /** The cause, for people. */
  message?: string & OmitZero;
  /** When the finding was last updated. */
  lastUpdateTime?: Time & Always;
  /** When the status last changed. */
  lastTransitionTime?: Time & Always;
}

export type RequestConditionType = Open<"Approved" | "Denied" | "Failed">;

export const certificateSigningRequest = kind<CertificateSigningRequest>({
  plural: "certificatesigningrequests",
  generation: false,
  shortNames: ["csr"],
  introduced: "1.19",
  subresources: { approval: { kind: "CertificateSigningRequest", verbs: ["get", "patch", "update"] }, status: true },
  selectableFields: ["spec.signerName"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
    { name: "SignerName", type: "string", path: ".spec.signerName", description: "Who is asked to sign." },
    { name: "Requestor", type: "string", path: ".spec.username", description: "Who asks." },
    { name: "RequestedDuration", type: "string", description: "How long the certificate should be valid." },
    { name: "Condition", type: "string", description: "What came of it." },
  ],
});
