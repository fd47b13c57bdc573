import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Bytes, type Default, type Immutable, kind, type OmitZero, type Open } from "../../vocabulary.ts";

/** Small confidential data, such as passwords and keys. */
export interface Secret extends Namespaced {
  /** Forbids any later change of the data. */
  immutable?: boolean;
  /** The data, by key, in base64. */
  data?: Record<string, Bytes>;
  /** Data given as plain text; merged into `data` and never read back. */
  stringData?: Record<string, string>;
  /** What the data is for. */
  type?: SecretType & OmitZero & Default<"Opaque"> & Immutable;
}

export type SecretType = Open<
  | "Opaque"
  | "kubernetes.io/service-account-token"
  | "kubernetes.io/dockercfg"
  | "kubernetes.io/dockerconfigjson"
  | "kubernetes.io/basic-auth"
  | "kubernetes.io/ssh-auth"
  | "kubernetes.io/tls"
  | "bootstrap.kubernetes.io/token"
>;

export const secret = kind<Secret>({
  plural: "secrets",
  introduced: "1.0",
  selectableFields: ["type"],
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the object." },
    { name: "Type", type: "string", path: ".type", description: "Type of the object." },
    { name: "Data", type: "string", description: "How many entries there are." },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp", description: "Time since its creation." },
  ],
});
