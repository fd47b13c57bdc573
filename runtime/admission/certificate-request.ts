import { children, content, objectIdentifier } from "../lib/der.ts";

const ORGANIZATION = Buffer.from(objectIdentifier("2.5.4.10"));

/**
 * The organizations in the subject of a PKCS #10 request, given as base64 of PEM (as the API carries it); undefined if it
 * is none.
 */
export function requestedOrganizations(request: string): string[] | undefined {
  const pem = Buffer.from(request, "base64").toString("latin1");
  const block = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]+?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  if (block === undefined) return undefined;
  try {
    const [information = new Uint8Array()] = children(Buffer.from(block, "base64"));
    const subject = children(information)[1];
    if (subject === undefined) return undefined;
    return children(subject)
      .flatMap(children)
      .map(children)
      .filter(([type]) => type !== undefined && ORGANIZATION.equals(type))
      .map(([, value = new Uint8Array()]) => Buffer.from(content(value)).toString("utf8"));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
