import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { parseJson } from "../../../runtime/encoding/json/parse-json.ts";
import { invalidField, requiredField } from "../../../runtime/values/field-errors.ts";
import { type PemBlock, pemBlocks } from "../../../runtime/x509/pem.ts";
import type { Secret } from "./secret.ts";

type Check = (secret: Secret, errors: FieldError[]) => void;

const ACCOUNT_NAME = "kubernetes.io/service-account.name";

/** Required keys and annotations by type of Secret. */
const TYPE_CHECKS: Readonly<Record<string, Check>> = {
  "kubernetes.io/service-account-token": ({ metadata }, errors) => {
    if (!metadata?.annotations?.[ACCOUNT_NAME]) errors.push(requiredField(`metadata.annotations[${ACCOUNT_NAME}]`));
  },
  "kubernetes.io/dockercfg": needJson(".dockercfg"),
  "kubernetes.io/dockerconfigjson": needJson(".dockerconfigjson"),
  "kubernetes.io/basic-auth": ({ data = {} }, errors) => {
    if (Object.hasOwn(data, "username") || Object.hasOwn(data, "password")) return;
    errors.push(requiredField("data[username]"), requiredField("data[password]"));
  },
  "kubernetes.io/ssh-auth": ({ data = {} }, errors) => {
    if (!data["ssh-privatekey"]) errors.push(requiredField("data[ssh-privatekey]"));
  },
  "kubernetes.io/tls": ({ data = {} }, errors) => {
    for (const key of ["tls.crt", "tls.key"]) if (!Object.hasOwn(data, key)) errors.push(requiredField(`data[${key}]`));
  },
};

/** Checks the keys and annotations that a type of Secret requires. Other types are not checked. */
export function checkSecretType(secret: Secret, errors: FieldError[]): void {
  const type = secret.type ?? "";
  if (Object.hasOwn(TYPE_CHECKS, type)) TYPE_CHECKS[type]?.(secret, errors);
}

/** Warns of a certificate or key that cannot be parsed, or that do not belong together. */
export function warnOfKeyPair(data: Readonly<Record<string, string>>): string[] {
  const certificate = blocksOf(data["tls.crt"]).find(({ type }) => type === "CERTIFICATE");
  if (certificate === undefined) return ["tls: failed to find any PEM data in certificate input"];
  const key = blocksOf(data["tls.key"]).find(({ type }) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"));
  if (key === undefined) return ["tls: failed to find any PEM data in key input"];
  try {
    const parsed = new X509Certificate(certificate.bytes);
    const privateKey = readPrivateKey(key.bytes);
    if (privateKey === undefined) return ["tls: failed to parse private key"];
    return parsed.checkPrivateKey(privateKey) ? [] : ["tls: private key does not match public key"];
  } catch {
    return ["x509: malformed certificate"];
  }
}

function blocksOf(base64: string | undefined): PemBlock[] {
  return pemBlocks(Buffer.from(base64 ?? "", "base64").toString("latin1"));
}

/** Parses a private key as PKCS #1, PKCS #8 or SEC 1, whatever the type of its PEM block. */
function readPrivateKey(bytes: Uint8Array): KeyObject | undefined {
  for (const type of ["pkcs1", "pkcs8", "sec1"] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(bytes), format: "der", type });
    } catch {
      // Try the next form.
    }
  }
  return undefined;
}

/** Requires an entry whose value is a JSON object. */
function needJson(key: string): Check {
  return ({ data = {} }, errors) => {
    const value = data[key];
    if (value === undefined) {
      errors.push(requiredField(`data[${key}]`));
      return;
    }
    const problem = explainJsonObject(Buffer.from(value, "base64"));
    if (problem !== undefined) errors.push(invalidField(`data[${key}]`, "<secret contents redacted>", problem));
  };
}

function explainJsonObject(bytes: Uint8Array): string | undefined {
  try {
    const { value } = parseJson(bytes);
    if (value === null || (typeof value === "object" && !Array.isArray(value))) return undefined;
    const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    return `json: cannot unmarshal ${type === "bigint" ? "number" : type} into Go value of type map[string]interface {}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
