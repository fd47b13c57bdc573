import { generateKeyPairSync, type KeyObject, type X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { issueCertificate } from "../../runtime/auth/pki/issue-certificate.ts";
import { startPlane } from "../../runtime/plane.ts";

interface Issued {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

const directory = mkdtempSync(join(tmpdir(), "typeplane-authorities-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function issue(commonName: string, use: "authority" | "client", issuer?: Issued): Issued {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
  const certificate = issueCertificate({ commonName, publicKey, use, ...life }, issuer ?? privateKey);
  return { certificate, key: privateKey };
}

const root = issue("root", "authority");
const between = issue("between", "authority", root);
const sibling = issue("sibling", "authority", root);

describe.each(["false", "true"])(
  "an authority of clients that another one signed, with disable-http2-serving=%s",
  (http1) => {
    it("is trusted without the other one, for the certificates that it signed itself", async () => {
      const path = join(directory, "clients.pem");
      writeFileSync(path, between.certificate.toString());
      const plane = await startPlane({
        flags: { controllers: "false", "client-ca-file": path, "disable-http2-serving": http1 },
      });
      await plane.ready;
      const status = ({ certificate, key }: Issued, ...chain: Issued[]) =>
        new Promise<number | undefined>((resolve, reject) => {
          const options = {
            ca: plane.client.certificateAuthority,
            cert: [certificate, ...chain.map((each) => each.certificate)].join(""),
            key: key.export({ type: "pkcs8", format: "pem" }),
            agent: false,
          };
          const sent = request(`${plane.client.server}/api`, options, (answer) => {
            answer.resume().on("end", () => resolve(answer.statusCode));
          });
          sent.on("error", reject).end();
        });
      try {
        expect(await status(issue("jane", "client", between))).toBe(200);
        expect(await status(issue("jane", "client", between), between)).toBe(200);
        expect(await status(issue("jane", "client", root))).toBe(401);
        expect(await status(issue("jane", "client", sibling), sibling)).toBe(401);
        expect(await status(issue("jane", "client", sibling), sibling, root)).toBe(401);
        expect(await status(issue("jane", "client"))).toBe(401);
      } finally {
        await plane.stop();
      }
    });
  },
);
