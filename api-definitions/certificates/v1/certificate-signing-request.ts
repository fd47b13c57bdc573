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
  type Since,
  type Time,
} from "../../vocabulary.ts";

/**
 * Requests an X.509 certificate from a signer. It must be approved, by `kubectl certificate approve` or by a
 * controller, before the signer issues the certificate in `status.certificate`. Controllers delete requests after some
 * time.
 */
export interface CertificateSigningRequest extends ClusterScoped {
  /**
   * Certificate request, its signer and the requesting user. Cannot be changed after creation; updates of it are
   * ignored.
   */
  spec: CertificateSigningRequestSpec;
  /**
   * Observed state of the request: approval or denial, set through the subresource `approval`, and the issued
   * certificate, set by the signer through the subresource `status`.
   */
  status?: CertificateSigningRequestStatus & Always;
}

/** Certificate request, its signer, and the user who created it. */
export interface CertificateSigningRequestSpec {
  /**
   * PKCS #10 certificate request in a PEM block of type `CERTIFICATE REQUEST`, base64-encoded in JSON and YAML. It must
   * be signed with the private key that belongs to its public key.
   */
  request: Bytes & AtomicLabel;
  /**
   * Name of the signer that is to issue the certificate, such as `kubernetes.io/kube-apiserver-client`. Must have the
   * form `domain/path` with a domain of at least two segments. `kubernetes.io/legacy-unknown` is not allowed. Requests
   * can be listed by it with a field selector. Each signer defines which requests it accepts and who trusts its
   * certificates.
   */
  signerName: string;
  /**
   * Requested lifetime of the certificate in seconds, at least 600. The signer may issue a certificate with another
   * lifetime; check the certificate. If unset, the signer chooses the lifetime.
   */
  expirationSeconds?: Int32 & Since<"1.22">;
  /**
   * Key usages that the certificate must have. At least one is required, without duplicates. A TLS client certificate
   * usually needs `digital signature` and `client auth`, a TLS server certificate `digital signature` and `server
   * auth`, both with `key encipherment` for an RSA key.
   */
  usages?: ListAtomic<KeyUsage>;
  /** Name of the user who created the request, set by the server on creation. A value in the request is replaced. */
  username?: string & OmitZero;
  /** UID of the user who created the request, set by the server on creation. */
  uid?: string & OmitZero;
  /** Groups of the user who created the request, set by the server on creation. */
  groups?: ListAtomic<string>;
  /** Extra attributes of the user who created the request, set by the server on creation. */
  extra?: Record<string, ExtraValue>;
}

export type KeyUsage =
  /** Digital signatures; the same as `digital signature`. */
  | "signing"
  /** Digital signatures other than those of certificates and revocation lists, such as in TLS handshakes. */
  | "digital signature"
  /** Signatures that the signer cannot repudiate. */
  | "content commitment"
  /** Encryption of keys, such as in TLS with RSA key exchange. */
  | "key encipherment"
  /** Key agreement, such as Diffie-Hellman. */
  | "key agreement"
  /** Direct encryption of data without an intermediate key. */
  | "data encipherment"
  /** Signatures of other certificates. */
  | "cert sign"
  /** Signatures of certificate revocation lists. */
  | "crl sign"
  /** With `key agreement`, the agreed key may only encrypt. */
  | "encipher only"
  /** With `key agreement`, the agreed key may only decrypt. */
  | "decipher only"
  /** Any extended key usage. */
  | "any"
  /** Authentication of TLS servers. */
  | "server auth"
  /** Authentication of TLS clients. */
  | "client auth"
  /** Signatures of program code. */
  | "code signing"
  /** Protection of email; the same as `s/mime`. */
  | "email protection"
  /** Protection of email with S/MIME. */
  | "s/mime"
  /** Authentication of an IPsec end system. */
  | "ipsec end system"
  /** Authentication of an IPsec tunnel. */
  | "ipsec tunnel"
  /** Authentication of an IPsec user. */
  | "ipsec user"
  /** Signatures of trusted timestamps. */
  | "timestamping"
  /** Signatures of OCSP responses. */
  | "ocsp signing"
  /** Microsoft server gated cryptography, which is obsolete. */
  | "microsoft sgc"
  /** Netscape server gated cryptography, which is obsolete. */
  | "netscape sgc";

/** Values of one extra attribute of a user. */
export type ExtraValue = Message<string[]>;

/** Approval and issuance of a certificate signing request. */
export interface CertificateSigningRequestStatus {
  /**
   * Approval, denial or failure of the request. `Approved` and `Denied` exclude each other and are set through the
   * subresource `approval`; `Failed` is set by the signer. Conditions of these three types cannot be removed.
   */
  conditions?: ListMap<CertificateSigningRequestCondition, "type">;
  /**
   * Issued certificate, set once by the signer through the subresource `status` after approval: one or more PEM blocks
   * of type `CERTIFICATE` without headers, base64-encoded in JSON and YAML. The first block is the certificate, others
   * are intermediate certificates. Cannot be changed once set. Unset while no certificate is issued.
   */
  certificate?: Bytes & AtomicLabel;
}

/** One aspect of the observed state of a certificate signing request. */
export interface CertificateSigningRequestCondition {
  /** Type of the condition: `Approved`, `Denied`, `Failed` or another one. Each type may occur once. */
  type: RequestConditionType;
  /**
   * Status of the condition: `True`, `False` or `Unknown`. Must be `True` for the types `Approved`, `Denied` and
   * `Failed`.
   */
  status: ConditionStatus;
  /** Machine-readable reason of the condition, in CamelCase. */
  reason?: string & OmitZero;
  /** Human-readable details of the condition. */
  message?: string & OmitZero;
  /** Time at which the condition was last updated. Defaults to the time of the request that sets the condition. */
  lastUpdateTime?: Time & Always;
  /**
   * Time at which `status` last changed. Defaults to that of the previous condition with the same type and status,
   * otherwise to the time of the request that sets the condition.
   */
  lastTransitionTime?: Time & Always;
}

export type RequestConditionType = Open<
  /** An approver approved the request; the signer may issue the certificate. */
  | "Approved"
  /** An approver denied the request; the signer must not issue a certificate. */
  | "Denied"
  /** The signer could not issue the certificate. */
  | "Failed"
>;

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
    { name: "SignerName", type: "string", path: ".spec.signerName", description: "Name of the requested signer." },
    { name: "Requestor", type: "string", path: ".spec.username", description: "User who created the request." },
    { name: "RequestedDuration", type: "string", description: "Requested lifetime of the certificate." },
    { name: "Condition", type: "string", description: "Approval and issuance of the request." },
  ],
});
