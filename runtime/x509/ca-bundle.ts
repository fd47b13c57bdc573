import { X509Certificate } from "node:crypto";
import { pemBlocks } from "./pem.ts";

/** Returns why clients cannot verify servers with a PEM bundle of CA certificates, with the messages of Go; undefined if they can. */
export function caBundleProblem(pem: string): string | undefined {
  if (pem === "") return undefined;
  const blocks = pemBlocks(pem);
  const certificates = blocks.filter(({ type, hasHeaders }) => type === "CERTIFICATE" && !hasHeaders);
  if (certificates.some(({ bytes }) => isCertificate(bytes))) return undefined;
  const isReadToEnd = blocks.length > 0 && endsWithBlock(pem);
  const problem =
    certificates.length > 0
      ? "failed to parse certificate: x509: malformed certificate"
      : isReadToEnd
        ? "no valid certificate authority data seen"
        : "unable to parse bytes as PEM block";
  return `unable to load root certificates: ${problem}`;
}

function endsWithBlock(pem: string): boolean {
  const end = pem.endsWith("\n") ? pem.length - 1 : pem.length;
  const line = pem.slice(pem.lastIndexOf("\n", end - 1) + 1, end).trimEnd();
  return line.startsWith("-----END ") && line.endsWith("-----");
}

function isCertificate(bytes: Uint8Array): boolean {
  try {
    return new X509Certificate(bytes).raw.length > 0;
  } catch {
    return false;
  }
}
