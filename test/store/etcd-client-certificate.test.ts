import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createSecureServer, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CurrentKeyPair } from "../../runtime/lib/current-key-pair.ts";
import { EtcdConnection } from "../../runtime/store/etcd/etcd-connection.ts";
import { messageCodec } from "../../runtime/store/etcd/messages.ts";
import { createAuthority, type TestCertificate } from "../fixtures/certificates.ts";
import { replaceFile } from "../fixtures/replace-file.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-etcd-client-"));
const [certificateFile, keyFile] = ["tls.crt", "tls.key"].map((name) => join(directory, name)) as [string, string];
const authority = createAuthority();
const issue = (): TestCertificate => authority.issue("kube-apiserver", "client");
const serialOf = ({ cert }: TestCertificate): string => new X509Certificate(cert).serialNumber;

/** An etcd that responds to no call, and records the client certificates of its connections. */
const sessions = new Set<Http2Session>();
const presented: (string | undefined)[] = [];
const member = createSecureServer({
  ...authority.issue("etcd", "server", { names: ["127.0.0.1"] }),
  ca: authority.authority,
  requestCert: true,
  rejectUnauthorized: true,
});
member.on("secureConnection", (socket: TLSSocket) => presented.push(socket.getPeerX509Certificate()?.serialNumber));
member.on("session", (session) => void sessions.add(session));
member.on("stream", (stream) =>
  stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "12" }, { endStream: true }),
);

let connection: EtcdConnection;
let current: TestCertificate;
let seconds = 0;

beforeAll(async () => {
  current = issue();
  replaceFile(certificateFile, current.cert);
  replaceFile(keyFile, current.key);
  await new Promise<void>((resolve) => void member.listen(0, "127.0.0.1", resolve));
  const pair = { certificatePem: current.cert, keyPem: current.key };
  const client = new CurrentKeyPair({ files: { certificateFile, keyFile }, pair }, () => seconds * 1000);
  connection = new EtcdConnection({
    endpoints: [`https://127.0.0.1:${(member.address() as AddressInfo).port}`],
    tls: { authorityPem: authority.authority, client: () => client.get() },
    callTimeoutMs: 5000,
  });
});
afterAll(async () => {
  connection.close();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => member.close(resolve));
  rmSync(directory, { recursive: true });
});

/** The serial number of the certificate on a new connection. */
async function presentedAnew(): Promise<string | undefined> {
  for (const session of sessions) session.destroy();
  sessions.clear();
  // The files are read once a second at most.
  seconds += 1;
  const call = connection.call(
    "/etcdserverpb.KV/Range",
    messageCodec<object, object>("RangeRequest", "RangeResponse"),
    {},
    false,
  );
  await expect(call).rejects.toMatchObject({ cause: { code: 12 } });
  return presented.at(-1);
}

it("presents the client certificate that its files contain when it connects again", async () => {
  expect(await presentedAnew()).toBe(serialOf(current));
  const renewed = issue();
  replaceFile(certificateFile, renewed.cert);
  // Without the key of the new certificate, the previous pair remains in use.
  expect(await presentedAnew()).toBe(serialOf(current));
  replaceFile(keyFile, renewed.key);
  expect(await presentedAnew()).toBe(serialOf(renewed));
  rmSync(certificateFile);
  expect(await presentedAnew()).toBe(serialOf(renewed));
});
