import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from "node:crypto";
import { join } from "node:path";
import type { PemPair } from "../../lib/follow-key-pair.ts";
import { claimDirectory, readIfPresent, tightenIfPresent, writePrivately } from "../../lib/private-files.ts";
import { ipVersion } from "../../values/ip-address.ts";
import { type CertificateAuthority, type CertificateRequest, issueCertificate } from "./issue-certificate.ts";

const DAY = 24 * 60 * 60 * 1000;
const AUTHORITY_LIFE = 3650 * DAY;
const LEAF_LIFE = 365 * DAY;
/** At the start, certificates are renewed that expire within this time. */
const RENEW_BEFORE = 30 * DAY;

/** Names of the files that the server writes to its own directory. */
const OUR_FILES = /^(?:ca|apiserver|admin|front-proxy-ca|front-proxy-client|sa)\.(?:crt|key)(?:\.|$)/;

/** The certificates of a server and of its administrator. */
export interface ClusterIdentity {
  readonly authorityPem: string;
  /** CA certificates for clients to verify the server: its CA, and the serving certificate if another CA issued it. */
  readonly serverTrustPem: string;
  readonly serving: PemPair;
  readonly admin: PemPair;
  /** Client certificate for requests to extension servers, with its CA. */
  readonly frontProxy: { readonly authorityPem: string; readonly client: PemPair };
}

/** Common name of the client certificate for extension servers. */
export const FRONT_PROXY_NAME = "front-proxy-client";

export interface IdentityOptions {
  /** Directory of the files, created if absent. If undefined, everything is created in memory. */
  readonly directory: string | undefined;
  /** DNS names and IP addresses of the server. */
  readonly names: readonly string[];
  readonly vendor: string;
  readonly now: () => Date;
}

/**
 * Reads the CA, serving and administrator certificates from the directory. Creates those that are absent, about to expire, not signed by the CA, or
 * lack a name. A serving certificate of another CA is used unchanged and never replaced. Files: `ca`, `apiserver`, `admin`, `front-proxy-ca` and
 * `front-proxy-client`, each `.crt` and `.key` (keys 0600). Front proxies have their own CA, so that no other certificate is trusted to name users in
 * headers. Without a directory, certificates that the CAs sign are created on first access.
 */
export function ensureClusterIdentity(options: IdentityOptions): ClusterIdentity {
  if (options.directory !== undefined) claimDirectory(options.directory, (name) => OUR_FILES.test(name));
  const authority = ensureAuthority(options, "ca", `${options.vendor}-ca`);
  const proxies = ensureAuthority(options, "front-proxy-ca", `${options.vendor}-front-proxy-ca`);
  const authorityPem = authority.certificate.toString();
  const provided = providedServing(options);
  return {
    authorityPem,
    serverTrustPem: provided === undefined ? authorityPem : `${authorityPem}${provided.certificatePem}`,
    serving:
      provided ??
      ensureLeaf(options, authority, "apiserver", {
        commonName: "kube-apiserver",
        use: "server",
        names: options.names,
      }),
    admin: ensureLeaf(options, authority, "admin", {
      commonName: `${options.vendor}-admin`,
      organizations: ["system:masters"],
      use: "client",
    }),
    frontProxy: {
      authorityPem: proxies.certificate.toString(),
      client: ensureLeaf(options, proxies, "front-proxy-client", { commonName: FRONT_PROXY_NAME, use: "client" }),
    },
  };
}

/** Returns a serving certificate in the directory that this server did not create, such as those that installers and test suites provide. */
function providedServing({ directory, vendor }: IdentityOptions): PemPair | undefined {
  const stored = readPair(directory, "apiserver");
  if (directory === undefined || stored === undefined || stored.certificate.issuer === `CN=${vendor}-ca`)
    return undefined;
  return {
    certificatePem: readIfPresent(join(directory, "apiserver.crt")) ?? "",
    keyPem: readIfPresent(join(directory, "apiserver.key")) ?? "",
  };
}

