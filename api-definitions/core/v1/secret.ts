import type { Namespaced } from "../../meta/v1/type-meta.ts";
import { type Bytes, type Default, kind, type OmitZero, type Open } from "../../vocabulary.ts";

export interface Secret extends Namespaced {
  immutable?: boolean;
  data?: Record<string, Bytes>;
  stringData?: Record<string, string>;
  type?: SecretType & OmitZero & Default<"Opaque">;
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
    { name: "Name", type: "string", format: "name", path: ".metadata.name" },
    { name: "Type", type: "string", path: ".type" },
    { name: "Data", type: "string" },
    { name: "Age", type: "string", path: ".metadata.creationTimestamp" },
  ],
});
