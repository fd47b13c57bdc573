import { execFileSync } from "node:child_process";

/** Base64 of a certificate request in PEM, as the API carries it. */
export function issueCertificateRequest(subject = "/CN=somebody"): string {
  const pem = execFileSync(
    "openssl",
    [
      "req",
      "-new",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-keyout",
      "/dev/null",
      "-subj",
      subject,
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  return pem.toString("base64");
}