function ensureAuthority(options: IdentityOptions, file: string, commonName: string): CertificateAuthority {
  const stored = readPair(options.directory, file);
  if (stored !== undefined && lasts(stored.certificate, options.now())) return stored;
  const { publicKey, privateKey } = newKey();
  const request = { commonName, use: "authority", publicKey } as const;
  const certificate = issueCertificate({ ...request, ...validity(options.now(), AUTHORITY_LIFE) }, privateKey);
  if (options.directory !== undefined) writePair(options.directory, file, pems(certificate, privateKey));
  return { certificate, key: privateKey };
}

type LeafRequest = Omit<CertificateRequest, "publicKey" | "notBefore" | "notAfter">;

function ensureLeaf(
  options: IdentityOptions,
  authority: CertificateAuthority,
  file: string,
  wanted: LeafRequest,
): PemPair {
  if (options.directory === undefined) return whenRead(() => issueLeaf(options, authority, file, wanted));
  const stored = readPair(options.directory, file);
  if (
    stored !== undefined &&
    lasts(stored.certificate, options.now()) &&
    stored.certificate.verify(authority.certificate.publicKey) &&
    (wanted.names ?? []).every((name) => covers(stored.certificate, name))
  )
    return pems(stored.certificate, stored.key);
  return issueLeaf(options, authority, file, wanted);
}

/** Creates a key pair on first access: many in-memory servers never use some of them. */
function whenRead(create: () => PemPair): PemPair {
  let created: PemPair | undefined;
  const pair = (): PemPair => {
    created ??= create();
    return created;
  };
  return {
    get certificatePem() {
      return pair().certificatePem;
    },
    get keyPem() {
      return pair().keyPem;
    },
  };
}

function issueLeaf(
  options: IdentityOptions,
  authority: CertificateAuthority,
  file: string,
  wanted: LeafRequest,
): PemPair {
  const { publicKey, privateKey } = newKey();
  const certificate = issueCertificate({ ...wanted, publicKey, ...validity(options.now(), LEAF_LIFE) }, authority);
  const pair = pems(certificate, privateKey);
  if (options.directory !== undefined) writePair(options.directory, file, pair);
  return pair;
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** The validity starts one hour in the past, for clients with slow clocks. */
function validity(now: Date, life: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now.getTime() - 60 * 60 * 1000), notAfter: new Date(now.getTime() + life) };
}

function lasts(certificate: X509Certificate, now: Date): boolean {
  return certificate.validToDate.getTime() - now.getTime() > RENEW_BEFORE;
}

function covers(certificate: X509Certificate, name: string): boolean {
  return (ipVersion(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

function readPair(directory: string | undefined, file: string): CertificateAuthority | undefined {
  if (directory === undefined) return undefined;
  tightenIfPresent(join(directory, `${file}.key`));
  const certificate = readIfPresent(join(directory, `${file}.crt`));
  const key = readIfPresent(join(directory, `${file}.key`));
  if (certificate === undefined || key === undefined) return undefined;
  const pair = parsePair(file, certificate, key);
  return pair.certificate.checkPrivateKey(pair.key) ? pair : undefined;
}

/** Throws if files cannot be parsed. Never replaces them: the administrator may restore them from a backup. */
function parsePair(file: string, certificate: string, key: string): CertificateAuthority {
  try {
    return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch (error) {
    const why = `${file}.crt and ${file}.key are not a certificate and its key`;
    throw new Error(`${why}: put back what they were, or delete both to have new ones made`, { cause: error });
  }
}

function writePair(directory: string, file: string, { certificatePem, keyPem }: PemPair): void {
  writePrivately(join(directory, `${file}.key`), keyPem);
  writePrivately(join(directory, `${file}.crt`), certificatePem);
}

function pems(certificate: X509Certificate, key: KeyObject): PemPair {
  return {
    certificatePem: certificate.toString(),
    keyPem: key.export({ type: key.asymmetricKeyType === "ec" ? "sec1" : "pkcs8", format: "pem" }) as string,
  };
}
